//! The decisions of one game.

use jantaku_agents::encode::SuitOrder;
use jantaku_engine::random::hash;
use jantaku_engine::replay::Spectator;
use jantaku_engine::{
    Action, ActionId, BySeat, Event, FinalResult, Observation, Observer, Phase, Players, Rng, Rules, SeatSet,
    Snapshot,
};

use super::config::LoaderConfig;
use super::error::LoadError;
use super::filter::kind_number;
use crate::logs::LogError;
use crate::play::HandInPlay;
use crate::replay::convert::whole_hands;
use crate::replay::inputs::Input;

/// The stream of random numbers that permutes suits.
const SUITS: u64 = 3;

/// A decision, the action that was chosen, and the labels.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) snapshot: Snapshot,
    pub(super) action: ActionId,
    pub(super) labels: Labels,
    /// How its suits are permuted.
    pub(super) suits: SuitOrder,
}

/// A shuffle buffer holds tens of thousands.
const _: () = assert!(size_of::<Sample>() <= 1024);

/// The labels of a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labels {
    /// The number of the game: in its run, or in its file.
    pub(super) game: u64,
    /// The number of the decision in its game, from 0.
    pub(super) decision: u32,
    pub(super) hand: u16,
    pub(super) seat: u8,
    pub(super) kind: u8,
    pub(super) hand_delta: i32,
    pub(super) points: i32,
    pub(super) placement: u8,
    pub(super) result: i32,
}

/// The decisions of a game that match the filter. None for a damaged log to skip.
///
/// # Errors
///
/// If the game cannot be read or replayed.
pub(super) fn samples(
    config: &LoaderConfig,
    epoch: u64,
    number: u64,
    input: &Input,
) -> Result<Option<Vec<Sample>>, LoadError> {
    match input {
        Input::Stored(run, game) => {
            let mut collector = Collector::new(config, epoch, number, &game.rules, &game.agents);
            let replayed = game.replay(&mut collector);
            replayed
                .map_err(|error| LoadError::Replay { place: format!("{run}: game {}", game.game), error })?;
            Ok(Some(collector.finish(config)))
        }
        Input::Log(_) => match log_samples(config, epoch, number, input) {
            Ok(samples) => Ok(Some(samples)),
            Err(_) if config.skip_damaged => Ok(None),
            Err(error) => Err(LoadError::Log(error.of_game(&input.place()))),
        },
    }
}

fn log_samples(
    config: &LoaderConfig,
    epoch: u64,
    number: u64,
    input: &Input,
) -> Result<Vec<Sample>, LogError> {
    let game = whole_hands(input.read(config.rules.as_ref())?)?;
    let mut collector = Collector::new(config, epoch, number, &game.rules, &game.names);
    match game.replay(&mut collector).differences.first() {
        None => Ok(collector.finish(config)),
        Some(difference) => Err(LogError::new("", difference)),
    }
}

/// Collects the decisions of a game during its replay.
struct Collector {
    samples: Vec<Sample>,
    seats: SeatSet,
    kinds: [bool; 5],
    game: u64,
    hand: HandInPlay,
    /// The number of hands that were dealt.
    hands: u16,
    /// The samples before the hand in play.
    before_hand: usize,
    /// The points won and lost in the latest hand that is over.
    deltas: BySeat<i32>,
    decisions: u32,
    results: Option<BySeat<FinalResult>>,
    /// The permutations of suits that the rules allow.
    suits: Vec<SuitOrder>,
    /// The seed that draws one of them.
    seed: u64,
}

impl Collector {
    fn new(config: &LoaderConfig, epoch: u64, game: u64, rules: &Rules, agents: &[String]) -> Collector {
        let players: Players = rules.players;
        let suits = if config.augment { SuitOrder::allowed(rules).collect() } else { Vec::new() };
        Collector {
            samples: Vec::new(),
            seats: config.filter.seats_of(players, agents),
            kinds: config.filter.kinds(),
            game,
            hand: HandInPlay::new(players),
            hands: 0,
            before_hand: 0,
            deltas: BySeat::splat(players, 0),
            decisions: 0,
            results: None,
            suits,
            seed: hash(&[config.seed, epoch, SUITS, game]),
        }
    }

    /// The permutation of the suits of the next decision.
    fn draw_suits(&self) -> SuitOrder {
        match self.suits.len() {
            0 => SuitOrder::ALL[0],
            count => self.suits[Rng::new(hash(&[self.seed, u64::from(self.decisions)])).below(count)],
        }
    }

    /// Adds the labels that are known at the end of the game.
    fn finish(mut self, config: &LoaderConfig) -> Vec<Sample> {
        if let Some(results) = self.results {
            for Sample { snapshot, labels, .. } in &mut self.samples {
                let result = results[snapshot.observe().seat()];
                (labels.points, labels.placement) = (result.points, result.placement);
                labels.result = result.result;
            }
        }
        if config.filter.placements.is_some() {
            self.samples.retain(|sample| config.filter.passes_placement(sample.labels.placement));
        }
        self.samples
    }
}

impl Observer for Collector {
    fn event(&mut self, event: &Event) {
        self.hand.event(event);
        match event {
            Event::Deal { .. } => {
                self.hands += 1;
                self.before_hand = self.samples.len();
            }
            Event::HandEnd(outcome) => {
                self.deltas = self.hand.deltas(outcome);
                for Sample { snapshot, labels, .. } in &mut self.samples[self.before_hand..] {
                    labels.hand_delta = self.deltas[snapshot.observe().seat()];
                }
            }
            Event::GameEnd { results, .. } => self.results = Some(*results),
            _ => {}
        }
    }
}

impl Spectator for Collector {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        let kind = kind_number(o.phase());
        if self.seats.contains(o.seat()) && self.kinds[usize::from(kind)] {
            // After the last hand, a decision belongs to the hand that is over.
            let hand_delta = if o.phase() == Phase::End { self.deltas[o.seat()] } else { 0 };
            self.samples.push(Sample {
                snapshot: o.snapshot(),
                action: action.id(),
                suits: self.draw_suits(),
                labels: Labels {
                    game: self.game,
                    decision: self.decisions,
                    hand: self.hands - 1,
                    seat: o.seat().number(),
                    kind,
                    hand_delta,
                    points: 0,
                    placement: 0,
                    result: 0,
                },
            });
        }
        self.decisions += 1;
    }
}
