//! The value of each end of a hand for one player.

use jantaku_engine::{AfterHand, Round, Seat, SeatSet, SupposedEnd};

use super::encoding::Encoded;

/// The base points of wins. Each win counts as the nearest of them.
pub(super) const BASES: [u32; 6] = [300, 500, 1000, 2000, 3000, 4500];

/// The value of each end of a hand in play for one player, in points. Other players come in the order of turns
/// after the player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payoffs {
    /// By winner, who pays (the winner for a tsumo), and base points.
    wins: [[[f32; BASES.len()]; Encoded::SEATS]; Encoded::SEATS],
    /// By the tenpai players, a bit for each.
    draws: [f32; 1 << Encoded::SEATS],
}

impl Payoffs {
    /// The payoffs of a hand in play. `value` gives the value of what follows the hand.
    pub(crate) fn new(round: &Round, seat: Seat, value: impl Fn(&AfterHand) -> f32) -> Payoffs {
        let players = round.table().rules().players;
        let seats: [Seat; Encoded::SEATS] = std::array::from_fn(|at| seat.after(at as u8, players));
        let of_win = |winner: usize, payer: usize, base: u32| {
            let from = (payer != winner).then_some(seats[payer]);
            value(&round.after_hand_if(SupposedEnd::Win { winner: seats[winner], from, base }))
        };
        let of_draw = |bits: usize| {
            let tenpai: SeatSet =
                (0..seats.len()).filter(|at| bits >> at & 1 == 1).map(|at| seats[at]).collect();
            value(&round.after_hand_if(SupposedEnd::Draw { tenpai }))
        };
        let by_payer = |winner, payer| BASES.map(|base| of_win(winner, payer, base));
        Payoffs {
            wins: std::array::from_fn(|winner| std::array::from_fn(|payer| by_payer(winner, payer))),
            draws: std::array::from_fn(of_draw),
        }
    }

    /// The expected value.
    pub(super) fn expected(&self, chances: &Chances) -> f32 {
        let mut value = 0.0;
        for ((wins, of_winner), points) in self.wins.iter().zip(&chances.wins).zip(&chances.points) {
            for (win, chance) in wins.iter().zip(of_winner) {
                value += chance * win.iter().zip(points).map(|(value, share)| value * share).sum::<f32>();
            }
        }
        let of_pattern = |bits: usize| {
            let of_seat =
                |(at, chance): (usize, &f32)| if bits >> at & 1 == 1 { *chance } else { 1.0 - chance };
            chances.tenpai.iter().enumerate().map(of_seat).product::<f32>()
        };
        let drawn: f32 = self.draws.iter().enumerate().map(|(bits, value)| value * of_pattern(bits)).sum();
        value + chances.draw * drawn
    }
}

/// How a hand may end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances {
    /// The chance of a win by winner and payer.
    pub wins: [[f32; Encoded::SEATS]; Encoded::SEATS],
    /// The chance of an exhaustive draw.
    pub draw: f32,
    /// The shares of [`BASES`] in the wins of each player.
    pub points: [[f32; BASES.len()]; Encoded::SEATS],
    /// The chance that each player is tenpai at a draw.
    pub tenpai: [f32; Encoded::SEATS],
}
