//! What the encoders of one decision share: facts that follow from the observation.

use jantaku_engine::rules::knobs::TileKinds;
use jantaku_engine::{
    Concealed, DiscardOptions, Observation, OfferKind, Phase, Seat, Shanten, Suit, TileKind, TileSet, Unseen,
};

use super::channel::Seats;
use super::danger;

/// A decision, with facts that follow from the observation.
pub(super) struct Facts<'a> {
    pub o: &'a Observation<'a>,
    pub seats: Seats,
    /// The player's concealed tiles with the one just drawn.
    pub hand: Concealed,
    /// The tiles that the player has not seen.
    pub unseen: Unseen,
    /// Red fives of each suit that the player has not seen.
    pub unseen_reds: [u8; 3],
    pub outlook: Outlook,
    /// What the discards say about each player, in the order of `seats`.
    pub rivers: [River; 4],
    /// Dora, red fives and Norths set aside that each player holds openly, in the order of `seats`;
    /// the player's own also in the hand.
    dora: [u8; 4],
    /// Number tiles whose two-sided waits are impossible because a needed kind is gone.
    pub no_chance: TileSet,
    /// The same if at most one tile of a needed kind is unseen.
    pub one_chance: TileSet,
}

/// What the player can reach with their hand.
pub(super) struct Outlook {
    /// The shanten; with a tile to discard, that of the best discard.
    pub shanten: Shanten,
    /// The kinds that lower this shanten: after one of the best discards, if a tile is to be
    /// discarded.
    pub ukeire: TileSet,
    /// The discards that were analysed. None if no tile is to be discarded.
    pub discards: Option<DiscardOptions>,
}

/// The analysis of discards that an encoder needs.
pub(super) type Analyse = fn(&Concealed, usize) -> DiscardOptions;

/// What the discards say about the tiles that a player waits for.
#[derive(Clone, Copy, Default)]
pub(super) struct River {
    /// The kinds that any player discarded since this player's hand last changed: after their last
    /// discard from the hand, or after their riichi.
    pub passed: TileSet,
    /// The number of their tsumogiri since their last discard from the hand.
    pub unchanged: u8,
    /// The kinds on which the player cannot win by ron: their own discards, in riichi also `passed`.
    pub genbutsu: TileSet,
}

impl<'a> Facts<'a> {
    /// The facts of a decision.
    #[inline]
    pub(super) fn new(o: &'a Observation<'a>, analyse: Analyse) -> Facts<'a> {
        let seats = Seats::of(o);
        let hand = o.hand_with_draw();
        let unseen = o.unseen();
        let [ones, twos, fours] = unseen.digits();
        Facts {
            o,
            seats,
            unseen,
            unseen_reds: unseen_reds(o, &hand),
            outlook: Outlook::of(&hand, o.melds().len(), analyse),
            hand,
            rivers: rivers(o, &seats),
            dora: held_dora(o, &seats, &hand),
            no_chance: danger::walls(!(ones | twos | fours)),
            one_chance: danger::walls(!(twos | fours)),
        }
    }

    /// The kinds that the indicators make dora, in the order of the indicators.
    #[inline]
    pub(super) fn dora(&self) -> impl Iterator<Item = TileKind> {
        dora(self.o)
    }

    /// What the discards say about a player.
    #[inline]
    pub(super) const fn river(&self, seat: Seat) -> &River {
        &self.rivers[self.seats.index_of(seat)]
    }

    /// Dora, red fives and Norths set aside that a player holds openly; the player's own also in the
    /// hand.
    #[inline]
    pub(super) const fn dora_of(&self, seat: Seat) -> u8 {
        self.dora[self.seats.index_of(seat)]
    }

    /// The number of players with more points.
    pub(super) fn players_ahead(&self) -> u8 {
        let scores = self.o.scores();
        let own = scores[self.o.seat()];
        scores.iter().filter(|points| **points > own).count() as u8
    }

    /// How often the deal still passes until the last hand of the schedule; 0 from that hand on.
    pub(super) fn hands_left(&self) -> u16 {
        let rules = self.o.rules();
        let scheduled = u16::from(rules.wind_rounds) * u16::from(rules.players.count());
        scheduled.saturating_sub(self.o.round() + 1)
    }

    /// The phase as an index: turn, claim, claim of a kan's tile, exhaustive draw, end.
    pub(super) fn phase(&self) -> usize {
        match self.o.phase() {
            Phase::Turn => 0,
            Phase::Claim => 1,
            Phase::KanClaim => 2,
            Phase::Draw => 3,
            Phase::End | Phase::Over => 4,
        }
    }
}

impl Outlook {
    #[inline]
    fn of(hand: &Concealed, melds: usize, analyse: Analyse) -> Outlook {
        if hand.len() % 3 != 2 {
            let (shanten, ukeire) = hand.ukeire(melds);
            return Outlook { shanten, ukeire, discards: None };
        }
        let discards = analyse(hand, melds);
        let shanten = discards.best_shanten().unwrap_or(Shanten::TENPAI);
        let best = discards.as_slice().iter().filter(|option| option.shanten == shanten);
        let ukeire = best.fold(TileSet::EMPTY, |kinds, option| kinds | option.ukeire);
        Outlook { shanten, ukeire, discards: Some(discards) }
    }
}

/// What the discards say about each player, in the order of `seats`.
#[inline]
fn rivers(o: &Observation<'_>, seats: &Seats) -> [River; 4] {
    // From the last discard back: `later` are the kinds discarded after the one at hand.
    let mut later = TileSet::EMPTY;
    let (mut passed, mut unchanged) = ([TileSet::EMPTY; 4], [0; 4]);
    // The seats that have discarded from the hand or declared riichi, and the former alone.
    let (mut changed, mut tedashi) = (Flags(0), Flags(0));
    let all = Flags(o.rules().players.seats().fold(0, |all, seat| all | 1 << seats.index_of(seat)));
    for discard in o.discards().iter().rev() {
        let at = seats.index_of(discard.seat);
        // A branch would be hard to predict.
        let kept = TileSet::from_bits(u64::from(changed.has(at)).wrapping_neg());
        passed[at] = passed[at] & kept | (later - kept);
        // A riichi changes what the player can win on. After it, every discard is tsumogiri.
        changed.set(at, !discard.tsumogiri | discard.riichi);
        tedashi.set(at, !discard.tsumogiri);
        unchanged[at] += u8::from(!tedashi.has(at));
        // Earlier discards say no more.
        if tedashi == all {
            break;
        }
        later.insert(discard.tile.kind());
    }
    let mut rivers = [River::default(); 4];
    for (seat, river) in seats.zip(&mut rivers) {
        let at = seats.index_of(seat);
        let passed = if changed.has(at) { passed[at] } else { later };
        let side = o.side(seat);
        let in_riichi = side.riichi() != jantaku_engine::Riichi::None;
        let genbutsu = if in_riichi { side.discarded() | passed } else { side.discarded() };
        *river = River { passed, unchanged: unchanged[at], genbutsu };
    }
    rivers
}

/// The kinds that the indicators make dora, in the order of the indicators.
#[inline]
fn dora(o: &Observation<'_>) -> impl Iterator<Item = TileKind> {
    let without_middle = o.rules().tiles == TileKinds::ThreePlayer;
    o.indicators().iter().map(move |indicator| indicator.kind().dora(without_middle))
}

/// What each player holds of dora, red fives and Norths set aside: openly, the player also in the
/// hand. In the order of `seats`.
#[inline]
fn held_dora(o: &Observation<'_>, seats: &Seats, hand: &Concealed) -> [u8; 4] {
    let mut held = [0; 4];
    for (seat, held) in seats.zip(&mut held) {
        let side = o.side(seat);
        *held = side.norths();
        for meld in side.melds() {
            *held += meld.reds() + dora(o).map(|kind| meld.count(kind) as u8).sum::<u8>();
        }
        if side.norths() > 0 {
            *held += side.norths() * dora(o).filter(|kind| *kind == TileKind::NORTH).count() as u8;
        }
    }
    held[0] += hand.red_count() + dora(o).map(|kind| hand.count(kind) as u8).sum::<u8>();
    held
}

/// A flag for each of the seats, by index.
#[derive(Clone, Copy, PartialEq)]
struct Flags(u8);

impl Flags {
    #[inline]
    const fn has(self, at: usize) -> bool {
        self.0 >> at & 1 != 0
    }

    #[inline]
    const fn set(&mut self, at: usize, holds: bool) {
        self.0 |= (holds as u8) << at;
    }
}

/// Red fives of each suit that the player has not seen.
#[inline]
fn unseen_reds(o: &Observation<'_>, hand: &Concealed) -> [u8; 3] {
    let mut seen = o.discards().reds();
    for suit in Suit::NUMBERED {
        seen[suit as usize] += hand.reds(suit) as u8;
    }
    for seat in o.rules().players.seats() {
        for meld in o.side(seat).melds() {
            if meld.reds() > 0 {
                seen[meld.low().suit() as usize] += meld.reds();
            }
        }
    }
    // The tile of a kakan joins its meld when nobody has won on it.
    let added = o.offer().filter(|offer| offer.kind == OfferKind::Kakan).map(|offer| offer.tile);
    for tile in o.indicators().iter().copied().chain(added).filter(|tile| tile.is_red()) {
        seen[tile.kind().suit() as usize] += 1;
    }
    let all = o.rules().aka.by_suit();
    std::array::from_fn(|suit| all[suit] - seen[suit])
}
