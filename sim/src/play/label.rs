//! Labels the decisions of finished games.

use std::convert::Infallible;
use std::mem;
use std::slice::Iter;

use jantaku_agents::labels::{Label, Labeller};
use jantaku_engine::replay::{GameStart, HandReplayer, Script, Spectator, replay_game_from};
use jantaku_engine::{Action, Event, Game, Observation, Observer, Rules, Standing};
use rayon::prelude::*;

use super::record::{Decision, GameRecord};
use super::sink::{Sink, SinkError};

/// A sink that labels games on all threads of the rayon pool and passes them on in order.
pub struct LabelSink<'a, S> {
    labeller: &'a Labeller,
    rules: &'a Rules,
    start: GameStart,
    sink: &'a mut S,
    /// Games that are not labelled yet.
    waiting: Vec<GameRecord>,
}

/// Games that are labelled at once, for each thread.
const GAMES_PER_THREAD: usize = 8;

impl<'a, S: Sink> LabelSink<'a, S> {
    /// Labels games that start like this under these rules, and gives them to a sink.
    pub fn new(
        labeller: &'a Labeller,
        rules: &'a Rules,
        start: GameStart,
        sink: &'a mut S,
    ) -> LabelSink<'a, S> {
        LabelSink { labeller, rules, start, sink, waiting: Vec::new() }
    }

    /// Labels the games that wait.
    ///
    /// # Errors
    ///
    /// That of the sink.
    pub fn finish(mut self) -> Result<(), SinkError> {
        self.pass_on()
    }

    fn pass_on(&mut self) -> Result<(), SinkError> {
        let (labeller, rules, start) = (self.labeller, self.rules, self.start);
        let mut games = mem::take(&mut self.waiting);
        games.par_iter_mut().with_max_len(1).for_each(|game| game.label(labeller, rules, &start));
        games.into_iter().try_for_each(|game| self.sink.take(game))
    }
}

impl<S: Sink> Sink for LabelSink<'_, S> {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        self.waiting.push(game);
        let is_full = self.waiting.len() >= GAMES_PER_THREAD * rayon::current_num_threads();
        if is_full { self.pass_on() } else { Ok(()) }
    }
}

impl GameRecord {
    /// Labels the decisions of the game, which must have them all.
    ///
    /// # Panics
    ///
    /// If the decisions are not those of a game that starts like this under these rules.
    pub(crate) fn label(&mut self, labeller: &Labeller, rules: &Rules, start: &GameStart) {
        let mut script = Labelled {
            labeller,
            key: [self.seed, self.game],
            decisions: self.decisions.iter(),
            next: 0,
            labels: Vec::new(),
        };
        match &self.origin {
            None => {
                let replayed = replay_game_from(rules, self.seed, start, &mut script);
                assert!(replayed.is_ok(), "game {} is replayed from its seed", self.game);
            }
            Some(origin) => {
                let mut replayer = HandReplayer::new(&origin.rules);
                for hand in &self.hands {
                    let start = Standing {
                        round: hand.round,
                        honba: hand.honba,
                        sticks: hand.sticks,
                        attempt: 0,
                        dealer_wins: 0,
                        scores: hand.start_points,
                    };
                    let replayed = replayer.play(&start, hand.wall, &mut script);
                    assert!(replayed.is_ok(), "game {} is replayed from its walls", self.game);
                }
            }
        }
        self.labels = script.labels;
    }
}

/// Answers with the decisions of a game, and labels them.
struct Labelled<'a> {
    labeller: &'a Labeller,
    /// What identifies the game.
    key: [u64; 2],
    decisions: Iter<'a, Decision>,
    /// The number of the next decision.
    next: u32,
    labels: Vec<(u32, Label)>,
}

impl Script for Labelled<'_> {
    type Stop = Infallible;

    fn answer(&mut self, game: &Game, o: &Observation<'_>) -> Result<Action, Infallible> {
        let [seed, number] = self.key;
        let label = self.labeller.label(game, o, &[seed, number, u64::from(self.next)]);
        self.labels.extend(label.map(|label| (self.next, label)));
        self.next += 1;
        Ok(self.decisions.next().expect("the record has all decisions").action.action())
    }
}

impl Observer for Labelled<'_> {
    fn event(&mut self, _: &Event) {}
}

impl Spectator for Labelled<'_> {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}
