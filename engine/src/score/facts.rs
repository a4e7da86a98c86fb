//! What is true of a won hand however it is read.

use super::{DoraHan, Moment, Riichi, Shown, Win, local};
use crate::rules::knobs::{North, OpenRiichi, Renhou, TileKinds};
use crate::yaku::{Yaku, YakuSet};
use crate::{Suit, TileKind, TileSet};

/// What every reading of a hand shares.
pub(super) struct Facts {
    /// Yaku of the moment, of the tiles as a whole and of honour triplets.
    pub(super) yaku: YakuSet,
    /// Yakuman that do not depend on the reading, but on it being four sets and a pair.
    pub(super) yakuman: YakuSet,
    /// Yakuman of the moment, and local ones of the tiles, which any form can have.
    pub(super) yakuman_of_moment: YakuSet,
    pub(super) dora: DoraHan,
    pub(super) closed: bool,
    /// All kinds, melds included.
    pub(super) kinds: TileSet,
    /// Sequences of the melds by suit: the ranks on which they start.
    pub(super) called_runs: [u64; 3],
    /// Triplets and quads of the melds.
    pub(super) called_triplets: TileSet,
    /// Those of them that are concealed quads.
    pub(super) ankans: TileSet,
    pub(super) quads: TileSet,
    /// Whether a win before the own first draw is possible here.
    pub(super) renhou: bool,
}

impl Facts {
    pub(super) fn of(win: &Win<'_>) -> Facts {
        let mut facts = Facts {
            yaku: YakuSet::EMPTY,
            yakuman: YakuSet::EMPTY,
            yakuman_of_moment: YakuSet::EMPTY,
            dora: dora(win),
            closed: win.is_closed(),
            kinds: win.concealed.kinds(),
            called_runs: [0; 3],
            called_triplets: TileSet::EMPTY,
            ankans: TileSet::EMPTY,
            quads: TileSet::EMPTY,
            renhou: win.first_turn && !win.tsumo && !win.is_dealer(),
        };
        for meld in win.melds {
            facts.kinds |= meld.kinds();
            if meld.is_run() {
                facts.called_runs[meld.low().suit() as usize] |= 1 << (meld.low().rank() - 1);
                continue;
            }
            facts.called_triplets.insert(meld.low());
            if meld.is_quad() {
                facts.quads.insert(meld.low());
            }
            if !meld.is_open() {
                facts.ankans.insert(meld.low());
            }
        }
        facts.yaku = facts.yaku_of_moment(win).union(facts.yaku_of_tiles(win));
        facts.yakuman_of_moment = YakuSet::EMPTY
            .with(Yaku::Tenhou, win.first_turn && win.tsumo && win.is_dealer())
            .with(Yaku::Chiihou, win.first_turn && win.tsumo && !win.is_dealer())
            .with(Yaku::RenhouYakuman, facts.renhou && win.rules.renhou == Renhou::Yakuman)
            .with(Yaku::OpenRiichiYakuman, fed_to_open_riichi(win));
        facts.yakuman = facts.yakuman_of_tiles(win);
        if !win.rules.local_yaku.is_empty() {
            facts.yaku = facts.yaku.union(local::of_hand(win, &facts));
            facts.yakuman_of_moment = facts.yakuman_of_moment.union(local::yakuman_of_hand(win, &facts));
        }
        facts
    }

    fn yaku_of_moment(&self, win: &Win<'_>) -> YakuSet {
        let rinshan = match win.moment {
            Moment::Rinshan => true,
            Moment::KitaReplacement => win.rules.kita_rinshan_yaku,
            _ => false,
        };
        YakuSet::EMPTY
            .with(Yaku::Riichi, win.riichi == Riichi::Single)
            .with(Yaku::DoubleRiichi, win.riichi == Riichi::Double)
            .with(Yaku::OpenRiichi, win.circumstances.shown != Shown::Nothing)
            .with(Yaku::Ippatsu, win.ippatsu && win.rules.ippatsu)
            .with(Yaku::MenzenTsumo, win.tsumo && self.closed)
            .with(Yaku::Haitei, win.moment == Moment::LastTile && win.tsumo)
            .with(Yaku::Houtei, win.moment == Moment::LastTile && !win.tsumo)
            .with(Yaku::Rinshan, rinshan)
            .with(Yaku::Chankan, win.moment == Moment::Chankan)
            .with(Yaku::Renhou, self.renhou && matches!(win.rules.renhou, Renhou::HanAdd(_)))
    }

    fn yaku_of_tiles(&self, win: &Win<'_>) -> YakuSet {
        let triplets = self.honour_triplets(win);
        let is_triplet = |kind: TileKind| triplets.contains(kind);
        let dragons = [Yaku::Haku, Yaku::Hatsu, Yaku::Chun];
        let dragon_triplets = (triplets & TileSet::DRAGONS).iter();
        let dragon_pair = win.concealed.at_least(2).intersects(TileSet::DRAGONS - triplets);
        let suits = self.suits();
        let has_honours = self.kinds.intersects(TileSet::HONOURS);
        let yakuhai: YakuSet =
            dragon_triplets.map(|kind| dragons[kind.index() - TileKind::WHITE.index()]).collect();
        let north_counts = win.rules.north == North::Yakuhai && is_triplet(TileKind::NORTH);
        yakuhai
            .with(Yaku::SeatWind, is_triplet(win.seat_wind.tile()))
            .with(Yaku::RoundWind, is_triplet(win.round_wind.tile()))
            .with(Yaku::NorthWind, north_counts)
            .with(Yaku::Shousangen, (triplets & TileSet::DRAGONS).len() == 2 && dragon_pair)
            .with(Yaku::Tanyao, !self.kinds.intersects(TileSet::YAOCHUU) && (self.closed || win.rules.kuitan))
            .with(Yaku::Honroutou, self.kinds.is_subset(TileSet::YAOCHUU) && has_honours && suits > 0)
            .with(Yaku::Honitsu, suits == 1 && has_honours)
            .with(Yaku::Chinitsu, suits == 1 && !has_honours)
            .with(Yaku::Sankantsu, self.quads.len() == 3)
    }

    fn yakuman_of_tiles(&self, win: &Win<'_>) -> YakuSet {
        let triplets = self.honour_triplets(win);
        let winds = (triplets & TileSet::WINDS).len();
        let wind_pair = win.concealed.at_least(2).intersects(TileSet::WINDS - triplets);
        let green = self.kinds.is_subset(TileSet::GREENS)
            && (self.kinds.contains(TileKind::GREEN) || !win.rules.ryuuiisou_needs_hatsu);
        let (chuuren, junsei) = nine_gates(win);
        YakuSet::EMPTY
            .with(Yaku::Daisangen, (triplets & TileSet::DRAGONS).len() == 3)
            .with(Yaku::Shousuushii, winds == 3 && wind_pair)
            .with(Yaku::Daisuushii, winds == 4)
            .with(Yaku::Tsuuiisou, self.kinds.is_subset(TileSet::HONOURS))
            .with(Yaku::Chinroutou, self.kinds.is_subset(TileSet::TERMINALS))
            .with(Yaku::Ryuuiisou, green)
            .with(Yaku::Chuuren, chuuren && !junsei)
            .with(Yaku::JunseiChuuren, chuuren && junsei)
            .with(Yaku::Suukantsu, self.quads.len() == 4)
    }

    /// Honour triplets; those of suits depend on the reading.
    pub(super) fn honour_triplets(&self, win: &Win<'_>) -> TileSet {
        (win.concealed.at_least(3) | self.called_triplets) & TileSet::HONOURS
    }

    /// In how many of the three suits there are tiles.
    pub(super) fn suits(&self) -> usize {
        (0..3).filter(|suit| self.kinds.suit_bits(*suit) != 0).count()
    }
}

/// Whether a player who is not in riichi himself has fed an open riichi where that costs him a yakuman.
fn fed_to_open_riichi(win: &Win<'_>) -> bool {
    let costs = win.rules.open_riichi == OpenRiichi::YakumanFromOthers;
    costs && win.circumstances.shown == Shown::WaitsToFeeder
}

/// Whether the hand is 1112345678999 and one more of the suit, and whether it waited for any of them.
///
/// A dealt hand has no winning tile of its own: it is counted as if the one too many had come last.
fn nine_gates(win: &Win<'_>) -> (bool, bool) {
    let hand = &win.concealed;
    let is_suit = |suit: &Suit| {
        let ranks = |copies: usize| hand.at_least(copies).suit_bits(*suit as usize);
        ranks(1) == 0b1_1111_1111 && ranks(3) & 0b1_0000_0001 == 0b1_0000_0001
    };
    let gates = win.melds.is_empty() && Suit::NUMBERED.iter().any(is_suit);
    let one_too_many = if TileSet::TERMINALS.contains(win.tile) { 4 } else { 2 };
    (gates, win.first_turn && win.tsumo && win.is_dealer() || hand.count(win.tile) == one_too_many)
}

/// Bonus han of all tiles.
fn dora(win: &Win<'_>) -> DoraHan {
    let three_player_tiles = win.rules.tiles == TileKinds::ThreePlayer;
    let count = |indicators: &[crate::Tile]| -> u8 {
        let dora = indicators.iter().map(|indicator| indicator.kind().dora(three_player_tiles));
        dora.map(|kind| {
            let norths = if kind == TileKind::NORTH { usize::from(win.norths) } else { 0 };
            (win.concealed.count(kind) + win.melds.count(kind) + norths) as u8
        })
        .sum()
    };
    let aka = win.rules.aka.by_suit();
    let in_suit = |suit: Suit| {
        let called = win.melds.iter().filter(|meld| meld.low().suit() == suit);
        win.concealed.reds(suit) as u8 + called.map(|meld| meld.reds()).sum::<u8>()
    };
    let red = Suit::NUMBERED.into_iter().filter(|suit| aka[*suit as usize] > 0).map(in_suit).sum();
    let ura = if win.riichi == Riichi::None { 0 } else { count(win.ura_indicators) };
    DoraHan { dora: count(win.indicators), ura, red, north: win.norths }
}
