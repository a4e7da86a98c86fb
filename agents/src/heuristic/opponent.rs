//! The opponents: the probability that each is tenpai, and the points that a deal-in to them costs.

use jantaku_engine::{Riichi, Seat, Side, TileSet};

use super::interpolate::interpolated;
use super::outcome_values::OpponentWin;
use super::params::{ParamSet, ThreatParams};
use super::river::{River, flush_suit};
use super::situation::Situation;

/// The estimates for one opponent.
#[derive(Clone, Copy)]
pub(super) struct Opponent {
    pub seat: Seat,
    pub river: River,
    /// Whether they are in riichi or have called.
    has_shown_value: bool,
    /// The probability that they are tenpai.
    pub tenpai: f32,
    /// The points that a deal-in to them costs.
    pub loss: f32,
}

/// Whether everyone can see that the player threatens to win.
fn threatens_openly(side: &Side) -> bool {
    side.riichi() != Riichi::None || side.melds().iter().filter(|meld| meld.is_open()).count() >= 2
}

/// The probability of tenpai without riichi, by calls, discards, and tsumogiri since the last discard from
/// the hand.
#[derive(Clone, Debug)]
pub(super) struct TenpaiTable([[[f32; 4]; TenpaiTable::TURNS]; 5]);

impl TenpaiTable {
    /// The numbers of discards, 0–16. More count as 16.
    const TURNS: usize = 17;

    pub(super) fn new(params: &ThreatParams) -> TenpaiTable {
        TenpaiTable(params.tenpai.map(|by_turn| {
            std::array::from_fn(|turn| {
                let tenpai = interpolated(&by_turn, turn as f32 / 4.0 - 1.0);
                params.unchanged.map(|factor| {
                    let odds = tenpai / (1.0 - tenpai) * factor;
                    odds / (1.0 + odds)
                })
            })
        }))
    }

    fn of(&self, calls: usize, turn: u8, unchanged: u8) -> f32 {
        self.0[calls][usize::from(turn).min(TenpaiTable::TURNS - 1)][usize::from(unchanged).min(3)]
    }
}

/// All opponents in the order of turns.
pub(super) struct Opponents {
    all: [Option<Opponent>; 3],
}

impl Opponents {
    /// Estimates the opponents: none without `defence`. With `open_only`, only those who threaten openly
    /// by riichi or two calls.
    pub(super) fn new(
        models: (&ParamSet, &TenpaiTable),
        situation: &Situation<'_>,
        defence: bool,
        open_only: bool,
    ) -> Opponents {
        let players = situation.o.rules().players;
        let counts = |seat: Seat| defence && (!open_only || threatens_openly(situation.o.side(seat)));
        let mut all = [None; 3];
        for (place, seat) in all.iter_mut().zip(players.others(situation.o.seat())) {
            *place = counts(seat).then(|| Opponent::new(models, situation, seat));
        }
        Opponents { all }
    }

    /// The opponents that were estimated.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Opponent> {
        self.all.iter().flatten()
    }

    /// How likely each opponent is to win, and for how many points.
    pub(super) fn wins(&self, params: &ParamSet) -> [OpponentWin; 3] {
        self.all.map(|opponent| match opponent {
            Some(Opponent { tenpai, loss, has_shown_value: true, .. }) => {
                OpponentWin { tenpai, points: loss }
            }
            Some(Opponent { tenpai, .. }) => OpponentWin { tenpai, points: params.others.points },
            None => OpponentWin { tenpai: 0.0, points: params.others.points },
        })
    }
}

impl Opponent {
    fn new((params, table): (&ParamSet, &TenpaiTable), situation: &Situation<'_>, seat: Seat) -> Opponent {
        let (params, value) = (&params.threat, &params.value);
        let side = situation.o.side(seat);
        let melds = side.melds();
        let river = River::new(situation.o, seat, params.early);
        let is_dealer = situation.o.dealer() == seat;
        let factor = if is_dealer { params.dealer } else { 1.0 };
        let of = |has_shown_value, tenpai, loss: f32| {
            let loss = loss * factor;
            Opponent { seat, river, has_shown_value, tenpai, loss }
        };
        if side.riichi() != Riichi::None {
            return of(true, 1.0, params.riichi_loss);
        }
        let calls = melds.iter().filter(|meld| meld.is_open()).count();
        let tenpai = table.of(calls, side.discard_count(), side.unchanged());
        if calls == 0 {
            return of(false, tenpai, params.closed_loss);
        }
        let dora: u8 = melds.iter().map(|meld| situation.dora_in_meld(*meld)).sum();
        let triplets: TileSet =
            melds.iter().filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        let (seat_wind, round) =
            (situation.o.seat_wind(seat).tile(), situation.o.rules().round_winds(situation.o.round_wind()));
        let valued = (triplets & TileSet::DRAGONS).len()
            + u32::from(triplets.contains(seat_wind))
            + (triplets & round).len();
        let flush = if flush_suit(melds, &river).is_some() { params.flush_han } else { 0.0 };
        let visible = params.dora_han * f32::from(dora) + params.valued_han * valued as f32;
        let han = params.open_han + visible + flush;
        of(true, tenpai, value.points_with_han(han))
    }
}
