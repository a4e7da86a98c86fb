//! Who threatens to win, with what, and what each discard risks.

use jantaku_engine::{Melds, Observation, Riichi, Seat, Side, TileKind, TileSet};

use super::attack::YAKUMAN;
use super::danger::wait_chances;
use super::interpolated;
use super::params::{Numbers, ThreatParams, ValueParams};
use super::scene::Scene;
use super::standing::{Rival, Worth};

/// The danger that comes from the other players.
pub(super) struct Threats {
    /// The worth lost on average by discarding each kind.
    risks: [f32; TileKind::COUNT],
    /// The expected number of opponents who are tenpai, 0–3.
    pub expected_tenpai: f32,
    /// The mean worth lost by dealing in to whoever threatens.
    pub loss: f32,
    /// The number of players who threaten.
    pub count: usize,
}

/// What is known of one opponent.
#[derive(Clone, Copy)]
struct Opponent {
    seat: Seat,
    river: River,
    /// Whether the player is in riichi or has called.
    has_shown_value: bool,
    /// The chance to be tenpai.
    tenpai: f32,
    /// Points that the player loses by dealing in.
    loss: f32,
}

impl Threats {
    /// No threats.
    pub(super) const NONE: Threats =
        Threats { risks: [0.0; TileKind::COUNT], expected_tenpai: 0.0, loss: 0.0, count: 0 };

    pub(super) fn new(
        params: &Numbers,
        scene: &Scene<'_>,
        worth: &Worth<'_>,
        opponents: &Opponents,
    ) -> Threats {
        let mut threats = Threats::NONE;
        for opponent in opponents.all.iter().flatten() {
            let seat = opponent.seat;
            if opponent.tenpai < params.threat.least {
                continue;
            }
            let loss = -worth.deal_in(opponent.loss, opponent.seat);
            let dora_loss = loss * params.threat.dora_tile;
            let chances = wait_chances(&params.danger, scene, &opponent.river, seat);
            for kind in TileKind::all() {
                let loss = if scene.dora_of(kind) > 0 { dora_loss } else { loss };
                threats.risks[kind.index()] +=
                    worth.risk_share * opponent.tenpai * chances[kind.index()] * loss;
            }
            threats.add_big_triplet(params, scene, worth, seat);
            threats.loss += opponent.tenpai * loss;
            threats.expected_tenpai += opponent.tenpai;
            if opponent.tenpai >= params.threat.serious {
                threats.count += 1;
            }
        }
        if threats.expected_tenpai > 0.0 {
            threats.loss /= threats.expected_tenpai;
        }
        threats
    }

    /// Adds the risk of the last triplet of a daisangen or of big winds whose other triplets this
    /// player shows: whoever discards it may be liable for a yakuman.
    fn add_big_triplet(&mut self, params: &Numbers, scene: &Scene<'_>, worth: &Worth<'_>, seat: Seat) {
        let triplets: TileSet = scene.o.side(seat).melds().iter().map(|meld| meld.low()).collect();
        for set in [TileSet::DRAGONS, TileSet::WINDS] {
            let missing = set - triplets;
            let Some(kind) = missing.iter().next().filter(|_| missing.len() == 1) else { continue };
            if scene.unseen.of(kind) >= 2 {
                let dealer = if scene.o.dealer() == seat { params.value.dealer } else { 1.0 };
                let loss = -worth.deal_in(YAKUMAN * dealer, seat);
                self.risks[kind.index()] += params.threat.big_triplet * loss;
            }
        }
    }

    /// The worth lost on average by discarding this tile.
    #[inline]
    pub(super) fn risk(&self, kind: TileKind) -> f32 {
        self.risks[kind.index()]
    }
}

fn threatens_openly(side: &Side) -> bool {
    side.riichi() != Riichi::None || side.melds().iter().filter(|meld| meld.is_open()).count() >= 2
}

/// All opponents in the order of turns.
pub(super) struct Opponents {
    all: [Option<Opponent>; 3],
}

impl Opponents {
    /// What is seen of the opponents: of none without `defence`, and with `open_only` only of those
    /// who threaten openly, by riichi or two calls.
    pub(super) fn new(params: &Numbers, scene: &Scene<'_>, defence: bool, open_only: bool) -> Opponents {
        let players = scene.o.rules().players;
        let counts = |seat: Seat| defence && (!open_only || threatens_openly(scene.o.side(seat)));
        let mut all = [None; 3];
        for (place, seat) in all.iter_mut().zip(players.others(scene.o.seat())) {
            *place = counts(seat).then(|| Opponent::new(&params.threat, &params.value, scene, seat));
        }
        Opponents { all }
    }

    /// What they are likely to win.
    pub(super) fn rivals(&self, params: &Numbers) -> [Rival; 3] {
        self.all.map(|opponent| match opponent {
            Some(Opponent { tenpai, loss, has_shown_value: true, .. }) => Rival { tenpai, points: loss },
            Some(Opponent { tenpai, .. }) => Rival { tenpai, points: params.others.points },
            None => Rival { tenpai: 0.0, points: params.others.points },
        })
    }
}

impl Opponent {
    fn new(params: &ThreatParams, value: &ValueParams, scene: &Scene<'_>, seat: Seat) -> Opponent {
        let side = scene.o.side(seat);
        let melds = side.melds();
        let river = River::new(scene.o, seat, params.early);
        let is_dealer = scene.o.dealer() == seat;
        let factor = if is_dealer { params.dealer } else { 1.0 };
        if side.riichi() != Riichi::None {
            return Opponent {
                seat,
                river,
                has_shown_value: true,
                tenpai: 1.0,
                loss: params.riichi_loss * factor,
            };
        }
        let calls = melds.iter().filter(|meld| meld.is_open()).count();
        let turn = f32::from(side.discard_count());
        let tenpai = interpolated(&params.tenpai[calls], turn / 4.0 - 1.0);
        let odds = tenpai / (1.0 - tenpai) * params.unchanged[usize::from(side.unchanged()).min(3)];
        let tenpai = odds / (1.0 + odds);
        if calls == 0 {
            return Opponent {
                seat,
                river,
                has_shown_value: false,
                tenpai,
                loss: params.closed_loss * factor,
            };
        }
        let dora: u8 = melds.iter().map(|meld| scene.dora_in_meld(*meld)).sum();
        let triplets: TileSet =
            melds.iter().filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        let (seat_wind, round) = (scene.o.seat_wind(seat).tile(), scene.o.round_wind().tile());
        let valued = (triplets & TileSet::DRAGONS).len()
            + u32::from(triplets.contains(seat_wind))
            + u32::from(triplets.contains(round));
        let flush = if flush_suit(melds, &river).is_some() { params.flush_han } else { 0.0 };
        let visible = params.dora_han * f32::from(dora) + params.valued_han * valued as f32;
        let han = params.open_han + visible + flush;
        Opponent { seat, river, has_shown_value: true, tenpai, loss: value.of_han(han) * factor }
    }
}

/// The suit of a hand that looks like a flush: all melds have it, and the player has discarded it at
/// most once.
pub(super) fn flush_suit(melds: &Melds, river: &River) -> Option<usize> {
    let kinds = melds.iter().fold(TileSet::EMPTY, |kinds, meld| kinds | meld.kinds());
    let mut suits = (0..3).filter(|suit| kinds.suit_bits(*suit) != 0);
    let (suit, None) = (suits.next()?, suits.next()) else { return None };
    let discarded = river.own.suit_bits(suit).count_ones();
    (river.is_past_early && discarded <= 1).then_some(suit)
}

/// What a player's discards, and those of the others, tell about their waits.
#[derive(Clone, Copy, Default)]
pub(super) struct River {
    /// The kinds on which the player does not win now: their own discards, and the tiles that have
    /// passed since their riichi or since their hand last changed.
    pub safe: TileSet,
    /// The kinds of their first discards.
    pub early: TileSet,
    /// Whether they have made all the discards that count as early.
    is_past_early: bool,
    own: TileSet,
}

impl River {
    /// The river of a player whose discards count as early up to this number.
    pub(super) fn new(o: &Observation<'_>, seat: Seat, early: u8) -> River {
        let side = o.side(seat);
        let own = side.discarded();
        let first = o.discards().of(seat).take(usize::from(early));
        River {
            safe: own | o.side(seat).passed(),
            early: first.map(|discard| discard.tile.kind()).collect(),
            is_past_early: side.discard_count() >= early,
            own,
        }
    }
}
