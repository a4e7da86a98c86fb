//! Observations that own their data, and their form as bytes.

use crate::own_view::Private;
use crate::random::hash;
use crate::table::{Owed, Side};
use crate::unseen::Unseen;
use crate::{
    ActionSet, BySeat, Claimed, Concealed, Declare, Discard, Discards, DrawSource, Meld, MeldKind,
    Observation, Offer, OfferKind, Phase, Riichi, Rules, Seat, Table, Tile, TileKind, TileSet,
};

/// An observation that owns its data: it outlives the game and can be stored.
///
/// It holds exactly what the player saw: a copy of the table and of their own tiles.
///
/// ```
/// use jantaku_engine::{Game, Rules, Snapshot};
///
/// let mut game = Game::new(&Rules::default(), 42);
/// let (seat, legal) = game.decisions().next().expect("the dealer begins");
/// let snapshot = game.observe(seat).snapshot();
/// game.submit(seat, legal.first().expect("a decision has legal actions").action())?;
/// assert_eq!(snapshot.observe().legal(), legal);
/// assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()), Ok(snapshot));
/// # Ok::<(), jantaku_engine::IllegalAction>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[must_use]
pub struct Snapshot {
    seat: Seat,
    table: Table,
    own: Private,
    legal: ActionSet,
}

/// The error for bytes that are no snapshot of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the bytes are not an observation: they are damaged, or another version of this program wrote them")]
pub struct WrongSnapshot;

/// The version of the byte format. Any change of the format changes it.
const VERSION: u64 = 1;

impl Snapshot {
    #[inline]
    pub(crate) const fn new(o: &Observation<'_>) -> Snapshot {
        Snapshot { seat: o.seat(), table: *o.table(), own: *o.private(), legal: o.legal() }
    }

    /// The observation.
    #[inline]
    pub const fn observe(&self) -> Observation<'_> {
        Observation::new(self.seat, &self.table, &self.own, self.legal)
    }

    /// The snapshot with these dora indicators on the table instead of its own: at most five.
    ///
    /// Another program may turn the indicator of a kan earlier or later than the rules, or not
    /// announce it. An indicator that the rules turn later is not turned twice.
    pub fn with_indicators(mut self, indicators: &[Tile]) -> Snapshot {
        let table = &mut self.table;
        let turned = usize::from(table.indicator_count);
        table.indicators[..turned].iter().for_each(|tile| table.unseen.unsee(tile.kind().into()));
        indicators.iter().for_each(|tile| table.unseen.see(tile.kind().into()));
        table.indicators[..indicators.len()].copy_from_slice(indicators);
        table.indicator_count = indicators.len() as u8;
        let early = indicators.len().saturating_sub(turned) as u8;
        let at_discard = early.min(table.owed.at_discard);
        table.owed.at_discard -= at_discard;
        table.owed.after_pass = table.owed.after_pass.saturating_sub(early - at_discard);
        self
    }

    /// The snapshot as bytes, with a checksum. They hold nothing that the player does not see.
    ///
    /// # Panics
    ///
    /// Never: every snapshot can be written.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(512));
        // A copy, because the format is stated for both directions and takes `&mut`.
        out.snapshot(&mut { *self }).expect("every snapshot can be written");
        out.0.extend(checksum(&out.0).to_le_bytes());
        out.0
    }

    /// The snapshot that these bytes hold.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged, or are those of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, WrongSnapshot> {
        let read = || {
            let (bytes, sum) = bytes.split_last_chunk::<8>()?;
            if u64::from_le_bytes(*sum) != checksum(bytes) {
                return None;
            }
            let table = empty_table(&Rules::default())?;
            let (own, legal) = (Private::default(), ActionSet::EMPTY);
            let mut snapshot = Snapshot { seat: Seat::FIRST, table, own, legal };
            let mut input = Reader(bytes);
            input.snapshot(&mut snapshot)?;
            let is_at_table = snapshot.seat.number() < snapshot.table.rules.players.count();
            (input.0.is_empty() && is_at_table).then_some(snapshot)
        };
        read().ok_or(WrongSnapshot)
    }
}

/// A table under these rules before its parts are read. None if the rules contradict each other.
fn empty_table(rules: &Rules) -> Option<Table> {
    Some(Table::new(rules.shared().ok()?, 0, 0, 0, BySeat::splat(rules.players, 0)))
}

/// A hash of the version and the bytes.
fn checksum(bytes: &[u8]) -> u64 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let start = hash(&[VERSION, bytes.len() as u64]);
    bytes.chunks(8).fold(start, |sum, bytes| hash(&[sum, word(bytes)]))
}

/// The byte format, stated once for both directions: a [`Writer`] copies each value, and a
/// [`Reader`] replaces it. The methods return None if the bytes are no snapshot.
trait Form: Sized {
    fn bytes(&mut self, bytes: &mut [u8]) -> Option<()>;

    /// The rules of a table. Reading them empties the table.
    fn rules(&mut self, table: &mut Table) -> Option<()>;

    fn u8(&mut self, number: &mut u8) -> Option<()> {
        self.bytes(std::slice::from_mut(number))
    }

    fn u16(&mut self, number: &mut u16) -> Option<()> {
        let mut bytes = number.to_le_bytes();
        self.bytes(&mut bytes)?;
        *number = u16::from_le_bytes(bytes);
        Some(())
    }

    fn i32(&mut self, number: &mut i32) -> Option<()> {
        let mut bytes = number.to_le_bytes();
        self.bytes(&mut bytes)?;
        *number = i32::from_le_bytes(bytes);
        Some(())
    }

    fn u64(&mut self, number: &mut u64) -> Option<()> {
        let mut bytes = number.to_le_bytes();
        self.bytes(&mut bytes)?;
        *number = u64::from_le_bytes(bytes);
        Some(())
    }

    fn kinds(&mut self, kinds: &mut TileSet) -> Option<()> {
        let mut bits = kinds.bits();
        self.u64(&mut bits)?;
        *kinds = TileSet::from_bits(bits);
        Some(())
    }

    /// A value as a byte. `from_byte` returns None for a byte that stands for no value.
    fn value<T: Copy>(
        &mut self,
        value: &mut T,
        to_byte: impl Fn(T) -> u8,
        from_byte: impl Fn(u8) -> Option<T>,
    ) -> Option<()> {
        let mut byte = to_byte(*value);
        self.u8(&mut byte)?;
        *value = from_byte(byte)?;
        Some(())
    }

    fn flag(&mut self, holds: &mut bool) -> Option<()> {
        self.value(holds, u8::from, |number| Some(number != 0))
    }

    fn seat(&mut self, seat: &mut Seat) -> Option<()> {
        self.value(seat, Seat::number, Seat::new)
    }

    fn tile(&mut self, tile: &mut Tile) -> Option<()> {
        self.value(tile, Tile::number, Tile::new)
    }

    /// A number that is at most `most`.
    fn up_to(&mut self, number: &mut u8, most: usize) -> Option<()> {
        self.value(number, |number| number, |number| Some(number).filter(|_| usize::from(number) <= most))
    }

    /// The member of an enum by its number among all of them.
    fn one_of<T: Copy + PartialEq>(&mut self, value: &mut T, all: &[T]) -> Option<()> {
        let number = |value| all.iter().position(|other| *other == value).map_or(u8::MAX, |at| at as u8);
        self.value(value, number, |number| all.get(usize::from(number)).copied())
    }

    /// A value, or 255 for none.
    fn option<T: Copy>(
        &mut self,
        value: &mut Option<T>,
        to_byte: fn(T) -> u8,
        from_byte: fn(u8) -> Option<T>,
    ) -> Option<()> {
        let some = |byte| if byte == u8::MAX { Some(None) } else { from_byte(byte).map(Some) };
        self.value(value, |value| value.map_or(u8::MAX, to_byte), some)
    }

    /// A list of at most `most` members: its length, then the members. Reading starts each with `blank`.
    fn list<T: Copy>(
        &mut self,
        members: impl IntoIterator<Item = T>,
        most: usize,
        blank: T,
        member: impl Fn(&mut Self, &mut T) -> Option<()>,
    ) -> Option<Vec<T>> {
        let mut list: Vec<T> = members.into_iter().collect();
        let mut len = list.len() as u8;
        self.up_to(&mut len, most)?;
        list.resize(len.into(), blank);
        list.iter_mut().try_for_each(|value| member(self, value))?;
        Some(list)
    }

    fn snapshot(&mut self, snapshot: &mut Snapshot) -> Option<()> {
        let Snapshot { seat, table, own, legal } = snapshot;
        self.seat(seat)?;
        let mut words = legal.words();
        words.iter_mut().try_for_each(|word| self.u64(word))?;
        *legal = ActionSet::from_words(words);
        self.rules(table)?;
        self.table(table)?;
        self.private(own)
    }

    fn table(&mut self, table: &mut Table) -> Option<()> {
        for number in [&mut table.round, &mut table.honba, &mut table.sticks] {
            self.u16(number)?;
        }
        table.scores.iter_mut().try_for_each(|points| self.i32(points))?;
        table.sides.iter_mut().try_for_each(|side| self.side(side))?;
        table.shown_waits.iter_mut().try_for_each(|waits| self.kinds(waits))?;
        let tile = Tile::plain(TileKind::EAST);
        let blank = Discard { seat: Seat::FIRST, tile, tsumogiri: false, riichi: false, claimed_by: None };
        let discards = self.list(table.discards.iter(), Discards::CAPACITY, blank, Self::discard)?;
        // Not in the bytes: the dealer, which follows from the round, and the facts about the sides that
        // follow from the discards.
        let mut played = Table::new(table.rules, table.round, table.honba, table.sticks, table.scores);
        for Discard { seat, tile, tsumogiri, riichi, claimed_by } in discards {
            played.add_discard(seat, tile, tsumogiri, riichi);
            claimed_by.into_iter().for_each(|by| played.discards.claim_last(by));
        }
        (table.dealer, table.discards) = (played.dealer, played.discards);
        for seat in table.rules.players.seats() {
            let Side { last_discard, passed, unchanged, .. } = played.sides[seat];
            table.sides[seat] = Side { last_discard, passed, unchanged, ..table.sides[seat] };
        }
        self.up_to(&mut table.indicator_count, table.indicators.len())?;
        table.indicators.iter_mut().try_for_each(|tile| self.tile(tile))?;
        let Owed { at_discard, after_pass } = &mut table.owed;
        for number in [&mut table.dealer_wins, &mut table.live, &mut table.kans, at_discard, after_pass] {
            self.u8(number)?;
        }
        let sources = [DrawSource::Live, DrawSource::Kan, DrawSource::Kita, DrawSource::Claim];
        self.one_of(&mut table.source, &sources)?;
        let phases = [Phase::Turn, Phase::Claim, Phase::KanClaim, Phase::Draw, Phase::End, Phase::Over];
        self.one_of(&mut table.phase, &phases)?;
        self.one_of(&mut table.declared, &[Declare::Nothing, Declare::Riichi, Declare::OpenRiichi])?;
        self.seat(&mut table.turn)?;
        self.flag(&mut table.uninterrupted)?;
        self.option(&mut table.kan_feeder, Seat::number, Seat::new)?;
        self.offer(&mut table.offer)?;
        self.kinds(&mut table.forbidden)?;
        let mut digits = table.unseen.digits();
        digits.iter_mut().try_for_each(|digit| self.kinds(digit))?;
        table.unseen = Unseen::from_digits(digits)?;
        Some(())
    }

    fn discard(&mut self, discard: &mut Discard) -> Option<()> {
        self.seat(&mut discard.seat)?;
        self.tile(&mut discard.tile)?;
        self.flag(&mut discard.tsumogiri)?;
        self.flag(&mut discard.riichi)?;
        self.option(&mut discard.claimed_by, Seat::number, Seat::new)
    }

    fn offer(&mut self, offer: &mut Option<Offer>) -> Option<()> {
        let mut tile = offer.map(|offer| offer.tile);
        self.option(&mut tile, Tile::number, Tile::new)?;
        let blank = |tile| Offer { tile, from: Seat::FIRST, kind: OfferKind::Discard };
        *offer = tile.map(|tile| Offer { tile, ..offer.unwrap_or_else(|| blank(tile)) });
        let Some(Offer { from, kind, .. }) = offer else { return Some(()) };
        self.seat(from)?;
        self.one_of(kind, &[OfferKind::Discard, OfferKind::Kakan, OfferKind::Ankan, OfferKind::Kita])
    }

    fn side(&mut self, side: &mut Side) -> Option<()> {
        let blank = Meld::new(MeldKind::Ankan, TileKind::EAST, 0, None);
        let melds = self.list(side.melds.iter().copied(), 4, blank, Self::meld)?;
        side.melds = melds.into_iter().collect();
        self.kinds(&mut side.discarded)?;
        self.u8(&mut side.discards)?;
        self.one_of(&mut side.riichi, &[Riichi::None, Riichi::Single, Riichi::Double])?;
        self.u8(&mut side.norths)?;
        self.flag(&mut side.ippatsu)?;
        self.flag(&mut side.is_dead)?;
        side.liable.iter_mut().try_for_each(|seat| self.option(seat, Seat::number, Seat::new))
    }

    fn meld(&mut self, meld: &mut Meld) -> Option<()> {
        let (mut kind, mut low, mut reds) = (meld.kind(), meld.low(), meld.reds());
        let claimed = meld.claimed();
        let (mut tile, mut from) = (claimed.map(|claimed| claimed.tile), claimed.map(|claimed| claimed.from));
        let kinds = [MeldKind::Chi, MeldKind::Pon, MeldKind::Daiminkan, MeldKind::Kakan, MeldKind::Ankan];
        self.one_of(&mut kind, &kinds)?;
        self.value(&mut low, TileKind::number, TileKind::new)?;
        self.up_to(&mut reds, 4)?;
        self.option(&mut tile, Tile::number, Tile::new)?;
        self.option(&mut from, Seat::number, Seat::new)?;
        // A chi begins with a rank that two others follow.
        if kind == MeldKind::Chi && low.offset(2).is_none() {
            return None;
        }
        let claimed = tile.zip(from).map(|(tile, from)| Claimed { tile, from });
        *meld = Meld::new(kind, low, reds, claimed);
        Some(())
    }

    fn private(&mut self, own: &mut Private) -> Option<()> {
        let tiles = self.list(own.hand.tiles(), 14, Tile::plain(TileKind::EAST), Self::tile)?;
        own.hand = Concealed::EMPTY;
        for tile in tiles {
            if own.hand.count(tile.kind()) == 4 {
                return None;
            }
            own.hand.add(tile);
        }
        self.option(&mut own.drawn, Tile::number, Tile::new)?;
        own.drawn = own.drawn.filter(|tile| own.hand.count(tile.kind()) < 4);
        self.kinds(&mut own.waits)?;
        self.kinds(&mut own.chi_kinds)?;
        self.u8(&mut own.exchanges_to_tenpai)?;
        self.flag(&mut own.temporary_furiten)?;
        self.flag(&mut own.riichi_furiten)?;
        self.flag(&mut own.riichi_foul)?;
        self.u16(&mut own.decisions)
    }
}

/// The bytes written so far.
struct Writer(Vec<u8>);

impl Form for Writer {
    fn bytes(&mut self, bytes: &mut [u8]) -> Option<()> {
        self.0.extend_from_slice(bytes);
        Some(())
    }

    fn rules(&mut self, table: &mut Table) -> Option<()> {
        let text = table.rules.to_toml();
        self.u16(&mut (text.len() as u16))?;
        self.0.extend(text.bytes());
        Some(())
    }
}

/// The bytes that are not read yet.
struct Reader<'a>(&'a [u8]);

impl Form for Reader<'_> {
    fn bytes(&mut self, bytes: &mut [u8]) -> Option<()> {
        let (read, rest) = self.0.split_at_checked(bytes.len())?;
        bytes.copy_from_slice(read);
        self.0 = rest;
        Some(())
    }

    fn rules(&mut self, table: &mut Table) -> Option<()> {
        let mut len = 0;
        self.u16(&mut len)?;
        let (text, rest) = self.0.split_at_checked(len.into())?;
        self.0 = rest;
        let rules = Rules::from_toml(str::from_utf8(text).ok()?, "an observation").ok()?;
        *table = empty_table(&rules)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;
    use crate::{Game, Rng};

    /// An indicator that the log announces before the rules turn it is no longer pending.
    #[test]
    fn a_snapshot_takes_other_indicators() {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer begins");
        let mut snapshot = game.observe(seat).snapshot();
        snapshot.table.owed = Owed { at_discard: 1, after_pass: 1 };
        let first = snapshot.table.indicators()[0];
        let told = snapshot.with_indicators(&[first, first]);
        assert_eq!(told.observe().indicators(), [first, first]);
        assert_eq!(told.table.owed, Owed { at_discard: 0, after_pass: 1 });
        let unseen = |snapshot: &Snapshot| snapshot.table.unseen.of(first.kind());
        assert_eq!((unseen(&snapshot), unseen(&told)), (3, 2));
        assert_eq!(told.with_indicators(&[first, first, first]).table.owed, Owed::default());
        assert_eq!(unseen(&told.with_indicators(&[])), 4);
    }

    #[test]
    fn bytes_hold_the_whole_observation() {
        for (preset, seed) in PRESETS.iter().zip(0..) {
            let (rules, mut rng) = (preset.rules(), Rng::new(seed));
            let mut game = Game::new(&rules, seed);
            while !game.is_over() {
                let (seat, legal) = game.decisions().next().expect("a seat decides");
                // Writing and reading take far longer than a move.
                if rng.below(80) == 0 {
                    let snapshot = game.observe(seat).snapshot();
                    let again = Snapshot::from_bytes(&snapshot.to_bytes());
                    assert_eq!(again, Ok(snapshot), "{}", preset.name);
                }
                let id = legal.nth(rng.below(legal.len() as usize) as u32).expect("a legal action");
                game.submit(seat, id.action()).expect("a legal action");
            }
        }
    }

    /// A change of the form needs another [`VERSION`].
    #[test]
    fn the_form_of_the_bytes_is_pinned() {
        let mut sum = 0;
        for (preset, seed) in PRESETS.iter().zip(0..) {
            let (mut game, mut rng) = (Game::new(&preset.rules(), seed), Rng::new(seed));
            for step in 0..200 {
                let Some((seat, legal)) = game.decisions().next() else { break };
                if step % 40 == 39 {
                    sum = hash(&[sum, checksum(&game.observe(seat).snapshot().to_bytes())]);
                }
                let id = legal.nth(rng.below(legal.len() as usize) as u32).expect("a legal action");
                game.submit(seat, id.action()).expect("a legal action");
            }
        }
        assert_eq!(sum, 0x6447_c379_8214_74df);
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer begins");
        let bytes = game.observe(seat).snapshot().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(Snapshot::from_bytes(&damaged), Err(WrongSnapshot), "byte {at}");
            assert_eq!(Snapshot::from_bytes(&bytes[..at]), Err(WrongSnapshot), "{at} bytes");
        }
    }

    /// Bytes with a right checksum, which no program has written, are read without a panic.
    #[test]
    fn forged_bytes_are_read_or_refused() {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer begins");
        let bytes = game.observe(seat).snapshot().to_bytes();
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let mut forged = bytes[..bytes.len() - 8].to_vec();
            let at = rng.below(forged.len());
            forged[at] = rng.next_u64() as u8;
            let sum = checksum(&forged);
            forged.extend(sum.to_le_bytes());
            if let Ok(snapshot) = Snapshot::from_bytes(&forged) {
                assert!(format!("{snapshot:?}").starts_with("Snapshot"));
            }
        }
    }
}
