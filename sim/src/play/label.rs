//! Labels the decisions of finished games.

use std::convert::Infallible;
use std::mem;

use jantaku_agents::labels::Labeller;
use jantaku_engine::replay::{Answers, GameStart, HandReplayer, replay_game_from};
use jantaku_engine::{Game, Observation, Rules, Standing};
use rayon::prelude::*;

use super::hand::HandInPlay;
use super::record::GameRecord;
use super::sink::{Sink, SinkError};

/// A sink that labels games on all threads of the rayon pool and passes them on in order. Without a
/// labeller, it only passes them on.
pub struct LabelSink<'a, S> {
    labeller: Option<&'a Labeller>,
    rules: &'a Rules,
    start: GameStart,
    sink: &'a mut S,
    /// Games that are not labelled yet.
    waiting: Vec<GameRecord>,
}

/// Games that are labelled at once, for each thread.
const GAMES_PER_THREAD: usize = 8;

impl<'a, S: Sink> LabelSink<'a, S> {
    /// A sink that labels games from `start` under `rules` and passes them to `sink`.
    pub fn new(
        labeller: Option<&'a Labeller>,
        rules: &'a Rules,
        start: GameStart,
        sink: &'a mut S,
    ) -> LabelSink<'a, S> {
        LabelSink { labeller, rules, start, sink, waiting: Vec::new() }
    }

    /// Labels the games that wait, and passes them on.
    ///
    /// # Errors
    ///
    /// The error of the sink.
    pub fn finish(mut self) -> Result<(), SinkError> {
        self.pass_on()
    }

    fn pass_on(&mut self) -> Result<(), SinkError> {
        let Some(labeller) = self.labeller else { return Ok(()) };
        let (rules, start) = (self.rules, self.start);
        let mut games = mem::take(&mut self.waiting);
        games.par_iter_mut().with_max_len(1).for_each(|game| game.label(labeller, rules, &start));
        games.into_iter().try_for_each(|game| self.sink.take(game))
    }
}

impl<S: Sink> Sink for LabelSink<'_, S> {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        if self.labeller.is_none() {
            return self.sink.take(game);
        }
        self.waiting.push(game);
        let is_full = self.waiting.len() >= GAMES_PER_THREAD * rayon::current_num_threads();
        if is_full { self.pass_on() } else { Ok(()) }
    }
}

impl GameRecord {
    /// Labels the decisions of the game. The record must have all of them. `rules` and `start` are those of
    /// self-play: a game from a log is replayed by its own rules, deals and walls.
    ///
    /// # Panics
    ///
    /// If the decisions are not those of such a game.
    pub(crate) fn label(&mut self, labeller: &Labeller, rules: &Rules, start: &GameStart) {
        let (mut decisions, mut labels, mut next) = (self.decisions.iter(), Vec::new(), 0_u32);
        let answer = |game: &Game, o: &Observation<'_>| {
            let label = labeller.label(game, o, &[self.seed, self.game, u64::from(next)]);
            labels.extend(label.map(|label| (next, label)));
            next += 1;
            Ok::<_, Infallible>(decisions.next().expect("the record has all decisions").action.action())
        };
        let mut unseen = ();
        let mut script = Answers(answer, &mut unseen);
        match &self.origin {
            None => {
                let replayed = replay_game_from(rules, self.seed, start, &mut script);
                assert!(replayed.is_ok(), "game {} is replayed from its seed", self.game);
            }
            Some(origin) => {
                let mut replayer = HandReplayer::new(&origin.rules);
                for hand in &self.hands {
                    let HandInPlay { round, honba, sticks, start_points, .. } = hand.course;
                    let standing = Standing::at_deal(round, [honba, sticks], start_points);
                    let replayed = replayer.play(&standing, hand.wall, &mut script);
                    assert!(replayed.is_ok(), "game {} is replayed from its walls", self.game);
                }
            }
        }
        self.labels = labels;
    }
}
