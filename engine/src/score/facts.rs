//! Facts about a winning hand that hold in all readings.

use super::{DoraHan, Moment, Riichi, Shown, Win, fu};
use crate::rules::options::{North, OpenRiichi, Renhou, TileKinds};
use crate::yaku::{Yaku, YakuSet};
use crate::{Meld, MeldKind, Suit, Tile, TileKind, TileSet};

/// What all readings of a hand share.
pub(super) struct Facts {
    /// Yaku of the moment, of the tiles as a whole and of honour triplets.
    pub(super) yaku: YakuSet,
    /// Yakuman of every reading as four sets and a pair.
    pub(super) yakuman: YakuSet,
    /// Yakuman of every reading: yakuman of the moment, and local yakuman of the tiles.
    pub(super) yakuman_of_moment: YakuSet,
    pub(super) dora: DoraHan,
    /// Fu of the win and of the melds.
    pub(super) fu: u8,
    pub(super) closed: bool,
    /// All kinds, including melds.
    pub(super) kinds: TileSet,
    /// The kinds on which chi start.
    pub(super) called_sequences: TileSet,
    /// Kinds of pon and kan.
    pub(super) called_triplets: TileSet,
    /// Kinds of ankan.
    pub(super) ankans: TileSet,
    pub(super) kans: TileSet,
    /// Whether the win would be renhou.
    pub(super) renhou: bool,
}

/// What a slot for a meld adds to [`Facts`]. The first four are masks of all or no bits.
///
/// `fu` is for simples; yaochuu have twice as much.
struct Slot {
    sequence: u64,
    triplet: u64,
    kan: u64,
    concealed: u64,
    open: bool,
    fu: u8,
}

/// By [`MeldKind`]; the last entry is for an empty slot.
const SLOTS: [Slot; 6] = {
    const fn of(kind: MeldKind) -> Slot {
        let meld = Meld::new(kind, TileKind::from_index(1), 0, None);
        let (sequence, kan, open) = (meld.is_sequence(), meld.is_kan(), meld.is_open());
        let fu = if sequence { 0 } else { fu::of_set(meld.low(), !open, kan) };
        Slot {
            sequence: mask(sequence),
            triplet: mask(!sequence),
            kan: mask(kan),
            concealed: mask(!open),
            open,
            fu,
        }
    }
    const fn mask(holds: bool) -> u64 {
        (holds as u64).wrapping_neg()
    }
    use MeldKind::{Ankan, Chi, Daiminkan, Kakan, Pon};
    let empty = Slot { sequence: 0, triplet: 0, kan: 0, concealed: 0, open: false, fu: 0 };
    [of(Chi), of(Pon), of(Daiminkan), of(Kakan), of(Ankan), empty]
};

impl Facts {
    // Two functions call it, so without the attribute it is not inlined, and scoring takes 3 % more
    // instructions.
    #[inline(always)]
    pub(super) fn of(win: &Win<'_>) -> Facts {
        let mut facts = Facts {
            yaku: YakuSet::EMPTY,
            yakuman: YakuSet::EMPTY,
            yakuman_of_moment: YakuSet::EMPTY,
            dora: DoraHan::default(),
            fu: 0,
            closed: true,
            kinds: TileSet::EMPTY,
            called_sequences: TileSet::EMPTY,
            called_triplets: TileSet::EMPTY,
            ankans: TileSet::EMPTY,
            kans: TileSet::EMPTY,
            renhou: win.first_turn && !win.tsumo && !win.is_dealer(),
        };
        for (meld, is_there) in win.melds.slots() {
            facts.add_meld(*meld, is_there);
        }
        facts.fu += fu::of_win(win, facts.closed);
        // So far, the kinds are those of the melds.
        facts.dora = dora(win, facts.kinds);
        facts.kinds |= win.concealed.kinds();
        facts.find_yaku(win);
        if win.first_turn || win.circumstances.shown != Shown::Nothing {
            facts.add_rare_moments(win);
        }
        facts
    }

    /// Adds a slot for a meld. Has no branches, because the number and kinds of melds are
    /// unpredictable.
    #[inline]
    fn add_meld(&mut self, meld: Meld, is_there: bool) {
        let slot = &SLOTS[if is_there { meld.kind() as usize } else { SLOTS.len() - 1 }];
        let low = TileSet::of(meld.low()).bits();
        let (sequence, triplet) = (low & slot.sequence, low & slot.triplet);
        self.kinds |= TileSet::from_bits(sequence | sequence << 1 | sequence << 2 | triplet);
        self.called_sequences |= TileSet::from_bits(sequence);
        self.called_triplets |= TileSet::from_bits(triplet);
        self.kans |= TileSet::from_bits(low & slot.kan);
        self.ankans |= TileSet::from_bits(low & slot.concealed);
        self.closed &= !slot.open;
        self.fu += slot.fu << u8::from(meld.low().is_yaochuu());
    }

    /// Finds the yaku and yakuman of the moment and of the tiles.
    ///
    /// The conditions skip work. Most hands have no honour triplet, more than one suit and some simples.
    /// Only hands that lack one of these properties can be yakuman.
    #[inline(always)] // For the same reason as `of`.
    fn find_yaku(&mut self, win: &Win<'_>) {
        let triplets = self.honour_triplets(win);
        let all_yaochuu = self.kinds.is_subset(TileSet::YAOCHUU);
        let simple = !self.kinds.intersects(TileSet::YAOCHUU);
        self.yaku = self
            .yaku_of_moment(win)
            .with(Yaku::Tanyao, simple && (self.closed || win.rules.kuitan))
            .with(Yaku::Sankantsu, self.kans.len() == 3);
        let (one_suit, has_honours) = (self.suits() == 1, self.kinds.intersects(TileSet::HONOURS));
        self.yaku = self
            .yaku
            .with(Yaku::Honitsu, one_suit & has_honours)
            .with(Yaku::Chinitsu, one_suit & !has_honours);
        let may_be_chuuren = one_suit & !has_honours & win.melds.is_empty();
        if may_be_chuuren | self.kinds.is_subset(TileSet::GREENS) {
            self.add_yakuman_of_suit(win);
        }
        if !triplets.is_empty() {
            self.add_yaku_of_honours(win, triplets);
        }
        if all_yaochuu {
            let honours = self.kinds.is_subset(TileSet::HONOURS);
            let terminals = self.kinds.is_subset(TileSet::TERMINALS);
            self.yaku = self.yaku.with(Yaku::Honroutou, !honours && !terminals);
            self.yakuman = self.yakuman.with(Yaku::Tsuuiisou, honours).with(Yaku::Chinroutou, terminals);
        }
        self.yakuman = self.yakuman.with(Yaku::Suukantsu, self.kans.len() == 4);
    }

    fn yaku_of_moment(&self, win: &Win<'_>) -> YakuSet {
        let yaku = YakuSet::EMPTY
            .with(Yaku::Riichi, win.riichi == Riichi::Single)
            .with(Yaku::DoubleRiichi, win.riichi == Riichi::Double)
            .with(Yaku::Ippatsu, win.ippatsu && win.rules.ippatsu)
            .with(Yaku::MenzenTsumo, win.tsumo && self.closed);
        match win.moment {
            Moment::Ordinary => yaku,
            Moment::LastTile => yaku.with(Yaku::Haitei, win.tsumo).with(Yaku::Houtei, !win.tsumo),
            Moment::Rinshan => yaku.with(Yaku::Rinshan, true),
            Moment::KitaReplacement => yaku.with(Yaku::Rinshan, win.rules.kita_rinshan_yaku),
            Moment::Chankan => yaku.with(Yaku::Chankan, true),
        }
    }

    /// Adds the yaku of the first go-around and of open riichi.
    #[cold]
    fn add_rare_moments(&mut self, win: &Win<'_>) {
        self.yaku = self
            .yaku
            .with(Yaku::OpenRiichi, win.circumstances.shown != Shown::Nothing)
            .with(Yaku::Renhou, self.renhou && matches!(win.rules.renhou, Renhou::HanAdd(_)));
        self.yakuman_of_moment = YakuSet::EMPTY
            .with(Yaku::Tenhou, win.first_turn && win.tsumo && win.is_dealer())
            .with(Yaku::Chiihou, win.first_turn && win.tsumo && !win.is_dealer())
            .with(Yaku::RenhouYakuman, self.renhou && win.rules.renhou == Renhou::Yakuman)
            .with(Yaku::OpenRiichiYakuman, is_open_riichi_yakuman(win));
    }

    fn add_yaku_of_honours(&mut self, win: &Win<'_>, triplets: TileSet) {
        let is_triplet = |kind: TileKind| triplets.contains(kind);
        let pairs = win.concealed.at_least(2) - triplets;
        let (dragons, winds) = ((triplets & TileSet::DRAGONS).len(), (triplets & TileSet::WINDS).len());
        self.yaku = self
            .yaku
            .with(Yaku::Haku, is_triplet(TileKind::WHITE))
            .with(Yaku::Hatsu, is_triplet(TileKind::GREEN))
            .with(Yaku::Chun, is_triplet(TileKind::RED))
            .with(Yaku::SeatWind, is_triplet(win.seat_wind.tile()))
            .with(Yaku::RoundWind, is_triplet(win.round_wind.tile()))
            .with(
                Yaku::OppositeWind,
                win.rules.double_round_wind && is_triplet(win.round_wind.opposite().tile()),
            )
            .with(Yaku::NorthWind, win.rules.north == North::Yakuhai && is_triplet(TileKind::NORTH))
            .with(Yaku::Shousangen, dragons == 2 && pairs.intersects(TileSet::DRAGONS));
        self.yakuman = self
            .yakuman
            .with(Yaku::Daisangen, dragons == 3)
            .with(Yaku::Shousuushii, winds == 3 && pairs.intersects(TileSet::WINDS))
            .with(Yaku::Daisuushii, winds == 4);
    }

    fn add_yakuman_of_suit(&mut self, win: &Win<'_>) {
        let green = self.kinds.is_subset(TileSet::GREENS)
            && (self.kinds.contains(TileKind::GREEN) || !win.rules.ryuuiisou_needs_hatsu);
        let (chuuren, junsei) = chuuren_and_junsei(win);
        self.yakuman = self
            .yakuman
            .with(Yaku::Ryuuiisou, green)
            .with(Yaku::Chuuren, chuuren && !junsei)
            .with(Yaku::JunseiChuuren, chuuren && junsei);
    }

    /// The honour triplets. Triplets of suits depend on the reading.
    pub(super) fn honour_triplets(&self, win: &Win<'_>) -> TileSet {
        (win.concealed.at_least(3) | self.called_triplets) & TileSet::HONOURS
    }

    /// Number of suits in the hand.
    pub(super) fn suits(&self) -> usize {
        [0, 1, 2].into_iter().map(|suit| usize::from(self.kinds.suit_bits(suit) != 0)).sum()
    }
}

/// Whether the ron is a yakuman because a player who was not in riichi dealt into an open riichi.
fn is_open_riichi_yakuman(win: &Win<'_>) -> bool {
    let is_yakuman = win.rules.open_riichi == OpenRiichi::YakumanFromOthers;
    is_yakuman && win.circumstances.shown == Shown::WaitsToFeeder
}

/// Whether the hand is 1112345678999 and one more tile of the suit, and whether it waited for all
/// nine kinds.
///
/// The dealt hand of tenhou has no winning tile. It counts as if it had waited for all nine kinds.
fn chuuren_and_junsei(win: &Win<'_>) -> (bool, bool) {
    let hand = &win.concealed;
    let is_suit = |suit: &Suit| {
        let ranks = |copies: usize| hand.at_least(copies).suit_bits(*suit as usize);
        ranks(1) == 0b1_1111_1111 && ranks(3) & 0b1_0000_0001 == 0b1_0000_0001
    };
    let chuuren = win.melds.is_empty() && Suit::NUMBERED.iter().any(is_suit);
    let one_too_many = if TileSet::TERMINALS.contains(win.tile) { 4 } else { 2 };
    (chuuren, win.first_turn && win.tsumo && win.is_dealer() || hand.count(win.tile) == one_too_many)
}

/// Han from dora. `called` are the kinds of the melds.
#[inline]
fn dora(win: &Win<'_>, called: TileSet) -> DoraHan {
    let three_player_tiles = win.rules.tiles == TileKinds::ThreePlayer;
    let of_indicator = |indicator: &Tile| {
        let kind = indicator.kind().dora(three_player_tiles);
        let in_melds = if called.contains(kind) { win.melds.count(kind) } else { 0 };
        let aside = if kind == TileKind::NORTH { win.norths } else { 0 };
        (win.concealed.count(kind) + in_melds) as u8 + aside
    };
    let count = |indicators: &[Tile]| indicators.iter().map(of_indicator).sum();
    let ura = if win.riichi == Riichi::None { 0 } else { count(win.ura_indicators) };
    DoraHan { dora: count(win.indicators), ura, red: red_fives(win), north: win.norths }
}

/// Number of red fives, of the suits that have any under these rules.
fn red_fives(win: &Win<'_>) -> u8 {
    let aka = win.rules.aka.by_suit();
    if aka.iter().all(|reds| *reds > 0) {
        return win.concealed.red_count() + win.melds.reds();
    }
    let has_aka = |meld: &&Meld| aka.get(meld.low().suit() as usize).is_some_and(|reds| *reds > 0);
    let suits = Suit::NUMBERED.into_iter().filter(|suit| aka[*suit as usize] > 0);
    let in_hand: u8 = suits.map(|suit| win.concealed.reds(suit) as u8).sum();
    in_hand + win.melds.iter().filter(has_aka).map(|meld| meld.reds()).sum::<u8>()
}
