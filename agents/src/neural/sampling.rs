//! How an action is chosen from the logits of a policy.

use jantaku_engine::{Action, ActionId, ActionSet, Rng};

/// How an action is chosen from the logits of a policy. Illegal actions are never chosen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampling {
    /// The logits are divided by this number. At 0 the most probable action is chosen, the first one of
    /// equally probable ones.
    pub temperature: f64,
    /// Only the most probable actions are chosen: the fewest whose probabilities add up to this.
    pub top_p: f64,
}

/// The legal actions of a decision with their probabilities.
#[derive(Clone, Debug)]
pub struct Probabilities {
    legal: ActionSet,
    /// In the order of the legal actions.
    values: [f64; ActionId::COUNT],
    len: usize,
}

impl Probabilities {
    /// The probabilities of the legal actions by their logits, which are divided by the temperature.
    /// `logits` is called for each legal action.
    ///
    /// # Errors
    ///
    /// The first legal action whose logit is not finite.
    pub fn new(
        logits: impl Fn(ActionId) -> f32,
        legal: ActionSet,
        temperature: f64,
    ) -> Result<Probabilities, ActionId> {
        let mut probabilities = Probabilities::of(legal);
        probabilities.set(logits, temperature)?;
        Ok(probabilities)
    }

    /// Room for the probabilities of these actions.
    #[inline]
    const fn of(legal: ActionSet) -> Probabilities {
        Probabilities { legal, values: [0.0; ActionId::COUNT], len: legal.len() as usize }
    }

    /// Sets the probabilities in place: moving them would take longer than computing them.
    #[inline]
    fn set(&mut self, logits: impl Fn(ActionId) -> f32, temperature: f64) -> Result<(), ActionId> {
        let (weights, mut most) = (&mut self.values[..self.len], f64::NEG_INFINITY);
        for (id, weight) in self.legal.iter().zip(&mut *weights) {
            let logit = f64::from(logits(id));
            if !logit.is_finite() {
                return Err(id);
            }
            (*weight, most) = (logit, most.max(logit));
        }
        weights.iter_mut().for_each(|logit| *logit = exp((*logit - most) / temperature));
        normalize(weights);
        Ok(())
    }

    /// The probabilities, in the order of the legal actions.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.len]
    }

    /// Leaves only the most probable actions: the fewest whose probabilities add up to at least
    /// this, and at least one. Of equally probable actions, the first stay.
    fn keep_top(&mut self, top_p: f64) {
        let values = &mut self.values[..self.len];
        let mut order: [u8; ActionId::COUNT] = std::array::from_fn(|at| at as u8);
        let order = &mut order[..values.len()];
        order.sort_unstable_by(|a, b| {
            values[usize::from(*b)].total_cmp(&values[usize::from(*a)]).then(a.cmp(b))
        });
        let mut sum = 0.0;
        for at in order {
            let value = &mut values[usize::from(*at)];
            if sum < top_p || sum == 0.0 {
                sum += *value;
            } else {
                *value = 0.0;
            }
        }
        normalize(values);
    }

    /// Draws an action. Returns it with its probability.
    fn draw(&self, rng: &mut Rng) -> (Action, f64) {
        let at = self.place(rng.uniform());
        (self.action(at), self.values[at])
    }

    /// Where a number of [0, 1) falls among the probabilities.
    fn place(&self, number: f64) -> usize {
        let (mut rest, mut last) = (number, 0);
        for (at, value) in self.values().iter().enumerate().filter(|(_, value)| **value > 0.0) {
            last = at;
            if rest < *value {
                break;
            }
            rest -= value;
        }
        // Rounding may leave a rest after the last action.
        last
    }

    fn action(&self, at: usize) -> Action {
        self.legal.nth(at as u32).expect("there is a value for each legal action").action()
    }
}

impl Sampling {
    /// Chooses a legal action. Returns it with the probability that it had.
    ///
    /// # Errors
    ///
    /// The first legal action whose logit is not finite.
    pub fn choose(
        &self,
        logits: impl Fn(ActionId) -> f32,
        legal: ActionSet,
        rng: &mut Rng,
    ) -> Result<(Action, f64), ActionId> {
        if self.temperature == 0.0 {
            return Ok((best(logits, legal)?.action(), 1.0));
        }
        if self.top_p >= 1.0 && are_alike(&logits, legal) {
            return Ok(draw_alike(legal, rng));
        }
        let mut probabilities = Probabilities::of(legal);
        probabilities.set(logits, self.temperature)?;
        if self.top_p < 1.0 {
            probabilities.keep_top(self.top_p);
        }
        Ok(probabilities.draw(rng))
    }
}

/// The action with the largest logit, the first of several. The error is the first action whose logit
/// is not finite.
fn best(logits: impl Fn(ActionId) -> f32, legal: ActionSet) -> Result<ActionId, ActionId> {
    let mut best: Option<(ActionId, f32)> = None;
    for id in legal.iter() {
        let logit = logits(id);
        if !logit.is_finite() {
            return Err(id);
        }
        if best.is_none_or(|(_, most)| logit > most) {
            best = Some((id, logit));
        }
    }
    Ok(best.expect("a decision has legal actions").0)
}

/// Whether all these actions have the same finite logit.
fn are_alike(logits: &impl Fn(ActionId) -> f32, legal: ActionSet) -> bool {
    let Some(first) = legal.first().map(logits) else { return false };
    first.is_finite() && legal.iter().all(|id| logits(id).to_bits() == first.to_bits())
}

/// Draws one of these actions, each with the same probability: the action that
/// [`Probabilities::draw`] draws from these probabilities, without a list of them.
fn draw_alike(legal: ActionSet, rng: &mut Rng) -> (Action, f64) {
    let at = place_alike(legal.len(), rng.uniform());
    let action = legal.nth(at).expect("a decision has legal actions").action();
    (action, 1.0 / f64::from(legal.len()))
}

/// Where a number of [0, 1) falls among `len` equal probabilities.
///
/// The product of both decides, except near the boundary of two actions. There, the subtractions of
/// [`Probabilities::draw`] may round to the other action, so they are repeated.
fn place_alike(len: u32, number: f64) -> u32 {
    /// The fractions of a product that no rounding error moves over a boundary.
    const CLEAR: std::ops::Range<f64> = 1e-9..1.0 - 1e-9;
    let product = number * f64::from(len);
    let at = product as u32;
    if CLEAR.contains(&(product - f64::from(at))) {
        return at;
    }
    let (value, mut rest, mut at) = (1.0 / f64::from(len), number, 0);
    while at + 1 < len && rest >= value {
        rest -= value;
        at += 1;
    }
    at
}

/// Scales weights so that they add up to 1.
fn normalize(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

/// e to the power of a number of at most 0.
///
/// The standard library's function differs in the last bits between machines, and a sampled action
/// must not. This one uses only operations that round the same everywhere. Its relative error is
/// below 10⁻¹⁵.
fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // The most probable action, and all actions of a uniform policy.
    if x == 0.0 {
        return 1.0;
    }
    if x < -700.0 {
        return 0.0;
    }
    let power = (x * std::f64::consts::LOG2_E).round();
    let rest = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    let series = EXP_SERIES.iter().rev().fold(0.0, |sum, coefficient| sum * rest + coefficient);
    series * f64::from_bits(((1023 + power as i64) as u64) << 52)
}

/// The Taylor series of the exponential: 1/n!. Up to 0.35, the term after the last is below 10⁻¹⁷.
const EXP_SERIES: [f64; 14] = {
    let (mut series, mut n) = ([1.0; 14], 1);
    while n < series.len() {
        series[n] = series[n - 1] / n as f64;
        n += 1;
    }
    series
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The logits of the legal actions in their order. Others have a higher one.
    fn logit_of(legal: ActionSet, logits: [f32; 4]) -> impl Fn(ActionId) -> f32 {
        let at: Vec<ActionId> = legal.iter().collect();
        move |id| at.iter().position(|other| *other == id).map_or(99.0, |at| logits[at])
    }

    const LEGAL: [Action; 4] = [Action::Daiminkan, Action::Ron, Action::Tsumo, Action::Pass];

    /// How often each of four actions is drawn of 40,000 times, and the probability it should have.
    fn drawn(logits: [f32; 4], sampling: Sampling) -> [(f64, f64); 4] {
        let legal: ActionSet = LEGAL.into_iter().collect();
        let (mut counts, mut rng) = ([(0.0, 0.0); 4], Rng::new(5));
        for _ in 0..40_000 {
            let choice = sampling.choose(logit_of(legal, logits), legal, &mut rng);
            let (action, probability) = choice.expect("finite logits");
            let at = LEGAL.iter().position(|legal| *legal == action).expect("a legal action");
            counts[at].0 += 1.0;
            counts[at].1 = probability;
        }
        counts
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let expected = |logits: [f32; 4], temperature: f64, kept: [bool; 4]| {
            let weights: Vec<f64> = logits
                .iter()
                .zip(kept)
                .map(|(logit, kept)| f64::from(u8::from(kept)) * (f64::from(*logit) / temperature).exp())
                .collect();
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / sum).collect::<Vec<f64>>()
        };
        let logits = [0.0, 1.0, -1.0, 1.5];
        let cases = [
            (1.0, 1.0, [true; 4]),
            (0.5, 1.0, [true; 4]),
            (3.0, 1.0, [true; 4]),
            // The probabilities are 0.12, 0.32, 0.04 and 0.53.
            (1.0, 0.84, [false, true, false, true]),
            (1.0, 0.86, [true, true, false, true]),
            (1.0, 0.5, [false, false, false, true]),
            (1.0, 0.0, [false, false, false, true]),
        ];
        for (temperature, top_p, kept) in cases {
            let counts = drawn(logits, Sampling { temperature, top_p });
            for ((count, stated), expected) in counts.into_iter().zip(expected(logits, temperature, kept)) {
                let place =
                    format!("temperature {temperature}, top-p {top_p}: {count}, {stated}, {expected}");
                let deviation = (40_000.0 * expected * (1.0 - expected)).sqrt();
                assert!((count - 40_000.0 * expected).abs() <= 4.0 * deviation, "{place}");
                assert!(count == 0.0 || (stated - expected).abs() < 1e-12, "{place}");
            }
        }
    }

    /// The short way for equal logits is the long way, to the last bit.
    #[test]
    fn equal_logits_are_drawn_alike() {
        for size in 1..=ActionId::COUNT as u64 {
            let mut choice = Rng::new(size);
            let all: Vec<ActionId> = ActionId::all().collect();
            let legal: ActionSet = (0..size).map(|_| all[choice.below(all.len())].action()).collect();
            for seed in 0..50 {
                let logits = |_| 0.5;
                let (mut short, mut long) = (Rng::new(seed), Rng::new(seed));
                let probabilities = Probabilities::new(logits, legal, 3.0).expect("finite logits");
                assert!(are_alike(&logits, legal));
                let (drawn, expected) = (draw_alike(legal, &mut short), probabilities.draw(&mut long));
                assert_eq!((drawn.0, drawn.1.to_bits()), (expected.0, expected.1.to_bits()));
                assert_eq!(short, long);
            }
        }
    }

    /// Also for the numbers where the sums round.
    #[test]
    fn ends_of_equal_probabilities_are_those_of_the_sums() {
        for len in 1..=ActionId::COUNT as u32 {
            let legal: ActionSet = ActionId::all().take(len as usize).map(ActionId::action).collect();
            let probabilities = Probabilities::new(|_| 0.0, legal, 1.0).expect("finite logits");
            for end in 0..=len {
                let unit = 1.0 / (1_u64 << 53) as f64;
                let near = f64::from(end) / f64::from(len);
                for number in (-8..8).map(|steps| near + unit * f64::from(steps)) {
                    if (0.0..1.0).contains(&number) {
                        assert_eq!(place_alike(len, number), probabilities.place(number) as u32, "{number}");
                    }
                }
            }
        }
    }

    #[test]
    fn temperature_0_takes_the_first_of_the_best() {
        let greedy = Sampling { temperature: 0.0, top_p: 1.0 };
        assert_eq!(drawn([0.0, 1.0, -1.0, 1.5], greedy)[3], (40_000.0, 1.0));
        assert_eq!(drawn([1.0, 2.0, 2.0, 0.0], greedy)[1], (40_000.0, 1.0));
    }

    #[test]
    fn a_logit_that_is_not_finite_is_an_error() {
        let legal: ActionSet = LEGAL.into_iter().collect();
        for temperature in [0.0, 1.0] {
            for wrong in [f32::NAN, f32::INFINITY] {
                let sampling = Sampling { temperature, top_p: 1.0 };
                let logits = logit_of(legal, [0.0, 0.0, wrong, 0.0]);
                let choice = sampling.choose(logits, legal, &mut Rng::new(1));
                assert_eq!(choice, Err(Action::Tsumo.id()));
            }
        }
    }

    #[test]
    fn the_exponential_is_exact_enough() {
        assert_eq!(exp(0.0).to_bits(), 1.0_f64.to_bits());
        for step in 0..70_000 {
            let x = -0.01 * f64::from(step);
            let (found, expected) = (exp(x), x.exp());
            assert!((found - expected).abs() <= 2e-15 * expected, "{x}: {found} {expected}");
        }
        assert!(exp(-1e9) < 1e-300 && exp(f64::NEG_INFINITY) < 1e-300);
    }
}
