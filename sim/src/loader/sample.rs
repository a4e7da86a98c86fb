//! The decisions of one game.

use jantaku_agents::encode::{OracleV1, SuitOrder};
use jantaku_agents::labels::Label;
use jantaku_agents::{SearchInfo, WrongSearchInfo};
use jantaku_engine::random::hash;
use jantaku_engine::replay::Spectator;
use jantaku_engine::{
    Action, ActionId, ActionSet, BySeat, Event, FinalResult, Observation, Observer, Phase, Players, Rng,
    Round, Rules, SeatSet, Snapshot,
};

use super::config::LoaderConfig;
use super::error::LoadError;
use super::filter::kind_number;
use super::side_columns::Extras;
use super::stream::LoadedGame;
use crate::logs::LogError;
use crate::play::{AllConcealed, HandInPlay};
use crate::replay::convert::whole_hands;
use crate::replay::inputs::Input;

/// The stream of random numbers that permutes suits.
const SUITS: u64 = 3;

/// A decision, the action that was chosen, and the facts of it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) snapshot: Snapshot,
    pub(super) action: ActionId,
    pub(super) facts: Facts,
    /// How its suits are permuted.
    pub(super) suits: SuitOrder,
    /// None if the loader asks for nothing beside encodings and facts.
    pub(super) extras: Option<Box<Extras>>,
}

/// Samples must be small: a shuffle buffer holds tens of thousands of them.
const _: () = assert!(size_of::<Sample>() <= 1024);

/// Where a decision is, and the outcome for its player: what every batch has of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The number of the run or file.
    pub(super) run: u32,
    /// The number of the game: in its run, or in its file.
    pub(super) game: u64,
    /// The number of players.
    pub(super) players: u8,
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

/// The decisions of a replayed game.
pub(super) struct GameSamples {
    pub(super) players: Players,
    /// The agents, or the players that the log names.
    pub(super) names: Vec<String>,
    /// The decisions that match the filter.
    pub(super) samples: Vec<Sample>,
}

/// Replays a game and collects its decisions. None for a damaged log, if the loader skips such logs.
///
/// # Errors
///
/// If the game cannot be read or replayed.
pub(super) fn samples(
    config: &LoaderConfig,
    epoch: u64,
    game: &LoadedGame,
) -> Result<Option<GameSamples>, LoadError> {
    match &game.input {
        Input::Stored(_, stored) => {
            let mut collector = Collector::new(config, epoch, game, &stored.rules, &stored.agents);
            // Samples are large: a list that grows would copy all of them again and again.
            collector.samples.reserve_exact(stored.decisions.len());
            collector.first = if config.filter.agents.is_some() { stored.first_decision() as u32 } else { 0 };
            let error = |what| LoadError::Game { place: game.input.place(), what };
            stored.replay(&mut collector).map_err(error)?;
            if let Some((decision, wrong)) = collector.wrong {
                return Err(error(format!("decision {decision}: {wrong}")));
            }
            Ok(Some(collector.finish(config, stored.agents.clone())))
        }
        Input::Log(_) => match log_samples(config, epoch, game) {
            Ok(samples) => Ok(Some(samples)),
            Err(_) if config.skip_damaged => Ok(None),
            Err(error) => Err(LoadError::Log(error.in_game(&game.input.place()))),
        },
    }
}

fn log_samples(config: &LoaderConfig, epoch: u64, game: &LoadedGame) -> Result<GameSamples, LogError> {
    let recorded = whole_hands(game.input.read(config.rules.as_ref())?)?;
    let mut collector = Collector::new(config, epoch, game, &recorded.rules, &recorded.names);
    match recorded.replay(&mut collector).differences.first() {
        None => Ok(collector.finish(config, recorded.names)),
        Some(difference) => Err(LogError::new("", difference)),
    }
}

/// Collects the decisions of a game during its replay.
struct Collector<'a> {
    samples: Vec<Sample>,
    seats: SeatSet,
    kinds: [bool; 5],
    players: Players,
    game: &'a LoadedGame,
    /// Whether samples have what agents reported.
    has_search_info: bool,
    /// The labels by rollouts of the decisions to come. None if all decisions are loaded, with or without
    /// them.
    labels: Option<&'a [(u32, Label)]>,
    /// The first search info that does not fit its decision, with the decision's number.
    wrong: Option<(u32, WrongSearchInfo)>,
    /// None if the concealed tiles are not asked for.
    concealed: Option<AllConcealed>,
    /// Whether samples have what their players do not see.
    has_oracle: bool,
    /// The hand at the next decision, if `has_oracle`.
    round: Option<Round>,
    hand: HandInPlay,
    /// The number of hands that were dealt.
    hands: u16,
    /// The number of samples before the hand in play.
    before_hand: usize,
    /// The points won and lost in the latest hand that is over.
    deltas: BySeat<i32>,
    /// The number of decisions so far.
    decisions: u32,
    /// The number of the first decision to load. With a filter of agents, earlier ones were copied from
    /// another game; without one, it is 0.
    first: u32,
    results: Option<BySeat<FinalResult>>,
    /// The permutations of suits that the rules allow.
    suits: Vec<SuitOrder>,
    /// The seed that draws one of them.
    seed: u64,
}

impl<'a> Collector<'a> {
    fn new(
        config: &LoaderConfig,
        epoch: u64,
        game: &'a LoadedGame,
        rules: &Rules,
        agents: &[String],
    ) -> Collector<'a> {
        let players: Players = rules.players;
        let suits = if config.augment { SuitOrder::allowed(rules).collect() } else { Vec::new() };
        Collector {
            samples: Vec::new(),
            seats: config.filter.seats_of(players, agents),
            kinds: config.filter.kinds(),
            players,
            game,
            has_search_info: config.search_info,
            labels: config.labels.then_some(&game.extras.labels[..]),
            wrong: None,
            concealed: config.concealed.then(|| AllConcealed::new(players)),
            has_oracle: config.oracle,
            round: None,
            hand: HandInPlay::new(players, rules.riichi_stick),
            hands: 0,
            before_hand: 0,
            deltas: BySeat::splat(players, 0),
            decisions: 0,
            first: 0,
            results: None,
            suits,
            seed: hash(&[config.seed, epoch, SUITS, game.number]),
        }
    }

    /// The permutation of the suits of the next decision.
    fn draw_suits(&self) -> SuitOrder {
        match self.suits.len() {
            0 => SuitOrder::ALL[0],
            count => self.suits[Rng::new(hash(&[self.seed, u64::from(self.decisions)])).below(count)],
        }
    }

    /// The extras of the next decision, with its label by rollouts if it has one.
    fn extras(&mut self, o: &Observation<'_>, label: Option<&Label>) -> Option<Box<Extras>> {
        if !self.has_search_info && self.concealed.is_none() && !self.has_oracle && label.is_none() {
            return None;
        }
        Some(Box::new(Extras {
            search_info: self.search_info(o.legal()),
            concealed: self.concealed.as_ref().map(|concealed| *concealed.hands()),
            oracle: self.round.as_ref().map(|round| {
                let mut planes = Box::new([0; OracleV1::BYTES]);
                OracleV1::encode(round, o.seat(), &mut planes);
                planes
            }),
            label: label.cloned(),
        }))
    }

    /// Takes the label by rollouts of the next decision, if it has one.
    fn next_label(&mut self) -> Option<&'a Label> {
        let labels = self.labels.as_mut()?;
        let ((decision, label), rest) = labels.split_first()?;
        if *decision != self.decisions {
            return None;
        }
        *labels = rest;
        Some(label)
    }

    /// What the agent reported with the next decision. Notes it if it does not fit.
    fn search_info(&mut self, legal: ActionSet) -> Option<Box<SearchInfo>> {
        let search_info = self.game.extras.search_info.get(self.decisions as usize)?.clone()?;
        match search_info.check(legal) {
            Ok(()) => Some(search_info),
            Err(error) => {
                self.wrong.get_or_insert((self.decisions, error));
                None
            }
        }
    }

    /// Adds the facts that are known at the end of the game, and drops decisions of other placements
    /// than the filter wants. `names` are the agents or players.
    fn finish(mut self, config: &LoaderConfig, names: Vec<String>) -> GameSamples {
        if let Some(results) = self.results {
            for Sample { snapshot, facts, .. } in &mut self.samples {
                let result = results[snapshot.observe().seat()];
                (facts.points, facts.placement) = (result.points, result.placement);
                facts.result = result.result;
            }
        }
        if config.filter.placements.is_some() {
            self.samples.retain(|sample| config.filter.passes_placement(sample.facts.placement));
        }
        GameSamples { players: self.players, names, samples: self.samples }
    }
}

impl Observer for Collector<'_> {
    fn event(&mut self, event: &Event) {
        self.hand.event(event);
        if let Some(concealed) = &mut self.concealed {
            concealed.event(event);
        }
        match event {
            Event::Deal { .. } => {
                self.hands += 1;
                self.before_hand = self.samples.len();
            }
            Event::HandEnd(outcome) => {
                self.deltas = self.hand.deltas(outcome);
                for Sample { snapshot, facts, .. } in &mut self.samples[self.before_hand..] {
                    facts.hand_delta = self.deltas[snapshot.observe().seat()];
                }
            }
            Event::GameEnd { results, .. } => self.results = Some(*results),
            _ => {}
        }
    }
}

impl Spectator for Collector<'_> {
    fn round(&mut self, round: &Round) {
        if self.has_oracle {
            self.round = Some(round.clone());
        }
    }

    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        let kind = kind_number(o.phase());
        let label = self.next_label();
        let is_wanted = self.decisions >= self.first && (self.labels.is_none() || label.is_some());
        if is_wanted && self.seats.contains(o.seat()) && self.kinds[usize::from(kind)] {
            // After the last hand, a decision belongs to the hand that is over.
            let hand_delta = if o.phase() == Phase::End { self.deltas[o.seat()] } else { 0 };
            let extras = self.extras(o, label);
            self.samples.push(Sample {
                snapshot: o.snapshot(),
                action: action.id(),
                suits: self.draw_suits(),
                extras,
                facts: Facts {
                    run: self.game.run,
                    game: self.game.number,
                    players: self.players.count(),
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
