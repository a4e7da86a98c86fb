//! Where a table continues a game.

use jantaku_engine::random::hash;
use jantaku_engine::replay::{Both, RecordedGame, Spectator, Step};
use jantaku_engine::{Action, BySeat, Event, Observation, Observer, Rng, Seat, Standing, Tile};

use jantaku_sim::dataset::{BranchPoint, FirstHand};
use jantaku_sim::play::Schedule;
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::replay::source::{DealtPosition, GameSource, preset_name};
use jantaku_sim::replay::stored_run::GameOfRun;
use jantaku_sim::run::NamedRules;

/// Names the stream of the tiles that a log does not show.
const STREAM: u64 = u64::from_le_bytes(*b"the rest");

/// A game up to a decision.
pub(super) struct Start {
    pub(super) rules: NamedRules,
    /// The seed of the run of self-play whose game with the number `game` has these walls.
    pub(super) seed: u64,
    pub(super) game: u64,
    /// The decisions before that decision.
    pub(super) made: Vec<(Seat, Action)>,
    /// Where the game branches from another one. None if it takes neither decisions nor a first hand from it.
    pub(super) branch: Option<BranchPoint>,
    /// The players of the game, by seat. Empty for a position.
    pub(super) names: Vec<String>,
    /// Who makes the decision, and in which hand.
    pub(super) place: DecisionPlace,
    /// Whether the tiles that are not known were dealt at random from the seed.
    pub(super) is_dealt: bool,
}

/// Who decides in which hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DecisionPlace {
    pub(super) seat: Seat,
    /// The number of dealer changes before the hand.
    pub(super) round: u16,
    pub(super) honba: u16,
    pub(super) dealer: Seat,
}

impl Start {
    /// A game up to a decision. Tiles that are not known are dealt from the seed. None if there is no such
    /// decision.
    pub(super) fn new(source: &GameSource, decision: usize, seed: u64) -> Result<Option<Start>, SourceError> {
        match source {
            GameSource::Run(game) => Start::from_run(game, decision, seed),
            GameSource::Log(game) => {
                let mut finder = DecisionFinder::new(decision);
                game.game.replay(&mut finder);
                Ok(finder.start_in(&game.game, seed))
            }
            GameSource::Position(position) if decision == 0 => Start::from_position(position).map(Some),
            GameSource::Position(_) => Ok(None),
        }
    }

    /// A game of a run up to a decision. Tiles that are not known are dealt from the seed. None if there
    /// is no such decision.
    fn from_run(found: &GameOfRun, decision: usize, seed: u64) -> Result<Option<Start>, SourceError> {
        let stored = &found.stored;
        let mut seen = Both(RecordedGame::new(stored.rules), DecisionFinder::new(decision));
        found.replay(&mut seen)?;
        let Both(recording, finder) = seen;
        let Some(set) = set_of(found) else {
            let recorded = RecordedGame { names: stored.agents.clone(), ..recording };
            return Ok(finder.start_in(&recorded, seed));
        };
        let made = stored.decisions.get(..decision).unwrap_or_default();
        let first_hand = stored.branch.as_ref().and_then(|branch| branch.first_hand.clone());
        let branch = BranchPoint { decisions: made.len() as u32, first_hand };
        Ok(finder.found.map(|(place, _)| Start {
            rules: NamedRules { name: found.config.rules_name.clone(), rules: stored.rules },
            seed: found.config.seed,
            game: set,
            made: made.iter().map(|decision| (decision.seat, decision.action.action())).collect(),
            branch: Some(branch).filter(|branch| branch.decisions > 0 || branch.first_hand.is_some()),
            names: stored.agents.clone(),
            place,
            is_dealt: false,
        }))
    }

    /// A position. Hidden hands and the wall are dealt from its seed.
    fn from_position(dealt: &DealtPosition) -> Result<Start, SourceError> {
        let DealtPosition { position, seed, game, .. } = dealt;
        let history = position.history(*seed)?;
        let answer = |step: &Step| match *step {
            Step::Answer(seat, id) => Some((seat, id.action())),
            Step::Foul(_) | Step::Stop => None,
        };
        let rules = NamedRules { name: position.rules_name().to_owned(), rules: *position.rules() };
        let wall = history.wall().expect("a position has a wall");
        let first_hand = FirstHand::new(*history.start(), wall);
        let made = history.steps().iter().filter_map(answer).collect();
        let place = DecisionPlace::of(&game.observe(position.seat()));
        Ok(Start::from_hand(rules, *seed, first_hand, made, place))
    }

    /// A single hand up to a decision, which was dealt from the seed.
    fn from_hand(
        rules: NamedRules,
        seed: u64,
        first_hand: FirstHand,
        made: Vec<(Seat, Action)>,
        place: DecisionPlace,
    ) -> Start {
        let branch = Some(BranchPoint { decisions: made.len() as u32, first_hand: Some(first_hand) });
        Start { rules, seed, game: 0, made, branch, names: Vec::new(), place, is_dealt: true }
    }
}

impl DecisionPlace {
    fn of(o: &Observation<'_>) -> DecisionPlace {
        DecisionPlace { seat: o.seat(), round: o.round(), honba: o.honba(), dealer: o.dealer() }
    }
}

/// The number of the game of self-play with the same walls as this game. None if its walls do not
/// follow from the seed of its run.
pub(super) fn set_of(found: &GameOfRun) -> Option<u64> {
    let set = found.stored.game / found.config.schedule().games_per_set();
    let seed = Schedule::selfplay(found.config.seed, set + 1).fixture(set).seed;
    (found.stored.hands.is_empty() && found.stored.seed == seed).then_some(set)
}

/// Finds a decision while its game is replayed.
struct DecisionFinder {
    /// How many decisions the replay still has to pass before it.
    before: usize,
    /// The tiles dealt in its hand, or in the latest hand so far.
    dealt: Option<BySeat<[Option<Tile>; 13]>>,
    /// The decisions before it in that hand.
    made: Vec<(Seat, Action)>,
    /// The place of the decision, and the hands that the dealer of its hand has won in a row.
    found: Option<(DecisionPlace, u8)>,
}

impl DecisionFinder {
    const fn new(decision: usize) -> DecisionFinder {
        DecisionFinder { before: decision, dealt: None, made: Vec::new(), found: None }
    }

    /// The hand of the decision in this game, which was replayed. None if the decision was not found.
    fn start_in(self, recorded: &RecordedGame, seed: u64) -> Option<Start> {
        let (place, dealer_wins) = self.found?;
        let dealt = self.dealt?;
        let hand = recorded.hands.iter().find(|hand| hand.dealt.map(|tiles| tiles.map(Some)) == dealt)?;
        let rules = recorded.rules;
        let wall = hand.random_wall(&rules, &mut Rng::new(hash(&[seed, STREAM]))).ok()?;
        let first_hand = FirstHand::new(Standing { dealer_wins, ..hand.standing }, &wall);
        let rules = NamedRules { name: preset_name(&rules).unwrap_or("custom").to_owned(), rules };
        let names = recorded.names.clone();
        Some(Start { names, ..Start::from_hand(rules, seed, first_hand, self.made, place) })
    }
}

impl Observer for DecisionFinder {
    fn event(&mut self, event: &Event) {
        if let (Event::Deal { hands, .. }, None) = (event, &self.found) {
            self.dealt = Some(*hands);
            self.made.clear();
        }
    }
}

impl Spectator for DecisionFinder {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        if self.found.is_some() {
            return;
        }
        if self.before == 0 {
            self.found = Some((DecisionPlace::of(o), o.table().dealer_wins()));
        } else {
            self.before -= 1;
            self.made.push((o.seat(), action));
        }
    }
}
