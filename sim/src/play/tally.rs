//! The counts of a run by name.

use jantaku_engine::{DrawReason, Players};
use serde::Serialize;

use super::counts::{Counts, PLACE_PARTS, SharedCount, hand, hand_index, player, player_index, table};
use super::groups::{ALL_GROUP, seat_group};

/// The counts of a run that its summary shows, read from [`Counts`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Finished games.
    pub games: u64,
    /// Hands of these games.
    pub hands: u64,
    /// Decisions of these games.
    pub decisions: u64,
    /// Drawn hands, in the order of [`DrawReason::ALL`].
    pub draws: [u64; DrawReason::ALL.len()],
    /// Hands with several winners.
    pub multiple_rons: u64,
    /// Counts of each seat.
    pub seats: [SeatTally; 4],
}

/// The counts of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatTally {
    /// Wins by tsumo.
    pub tsumo: u64,
    /// Wins by ron.
    pub ron: u64,
    /// Hands in which it discarded a winning tile.
    pub deal_ins: u64,
    /// Hands with an accepted riichi.
    pub riichi: u64,
    /// Hands in which it claimed a discard.
    pub called: u64,
    /// Points of the hands won, without honba and riichi sticks.
    pub win_points: i64,
    /// Points paid for deal-ins, honba included.
    pub deal_in_points: i64,
    /// Points at the end, summed over games.
    pub points: i64,
    /// Sum of its results with uma and oka: 55000 is +55.0.
    pub results: i64,
    /// Games by placement, first to fourth, in [`PLACE_PARTS`]: tied players can share places.
    #[serde(skip)]
    pub placements: [i64; 4],
}

impl SeatTally {
    /// Wins by tsumo and ron.
    pub const fn wins(&self) -> u64 {
        self.tsumo + self.ron
    }

    /// Games by placement, first to fourth.
    pub fn games_by_placement(&self) -> [SharedCount; 4] {
        self.placements.map(|count| SharedCount::of(count, PLACE_PARTS))
    }

    /// The mean placement; none before the first game.
    pub fn mean_placement(&self) -> Option<f64> {
        let games: i64 = self.placements.iter().sum();
        let sum: i64 = (1..).zip(self.placements).map(|(placement, games)| placement * games).sum();
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// The mean result with uma and oka, in points; none before the first game.
    pub fn mean_result(&self) -> Option<f64> {
        let games = self.placements.iter().sum::<i64>() / PLACE_PARTS;
        (games > 0).then(|| self.results as f64 / games as f64)
    }
}

impl Tally {
    /// Hands with a winner.
    pub fn won_hands(&self) -> u64 {
        self.hands - self.draws.iter().sum::<u64>()
    }
}

impl From<&Counts> for Tally {
    fn from(counts: &Counts) -> Tally {
        let number = |index| counts.at(index) as u64;
        let hands = |count| number(hand_index(ALL_GROUP, count));
        let mut tally = Tally {
            games: number(table::GAMES),
            hands: hands(hand::HANDS),
            decisions: number(table::DECISIONS),
            draws: std::array::from_fn(|reason| hands(hand::REASONS + reason)),
            multiple_rons: hands(hand::TWO_RONS) + hands(hand::THREE_RONS),
            ..Tally::default()
        };
        for seat in Players::Four.seats() {
            let index = |count| player_index(seat_group(seat), count);
            let (number, sum) = (|count| number(index(count)), |count| counts.at(index(count)));
            tally.seats[seat.index()] = SeatTally {
                tsumo: number(player::TSUMO),
                ron: number(player::RON),
                deal_ins: number(player::DEAL_INS),
                riichi: number(player::RIICHI),
                called: number(player::CALLED),
                win_points: sum(player::WIN_POINTS),
                deal_in_points: sum(player::DEAL_IN_POINTS),
                points: sum(player::POINTS),
                results: sum(player::RESULT),
                placements: std::array::from_fn(|placement| sum(player::PLACEMENTS + placement)),
            };
        }
        tally
    }
}
