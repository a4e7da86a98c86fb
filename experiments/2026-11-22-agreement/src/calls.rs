//! Decisions about other players' discards that can be called and not won.

use jantaku_engine::{
    Action, ChiPosition, Claimed, Concealed, Meld, MeldKind, Melds, Observation, OfferKind, Shanten, Tile,
    TileKind, TileSet,
};

use crate::facts;
use crate::judge::{self, Verdict};

/// The own columns of [`line`]. `h` is the person, `a` the agent.
///
/// - `chi`, `pon`: whether they are legal
/// - `h`, `a`: `pass`, `chi`, `pon` or `daiminkan`
/// - `same`: whether both are the same action
/// - `class`, `dora`: of the offered tile
/// - `left`: unseen tiles of its kind, without the offered one
/// - `shanten`: of the hand
/// - `after`: the least shanten after a call and a discard
/// - `ukeire`: the ukeire of the hand
/// - `melds`: open melds
/// - `hand_dora`: dora and red fives in the hand
/// - `way`: the first of these that a legal call leads to: `yakuhai` (the call is one), `secured`
///   (has one), `honitsu` (at most three other tiles), `tanyao` (at most two yaochuu tiles),
///   `toitoi` (four pairs and triplets), `backed` (has a pair of valued honours), `none`
/// - `valued_pairs`: pairs of valued honours
/// - `yaochuu`: yaochuu tiles in the hand
/// - `h_after`: the least shanten after the person's call
/// - `a_pass`, `a_call`: what the agent expects of passing and of the best call
/// - `mode`, `a_points`, `a_win`: of its best call
pub const COLUMNS: &str = "chi,pon,h,a,same,class,dora,left,shanten,after,ukeire,melds,hand_dora,way,\
    valued_pairs,yaochuu,h_after,a_pass,a_call,a_points,a_win";

/// Whether a discard can be called and not won.
pub fn applies(o: &Observation<'_>) -> bool {
    let is_discard = o.offer().is_some_and(|offer| offer.kind == OfferKind::Discard);
    let can_call = o.legal().iter().any(|id| is_call(id.action()));
    is_discard && can_call && !o.legal().contains(Action::Ron.id())
}

/// Whether an action is chi, pon or daiminkan.
pub fn is_call(action: Action) -> bool {
    matches!(action, Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan)
}

/// The own columns of a decision.
pub fn line(o: &Observation<'_>, action: Action, verdict: &Verdict) -> String {
    let offered = o.offer().expect("a claim has an offer").tile.kind();
    let calls: Vec<Called> = o.legal().iter().filter_map(|id| Called::of(o, id.action())).collect();
    let legal = |test: fn(&Action) -> bool| u8::from(o.legal().iter().any(|id| test(&id.action())));
    let after = calls.iter().filter_map(Called::shanten).min();
    let way = calls.iter().map(|call| call.way(o)).min().expect("a call is legal");
    let (shanten, ukeire) = o.hand().ukeire(o.melds().len());
    let valued = o.hand().at_least(2) & facts::valued(o);
    let yaochuu = TileSet::YAOCHUU.iter().map(|kind| o.hand().count(kind)).sum::<usize>();
    let call = verdict.best(is_call);
    format!(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{yaochuu},{},{},{},{},{}",
        legal(|action| matches!(action, Action::Chi { .. })),
        legal(|action| matches!(action, Action::Pon { .. })),
        name(action),
        name(verdict.action),
        u8::from(action == verdict.action),
        facts::class(o, offered),
        facts::dora_of(o, offered),
        o.unseen().of(offered),
        shanten.number(),
        after.map_or(9, Shanten::number),
        o.unseen().count(ukeire),
        o.melds().iter().filter(|meld| meld.is_open()).count(),
        facts::dora(o, o.hand()),
        NAMES[way],
        valued.len(),
        Called::of(o, action)
            .and_then(|call| call.shanten())
            .map_or(String::new(), |s| s.number().to_string()),
        judge::worth(verdict.best(|action| action == Action::Pass)),
        judge::worth(call),
        call.map_or_else(String::new, |call| format!("{:.0}", call.points)),
        call.map_or_else(String::new, |call| format!("{:.3}", call.win)),
    )
}

fn name(action: Action) -> &'static str {
    match action {
        Action::Chi { .. } => "chi",
        Action::Pon { .. } => "pon",
        Action::Daiminkan => "daiminkan",
        _ => "pass",
    }
}

/// The names of the ways to a yaku, by the number that [`Called::way`] returns.
const NAMES: [&str; 7] = ["yakuhai", "secured", "honitsu", "tanyao", "toitoi", "backed", "none"];
/// The most tiles outside a suit and the honours in the way `honitsu`.
const MOST_OUTSIDE: usize = 3;
/// The most yaochuu tiles in the way `tanyao`.
const MOST_YAOCHUU: usize = 2;
/// The fewest pairs and triplets in the way `toitoi`.
const LEAST_GROUPS: usize = 4;

/// A hand after a call, before the discard.
struct Called {
    rest: Concealed,
    melds: Melds,
    meld: Meld,
}

impl Called {
    /// The hand after a chi or pon.
    fn of(o: &Observation<'_>, action: Action) -> Option<Called> {
        let offer = o.offer()?;
        let claimed = offer.tile.kind();
        let (kind, own, reds): (MeldKind, [TileKind; 2], u8) = match action {
            Action::Chi { position, red } => {
                (MeldKind::Chi, ChiPosition::partners(position, claimed)?, u8::from(red))
            }
            Action::Pon { reds } => (MeldKind::Pon, [claimed; 2], reds),
            _ => return None,
        };
        let mut rest = *o.hand();
        let mut reds_left = reds;
        for kind in own {
            let red = reds_left > 0 && TileSet::FIVES.contains(kind);
            reds_left -= u8::from(red);
            rest.remove(if red { Tile::red(kind.suit()) } else { Tile::plain(kind) });
        }
        let low = own.into_iter().chain([claimed]).min()?;
        let meld = Meld::new(
            kind,
            low,
            reds + u8::from(offer.tile.is_red()),
            Some(Claimed { tile: offer.tile, from: offer.from }),
        );
        let mut melds = *o.melds();
        melds.push(meld);
        Some(Called { rest, melds, meld })
    }

    /// The least shanten after a discard.
    fn shanten(&self) -> Option<Shanten> {
        self.rest.discard_options(self.melds.len()).best_shanten()
    }

    /// The number of the way to a yaku in [`NAMES`].
    fn way(&self, o: &Observation<'_>) -> usize {
        let valued = facts::valued(o);
        let all = self.melds.iter().fold(TileSet::EMPTY, |kinds, meld| kinds | meld.kinds());
        let outside = |kinds: TileSet| (!kinds).iter().map(|kind| self.rest.count(kind)).sum::<usize>();
        let is_honitsu = (0..3).any(|suit| {
            let kinds = TileSet::from_bits(0b1_1111_1111 << (9 * suit)) | TileSet::HONOURS;
            all.is_subset(kinds) && outside(kinds) <= MOST_OUTSIDE
        });
        let triplets: TileSet =
            self.melds.iter().filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect();
        let groups = self.rest.at_least(2).len() as usize + self.melds.len();
        let ways = [
            !self.meld.is_sequence() && valued.contains(self.meld.low()),
            valued.intersects(triplets | self.rest.at_least(3)),
            is_honitsu,
            !all.intersects(TileSet::YAOCHUU) && outside(!TileSet::YAOCHUU) <= MOST_YAOCHUU,
            self.melds.iter().all(|meld| !meld.is_sequence()) && groups >= LEAST_GROUPS,
            valued.intersects(self.rest.at_least(2)),
        ];
        ways.iter().position(|leads| *leads).unwrap_or(ways.len())
    }
}
