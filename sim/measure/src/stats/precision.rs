//! How exactly figures are known, and how many games make them known more exactly.

use jantaku_engine::Rules;
use serde::{Deserialize, Serialize};

use super::figures::{self, Figure, Occurrence};
use super::interval::Estimate;
use super::rows::unknown_figure;
use super::statistics::Statistics;
use super::sweep::Sweep;
use jantaku_sim::play::Groups;

/// How precisely a figure must be known: the largest distance from its value to an end of its 95 %
/// interval.
///
/// In a sweep it applies to the differences of all variants from the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The section and the name in the section: `draws.four-kans`.
    pub name: String,
    /// The group of players, as in [`Groups::names`].
    pub group: String,
    /// Whether the figure is a rate, so that its precision is a share of cases.
    pub is_rate: bool,
    /// The largest distance; 0.01 is one percentage point of a rate.
    pub within: f64,
    /// Whether `within` is a share of the value: 0.1 is a tenth of it.
    pub is_relative: bool,
    /// Whether the figure is the same in all games under most rules, so that it has no interval.
    pub(super) is_fixed: bool,
    /// The index of the figure in [`Statistics::figures`].
    figure: usize,
}

impl Target {
    /// Reads `draws.four-kans=0.001%`, `points.mean=50` or `players.placement@seat 0=0.01`.
    ///
    /// The distance of a rate is in percentage points. `10%rel` is a share of the value, in a sweep of the
    /// first variant's value. Without `@` and a group, the group is `all`. `variants` are the rules of the
    /// games.
    ///
    /// # Errors
    ///
    /// A message if the figure, its group or the number is not valid. Also if none of the rules
    /// allow the figure's events, or the figure is the same in all games.
    pub fn parse(text: &str, groups: &Groups, variants: &[&Rules]) -> Result<Target, String> {
        let (figure, within) = text
            .rsplit_once('=')
            .ok_or("expected a figure and a distance, such as `draws.four-kans=0.001%`")?;
        let (name, group) = figure.split_once('@').unwrap_or((figure, "all"));
        let (all, group_names) = (figures::figures(groups, &Rules::default()), groups.names());
        let is_named = |figure: &&Figure| figure.full_name() == name;
        if !all.iter().any(|figure| is_named(&figure)) {
            if all.iter().flat_map(Figure::spread_names).any(|(spread, _)| spread == name) {
                return Err(format!("`{name}` has no interval: standard deviations and quantiles have none"));
            }
            return Err(unknown_figure(name, all.iter().map(Figure::full_name)));
        }
        let of_group = |figure: &Figure| is_named(&figure) && group_names[figure.group] == group;
        let Some(index) = all.iter().position(of_group) else {
            let groups = all.iter().filter(is_named).map(|figure| group_names[figure.group].as_str());
            let groups: Vec<&str> = groups.collect();
            return Err(format!("`{name}` has no group `{group}`, expected one of {}", groups.join(", ")));
        };
        let occurrence = |rules: &&Rules| figures::figures(groups, rules)[index].occurrence;
        if variants.iter().all(|rules| occurrence(rules) == Occurrence::Excluded) {
            return Err(format!("`{figure}` cannot occur under these rules"));
        }
        if all[index].is_always_fixed() {
            return Err(format!(
                "`{figure}` is the same in all games; give a group, such as `{name}@seat 0`"
            ));
        }
        let Figure { is_rate, is_fixed, .. } = all[index];
        let relative = within.strip_suffix("rel");
        let within = match relative {
            Some(share) => relative_distance(share)?,
            None => distance(within, is_rate)?,
        };
        let (name, group, is_relative) = (name.to_owned(), group.to_owned(), relative.is_some());
        Ok(Target { name, group, is_rate, within, is_relative, is_fixed, figure: index })
    }

    /// Checks that games under all rules of a sweep can meet the target. The figure needs a
    /// difference from the first variant, and for a relative target a value under the first variant.
    /// `variants` are the names and the rules.
    ///
    /// # Errors
    ///
    /// A message that names the variant.
    pub fn check_variants(&self, groups: &Groups, variants: &[(&str, &Rules)]) -> Result<(), String> {
        let Target { name, group, figure, .. } = self;
        let named = if group == "all" { name.clone() } else { format!("{name}@{group}") };
        let figure_of = |rules| figures::figures(groups, rules).swap_remove(*figure);
        for (number, (variant, rules)) in variants.iter().enumerate() {
            let figure = figure_of(*rules);
            if !groups.are_in_games(figure.group, rules) {
                return Err(format!("`{named}` cannot occur under {variant}, so it has no difference"));
            }
            if number == 0 && self.is_relative && figure.occurrence == Occurrence::Excluded {
                let unit = if self.is_rate { "percentage points" } else { "an amount" };
                return Err(format!(
                    "`{named}` cannot occur under {variant}, the first variant, so there is no share of its \
                     value; give {unit}"
                ));
            }
        }
        Ok(())
    }

    /// Whether a distance is small enough for a figure with this value.
    fn is_met(&self, distance: f64, value: f64) -> bool {
        distance <= if self.is_relative { self.within * value.abs() } else { self.within }
    }
}

/// Reads a share of a value: `10%`.
fn relative_distance(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}rel`: expected a share of the value, such as `10%rel`");
    distance(text.strip_suffix('%').ok_or_else(wrong)?, false).map(|percent| percent / 100.0)
}

/// Reads a distance: percentage points for a rate, an amount for a mean.
fn distance(text: &str, is_rate: bool) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(number) if is_rate => (number, 100.0),
        None if !is_rate => (text, 1.0),
        Some(_) => {
            return Err(format!(
                "`{text}`: the figure is a mean; give an amount, such as `0.5`, or a share of its value, \
                 such as `10%rel`"
            ));
        }
        None => {
            return Err(format!(
                "`{text}`: the figure is a rate; give percentage points, such as `0.01%`, or a share of its \
                 value, such as `10%rel`"
            ));
        }
    };
    let is_grouped = number.trim().split('_').all(|digits| !digits.is_empty());
    let number = number.trim().replace('_', "").parse();
    let number = number.ok().filter(|number: &f64| is_grouped && number.is_finite() && *number > 0.0);
    number.map(|number| number / scale).ok_or_else(|| format!("`{text}`: expected a number above 0"))
}

/// Figures whose intervals narrow as games are added: statistics, or a sweep.
pub trait Measured {
    /// The number of games so far, under each variant.
    fn games(&self) -> u64;

    /// The distance of the target's figure after this many games like those so far. None if the
    /// figure has no interval.
    fn distance(&self, target: &Target, games: u64) -> Option<f64>;

    /// The value of the target's figure so far, under the first variant.
    fn value(&self, target: &Target) -> Option<f64>;

    /// Whether the total of the target's figure is not 0 so far: whether a rate had an event.
    fn has_events(&self, target: &Target) -> bool;
}

impl Measured for Statistics {
    fn games(&self) -> u64 {
        self.games()
    }

    fn distance(&self, target: &Target, games: u64) -> Option<f64> {
        let sums = self.sums[target.figure].scaled(games, self.games());
        self.figures[target.figure].estimate(&sums)?.distance()
    }

    fn value(&self, target: &Target) -> Option<f64> {
        Some(self.figures[target.figure].estimate(&self.sums[target.figure])?.value)
    }

    fn has_events(&self, target: &Target) -> bool {
        self.sums[target.figure].y != 0
    }
}

impl Measured for Sweep {
    fn games(&self) -> u64 {
        self.variants()[0].games()
    }

    /// The largest distance among the differences from the first variant.
    fn distance(&self, target: &Target, games: u64) -> Option<f64> {
        let of = |variant| {
            let difference = self.difference_after(variant, target.figure, games);
            difference.as_ref().and_then(Estimate::distance)
        };
        (1..self.variants().len()).map(of).try_fold(0.0, |most: f64, distance| Some(most.max(distance?)))
    }

    fn value(&self, target: &Target) -> Option<f64> {
        self.variants()[0].value(target)
    }

    fn has_events(&self, target: &Target) -> bool {
        self.variants().iter().any(|variant| variant.has_events(target))
    }
}

/// How exactly a figure is known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
pub struct Precision {
    /// The section and the name in the section.
    pub name: String,
    /// The group of players.
    pub group: String,
    /// Largest distance allowed from its value to an end of its interval.
    pub within: f64,
    /// Whether `within` is a share of the value.
    pub relative: bool,
    /// Value of the figure, in a sweep that of the first variant; None without cases.
    pub value: Option<f64>,
    /// The distance now. None if the figure has no interval.
    pub distance: Option<f64>,
    /// Whether the figure is as exact as was asked for.
    pub met: bool,
    /// Games that are enough, estimated from those played; None without an interval, for a share of
    /// a value that is 0 so far, or if they are more than 2⁴⁰.
    pub games: Option<u64>,
    /// Whether many more than `games` may be needed, because a rate had no event so far.
    pub at_least: bool,
    /// Whether the figure is a rate, so that its precision is a share of cases.
    pub is_rate: bool,
}

impl Precision {
    /// How exactly the figure of a target is known.
    pub fn of(target: &Target, measured: &impl Measured) -> Precision {
        let (distance, value) = (measured.distance(target, measured.games()), measured.value(target));
        Precision {
            name: target.name.clone(),
            group: target.group.clone(),
            within: target.within,
            relative: target.is_relative,
            value,
            distance,
            met: distance.zip(value).is_some_and(|(distance, value)| target.is_met(distance, value)),
            games: distance.and_then(|_| games_needed(target, measured)),
            at_least: target.is_rate && !measured.has_events(target),
            is_rate: target.is_rate,
        }
    }

    /// Whether the number of games needed is unknown so far: the figure has no interval, or its
    /// value is still 0, which has no share.
    pub fn is_unknown(&self) -> bool {
        self.distance.is_none() || self.relative && self.value == Some(0.0)
    }

    /// How exactly the figures of the targets are known.
    pub fn of_all(targets: &[Target], measured: &impl Measured) -> Vec<Precision> {
        targets.iter().map(|target| Precision::of(target, measured)).collect()
    }
}

/// The maximum number of games in a plan.
const MAX_GAMES: u64 = 1 << 40;

/// How many games like those so far meet a target. None if the figure has no value, or for more than
/// [`MAX_GAMES`].
fn games_needed(target: &Target, measured: &impl Measured) -> Option<u64> {
    let value = measured.value(target)?;
    let is_met = |games| measured.distance(target, games).is_some_and(|found| target.is_met(found, value));
    let (mut low, mut high) = (0, measured.games().max(1));
    while !is_met(high) {
        (low, high) = (high, high.checked_mul(2).filter(|games| *games <= MAX_GAMES)?);
    }
    // To three digits.
    while high - low > 1 + low / 1000 {
        let middle = low.midpoint(high);
        if is_met(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read() {
        let agents = ["greedy:calls=off".to_owned(), "random".to_owned()];
        let groups = Groups::new(&agents);
        let rules = Rules::default();
        let all = figures::figures(&groups, &rules);
        for (text, name, group, within) in [
            ("draws.four-kans=0.001%", "draws.four-kans", "all", 0.00001),
            ("points.mean=50", "points.mean", "all", 50.0),
            ("draws.four-kans=10%rel", "draws.four-kans", "all", 0.1),
            ("points.mean=2.5 %rel", "points.mean", "all", 0.025),
            ("points.mean=1_000", "points.mean", "all", 1000.0),
            ("points.mean=1e3", "points.mean", "all", 1000.0),
            ("points.mean=1.5e3", "points.mean", "all", 1500.0),
            ("players.win@wind East=1e-1 %", "players.win", "wind East", 0.001),
            (
                "players.placement@agent greedy:calls=off=0.01",
                "players.placement",
                "agent greedy:calls=off",
                0.01,
            ),
        ] {
            let target = Target::parse(text, &groups, &[&rules]).expect(text);
            assert_eq!((target.name.as_str(), target.group.as_str()), (name, group));
            assert!((target.within - within).abs() < 1e-12, "{text}: {}", target.within);
            assert_eq!(target.is_relative, text.ends_with("rel"));
            let figure = &all[target.figure];
            assert_eq!((figure.full_name(), groups.names()[figure.group].as_str()), (name.to_owned(), group));
        }
    }

    #[test]
    fn invalid_targets_are_refused() {
        let groups = Groups::default();
        for (text, message) in [
            ("draws.four-kans", "expected a figure and a distance, such as `draws.four-kans=0.001%`"),
            (
                "draws.four-kan=1%",
                "unknown figure `draws.four-kan` (did you mean `draws.four-kans`?); sim/docs/statistics.md \
                 lists all figures",
            ),
            ("xyz=1%", "unknown figure `xyz`; sim/docs/statistics.md lists all figures"),
            ("hands.honba-1@seat 0=1%", "`hands.honba-1` has no group `seat 0`, expected one of all"),
            (
                "hands.tsumo=0.1",
                "`0.1`: the figure is a rate; give percentage points, such as `0.01%`, or a share of its \
                 value, such as `10%rel`",
            ),
            (
                "points.mean=5%",
                "`5%`: the figure is a mean; give an amount, such as `0.5`, or a share of its value, such as \
                 `10%rel`",
            ),
            (
                "spread.points-sd=5",
                "`spread.points-sd` has no interval: standard deviations and quantiles have none",
            ),
            (
                "players.placement=0.1",
                "`players.placement` is the same in all games; give a group, such as \
                 `players.placement@seat 0`",
            ),
            (
                "players.placement-1=1%",
                "`players.placement-1` is the same in all games; give a group, such as \
                 `players.placement-1@seat 0`",
            ),
            ("points.mean=5rel", "`5rel`: expected a share of the value, such as `10%rel`"),
            ("points.mean=0%rel", "`0`: expected a number above 0"),
            ("points.mean=0", "`0`: expected a number above 0"),
            ("points.mean=inf", "`inf`: expected a number above 0"),
            ("points.mean=1__0", "`1__0`: expected a number above 0"),
            ("points.mean=_1", "`_1`: expected a number above 0"),
            ("hands.tsumo=x%", "`x%`: expected a number above 0"),
        ] {
            assert_eq!(Target::parse(text, &groups, &[&Rules::default()]), Err(message.to_owned()));
        }
    }

    /// A figure must be possible under one variant.
    #[test]
    fn figures_that_no_rules_allow_are_refused() {
        let groups = Groups::default();
        let preset = |name| Rules::preset(name).expect("a preset");
        let (four, one_ron, three) = (preset("mjsoul"), preset("mleague"), preset("tenhou-sanma"));
        for (name, rules) in [
            ("draws.triple-ron", &four),
            ("draws.chombo", &four),
            ("hands.three-ron", &preset("tenhou")),
            ("hands.two-ron", &one_ron),
            ("draws.four-riichi", &one_ron),
            ("yaku.renhou", &four),
            ("draws.tenpai-4", &three),
            ("players.placement-4", &three),
            ("players.win@seat 3", &three),
            ("players.win@wind North", &three),
            ("hands.tsumo@round South 4", &three),
            ("hands.tsumo@round-wind West", &one_ron),
            ("hands.honba-1", &preset("dragon-kong-express")),
        ] {
            let text = format!("{name}=1%");
            let message = format!("`{name}` cannot occur under these rules");
            assert_eq!(Target::parse(&text, &groups, &[rules]), Err(message));
        }
        assert!(Target::parse("hands.two-ron=1%", &groups, &[&one_ron, &four]).is_ok());
        assert!(Target::parse("hands.tsumo@round-wind West=1%", &groups, &[&four]).is_ok());
    }

    /// A share of the first variant's value, and a difference, need a value.
    #[test]
    fn targets_that_a_variant_cannot_meet_are_refused() {
        let groups = Groups::default();
        let rules = ["mleague", "tenhou"].map(|name| (name, Rules::preset(name).expect("a preset")));
        let [one_ron, tenhou] = rules.each_ref().map(|(name, rules)| (*name, rules));
        let check = |text: &str, variants: [(&str, &Rules); 2]| {
            let target = Target::parse(text, &groups, &variants.map(|(_, rules)| rules)).expect(text);
            target.check_variants(&groups, &variants)
        };
        let first = "`hands.two-ron` cannot occur under mleague, the first variant, so there is no share of \
                     its value; give percentage points";
        assert_eq!(check("hands.two-ron=5%rel", [one_ron, tenhou]), Err(first.to_owned()));
        for (text, variants) in [
            ("hands.two-ron=1%", [one_ron, tenhou]),
            ("hands.two-ron=5%rel", [tenhou, one_ron]),
            ("hands.tsumo=5%rel", [one_ron, tenhou]),
        ] {
            assert_eq!(check(text, variants), Ok(()), "{text}");
        }
        let west = "`hands.tsumo@round-wind West` cannot occur under mleague, so it has no difference";
        for variants in [[one_ron, tenhou], [tenhou, one_ron]] {
            assert_eq!(check("hands.tsumo@round-wind West=1%", variants), Err(west.to_owned()));
        }
    }
}
