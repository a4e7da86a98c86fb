//! Samples games that a player cannot tell from the game in play.

use jantaku_engine::random::hash;
use jantaku_engine::replay::{GameHistory, RecordedHand};
use jantaku_engine::{BySeat, Declare, Event, HiddenTiles, Phase, Rng, Seat, Snapshot, Tile, named_enum};
use rayon::prelude::*;

use crate::fill_hidden::with_held;
use crate::inference::{HandInference, InferenceModel};

/// The maximum number of games in a sample.
pub const MAX_SAMPLES: usize = 100_000;
/// The number of times that hidden tiles are drawn for one game before [`SampleError::NotFound`].
const ATTEMPTS: u64 = 500;

named_enum! {
    /// How hidden tiles are sampled.
    Sampling {
        /// Inferred from the play of the others ([`inference`](crate::inference)).
        Weighted = "weighted",
        /// All possible ones with the same probability. Players in riichi are tenpai.
        Uniform = "uniform",
    }
}

/// Why no games can be sampled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// The game has no such seat.
    #[error("`seat`: expected 0 to {}, found {}", .players - 1, .seat.number())]
    Seat {
        /// The seat.
        seat: Seat,
        /// The number of players.
        players: u8,
    },
    /// The hand in play is over.
    #[error("the hand is over: there is nothing to sample")]
    Over,
    /// The seat is not asked.
    #[error("seat {seat} has no decision to make; expected one of {pending:?}")]
    NotAsked {
        /// The seat.
        seat: Seat,
        /// The seats that decide.
        pending: Vec<u8>,
    },
    /// The number of games is 0 or too large.
    #[error("`n`: expected a number from 1 to {MAX_SAMPLES}, found {0}")]
    Count(usize),
    /// No hidden tiles were found with which the play of the others is possible.
    #[error("found no hidden tiles that allow what seat {0} has seen, in {ATTEMPTS} attempts")]
    NotFound(Seat),
}

/// Samples games that a player who decides cannot tell from the game in play.
///
/// Each game begins with the deal of the hand in play and stands at the same decision. The player has seen
/// the same events and sees the same table. Concealed tiles of the others, the rest of the wall and all
/// later walls are sampled: nothing of them depends on the true ones. All play of the others is legal with
/// their tiles, so players in riichi are tenpai. Others who are asked at the same time are asked again.
///
/// ```
/// use jantaku_agents::{Sampler, Sampling};
/// use jantaku_engine::replay::GameHistory;
/// use jantaku_engine::{Rules, Standing};
///
/// let rules = Rules::default();
/// let game = GameHistory::new(&rules, 42, &Standing::start(&rules), None)?;
/// let (seat, _) = game.game().decisions().next().expect("the dealer begins");
/// for other in Sampler::new(&game, seat, Sampling::Weighted)?.games(8, 1)? {
///     assert_eq!(other.game().observe(seat).hand(), game.game().observe(seat).hand());
///     assert_ne!(other.game().round().wall(), game.game().round().wall());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    history: &'a GameHistory,
    seat: Seat,
    model: InferenceModel,
    /// The hand without the tiles that the player does not see.
    hand: RecordedHand,
}

impl<'a> Sampler<'a> {
    /// A sampler for the decision of this seat.
    ///
    /// # Errors
    ///
    /// If the seat does not decide, or the hand in play is over.
    pub fn new(history: &'a GameHistory, seat: Seat, sampling: Sampling) -> Result<Sampler<'a>, SampleError> {
        let game = history.game();
        let players = game.rules().players.count();
        if seat.number() >= players {
            return Err(SampleError::Seat { seat, players });
        }
        if game.is_over() || game.table().phase() == Phase::End {
            return Err(SampleError::Over);
        }
        if !game.pending().contains(seat) {
            let pending = game.pending().iter().map(Seat::number).collect();
            return Err(SampleError::NotAsked { seat, pending });
        }
        let released = InferenceModel::released();
        let model = match sampling {
            Sampling::Weighted => released,
            Sampling::Uniform => released.uniform(),
        };
        Ok(Sampler { history, seat, model, hand: history.hand_seen_by(seat) })
    }

    /// Samples this many games. Each depends on what the player has seen, on the seed and on its
    /// number. All threads of the rayon pool take part.
    ///
    /// # Errors
    ///
    /// If the number is 0 or above [`MAX_SAMPLES`], or no hidden tiles were found with which the play of
    /// the others is possible.
    pub fn games(&self, count: usize, seed: u64) -> Result<Vec<GameHistory>, SampleError> {
        if !(1..=MAX_SAMPLES).contains(&count) {
            return Err(SampleError::Count(count));
        }
        let o = self.history.game().observe(self.seat);
        // Who has just discarded to declare riichi. It is not accepted yet, but they are tenpai.
        let played = |event: &&Event| !matches!(event, Event::Indicator { .. });
        let declared = match self.hand.events.iter().rfind(played) {
            Some(Event::Discard { seat, declare, .. }) if *declare != Declare::Nothing => Some(*seat),
            _ => None,
        };
        let inference = HandInference::after_riichi(self.model.of(o.rules().players), &o, declared);
        let (hidden, seen) = (o.hidden(), o.snapshot());
        let game = |number: usize| {
            let attempt = |attempt| {
                let mut rng = Rng::new(hash(&[seed, number as u64, attempt]));
                let world = inference.sample(&mut rng);
                self.game(world.tiles(), &hidden, &mut rng).filter(|game| self.sees(game) == seen)
            };
            (0..ATTEMPTS).find_map(attempt)
        };
        let games: Option<Vec<GameHistory>> = (0..count).into_par_iter().map(game).collect();
        games.ok_or(SampleError::NotFound(self.seat))
    }

    /// The game in which the other players hold these tiles, in the order of seats. None if their play is
    /// impossible with them.
    fn game(&self, mut tiles: &[Tile], hidden: &HiddenTiles, rng: &mut Rng) -> Option<GameHistory> {
        let rules = self.history.game().rules();
        let in_hand = |seat| tiles.split_off(..hidden.in_hand(seat)).unwrap_or_default();
        let held = BySeat::from_fn(rules.players, in_hand);
        let hand = with_held(&self.hand, self.seat, rules, &held)?;
        let wall = hand.random_wall(rules, rng).ok()?;
        self.history.with_hand(&hand, wall, rng.next_u64())
    }

    fn sees(&self, game: &GameHistory) -> Snapshot {
        game.game().observe(self.seat).snapshot()
    }
}
