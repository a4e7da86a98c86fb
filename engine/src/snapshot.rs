//! Observations that own their data, and their form as bytes.

use crate::own_view::Private;
use crate::random::hash;
use crate::table::{Owed, Side};
use crate::unseen::Unseen;
use crate::{
    ActionSet, BySeat, Claimed, Concealed, Declare, Discards, DrawSource, Meld, MeldKind, Observation, Offer,
    OfferKind, Phase, Riichi, Rules, Seat, Table, Tile, TileKind, TileSet,
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

/// The number of the form of the bytes. Any change of the form changes it.
const VERSION: u64 = 1;

impl Snapshot {
    #[inline]
    pub(crate) const fn new(o: &Observation<'_>) -> Snapshot {
        Snapshot { seat: o.seat(), table: *o.table(), own: *o.private(), legal: o.legal() }
    }

    /// The observation.
    #[must_use]
    #[inline]
    pub const fn observe(&self) -> Observation<'_> {
        Observation::new(self.seat, &self.table, &self.own, self.legal)
    }

    /// The snapshot with these dora indicators on the table instead of its own: at most five.
    ///
    /// Another program may turn the indicator of a kan earlier or later than the rules, or not tell
    /// it. An indicator that the rules turn later is not turned twice.
    #[must_use]
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
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(512));
        out.seat(self.seat);
        self.legal.words().into_iter().for_each(|word| out.u64(word));
        out.table(&self.table);
        out.private(&self.own);
        let sum = checksum(&out.0);
        out.u64(sum);
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
            let mut input = Reader(bytes);
            let seat = input.seat()?;
            let legal = ActionSet::from_words([input.u64()?, input.u64()?, input.u64()?]);
            let table = input.table()?;
            let own = input.private()?;
            let is_at_table = seat.number() < table.rules.players.count();
            (input.0.is_empty() && is_at_table).then_some(Snapshot { seat, table, own, legal })
        };
        read().ok_or(WrongSnapshot)
    }
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

/// Bytes so far.
struct Writer(Vec<u8>);

impl Writer {
    fn u8(&mut self, number: u8) {
        self.0.push(number);
    }

    fn flag(&mut self, holds: bool) {
        self.u8(holds.into());
    }

    fn u16(&mut self, number: u16) {
        self.0.extend(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn kinds(&mut self, kinds: TileSet) {
        self.u64(kinds.bits());
    }

    fn seat(&mut self, seat: Seat) {
        self.u8(seat.number());
    }

    /// A number, or 255 for none.
    fn option(&mut self, number: Option<u8>) {
        self.u8(number.unwrap_or(u8::MAX));
    }

    fn table(&mut self, table: &Table) {
        let rules = table.rules.to_toml();
        self.u16(rules.len() as u16);
        self.0.extend(rules.bytes());
        for number in [table.round, table.honba, table.sticks] {
            self.u16(number);
        }
        table.scores.iter().for_each(|points| self.0.extend(points.to_le_bytes()));
        table.sides.iter().for_each(|side| self.side(side));
        table.shown_waits.iter().for_each(|waits| self.kinds(*waits));
        self.u8(table.discards.len() as u8);
        for discard in table.discards.iter() {
            self.seat(discard.seat);
            self.u8(discard.tile.number());
            self.flag(discard.tsumogiri);
            self.flag(discard.riichi);
            self.option(discard.claimed_by.map(Seat::number));
        }
        self.u8(table.indicator_count);
        table.indicators.iter().for_each(|tile| self.u8(tile.number()));
        let Owed { at_discard, after_pass } = table.owed;
        for number in [table.dealer_wins, table.live, table.kans, at_discard, after_pass] {
            self.u8(number);
        }
        for number in [table.source as u8, table.phase as u8, table.declared as u8] {
            self.u8(number);
        }
        self.seat(table.turn);
        self.flag(table.uninterrupted);
        self.option(table.kan_feeder.map(Seat::number));
        self.option(table.offer.map(|offer| offer.tile.number()));
        if let Some(offer) = table.offer {
            self.seat(offer.from);
            self.u8(offer.kind as u8);
        }
        self.kinds(table.forbidden);
        table.unseen.digits().into_iter().for_each(|digit| self.kinds(digit));
    }

    fn side(&mut self, side: &Side) {
        self.u8(side.melds.len() as u8);
        for meld in &side.melds {
            self.u8(meld.kind() as u8);
            self.u8(meld.low().number());
            self.u8(meld.reds());
            self.option(meld.claimed().map(|claimed| claimed.tile.number()));
            self.option(meld.claimed().map(|claimed| claimed.from.number()));
        }
        self.kinds(side.discarded);
        for number in [side.discards, side.riichi as u8, side.norths] {
            self.u8(number);
        }
        self.flag(side.ippatsu);
        self.flag(side.is_dead);
        side.liable.iter().for_each(|seat| self.option(seat.map(Seat::number)));
    }

    fn private(&mut self, own: &Private) {
        self.u8(own.hand.len() as u8);
        own.hand.tiles().for_each(|tile| self.u8(tile.number()));
        self.option(own.drawn.map(Tile::number));
        self.kinds(own.waits);
        self.kinds(own.chi_kinds);
        self.u8(own.far);
        self.flag(own.temporary_furiten);
        self.flag(own.riichi_furiten);
        self.flag(own.riichi_foul);
        self.u16(own.decisions);
    }
}

/// The bytes that are not read yet. Its methods return None if the bytes are no snapshot.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        self.bytes().map(u8::from_le_bytes)
    }

    fn flag(&mut self) -> Option<bool> {
        self.u8().map(|number| number != 0)
    }

    fn u16(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn kinds(&mut self) -> Option<TileSet> {
        self.u64().map(TileSet::from_bits)
    }

    fn seat(&mut self) -> Option<Seat> {
        Seat::new(self.u8()?)
    }

    fn tile(&mut self) -> Option<Tile> {
        Tile::new(self.u8()?)
    }

    /// The member of an enum with this number among all of them.
    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(usize::from(self.u8()?)).copied()
    }

    /// A value, or none for 255.
    #[expect(clippy::option_option, reason = "the outer None: the bytes are no snapshot")]
    fn option<T>(&mut self, value: impl Fn(u8) -> Option<T>) -> Option<Option<T>> {
        match self.u8()? {
            u8::MAX => Some(None),
            number => value(number).map(Some),
        }
    }

    /// One value for each seat.
    fn by_seat<T: Copy>(
        &mut self,
        rules: &Rules,
        mut value: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<BySeat<T>> {
        let values: Option<Vec<T>> = rules.players.seats().map(|_| value(self)).collect();
        BySeat::from_slice(rules.players, &values?)
    }

    fn rules(&mut self) -> Option<Rules> {
        let len = usize::from(self.u16()?);
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Rules::from_toml(str::from_utf8(text).ok()?, "an observation").ok()
    }

    fn table(&mut self) -> Option<Table> {
        let rules = self.rules()?;
        let [round, honba, sticks] = [self.u16()?, self.u16()?, self.u16()?];
        let scores = self.by_seat(&rules, |input| input.bytes().map(i32::from_le_bytes))?;
        let mut table = Table::new(rules.shared(), round, honba, sticks, scores);
        let sides = self.by_seat(&rules, Reader::side)?;
        table.shown_waits = self.by_seat(&rules, Reader::kinds)?;
        for _ in 0..self.up_to(Discards::CAPACITY)? {
            let (seat, tile, tsumogiri) = (self.seat()?, self.tile()?, self.flag()?);
            let riichi = self.flag()?;
            table.add_discard(seat, tile, tsumogiri, riichi);
            if let Some(by) = self.option(Seat::new)? {
                table.discards.claim_last(by);
            }
        }
        table.sides = BySeat::from_fn(rules.players, |seat| {
            let Side { last_discard, passed, unchanged, .. } = table.sides[seat];
            Side { last_discard, passed, unchanged, ..sides[seat] }
        });
        table.indicator_count = self.up_to(table.indicators.len())? as u8;
        for tile in &mut table.indicators {
            *tile = self.tile()?;
        }
        table.dealer_wins = self.u8()?;
        [table.live, table.kans] = [self.u8()?, self.u8()?];
        table.owed = Owed { at_discard: self.u8()?, after_pass: self.u8()? };
        table.source =
            self.one_of(&[DrawSource::Live, DrawSource::Kan, DrawSource::Kita, DrawSource::Claim])?;
        table.phase =
            self.one_of(&[Phase::Turn, Phase::Claim, Phase::KanClaim, Phase::Draw, Phase::End, Phase::Over])?;
        table.declared = self.one_of(&[Declare::Nothing, Declare::Riichi, Declare::OpenRiichi])?;
        table.turn = self.seat()?;
        table.uninterrupted = self.flag()?;
        table.kan_feeder = self.option(Seat::new)?;
        table.offer = match self.option(Tile::new)? {
            None => None,
            Some(tile) => Some(Offer {
                tile,
                from: self.seat()?,
                kind: self.one_of(&[
                    OfferKind::Discard,
                    OfferKind::Kakan,
                    OfferKind::Ankan,
                    OfferKind::Kita,
                ])?,
            }),
        };
        table.forbidden = self.kinds()?;
        table.unseen = Unseen::from_digits([self.kinds()?, self.kinds()?, self.kinds()?])?;
        Some(table)
    }

    /// A number that is at most this.
    fn up_to(&mut self, most: usize) -> Option<usize> {
        self.u8().map(usize::from).filter(|number| *number <= most)
    }

    fn side(&mut self) -> Option<Side> {
        let mut side = Side::EMPTY;
        for _ in 0..self.up_to(4)? {
            side.melds.push(self.meld()?);
        }
        side.discarded = self.kinds()?;
        side.discards = self.u8()?;
        side.riichi = self.one_of(&[Riichi::None, Riichi::Single, Riichi::Double])?;
        side.norths = self.u8()?;
        side.ippatsu = self.flag()?;
        side.is_dead = self.flag()?;
        for seat in &mut side.liable {
            *seat = self.option(Seat::new)?;
        }
        Some(side)
    }

    fn meld(&mut self) -> Option<Meld> {
        let kinds = [MeldKind::Chi, MeldKind::Pon, MeldKind::Daiminkan, MeldKind::Kakan, MeldKind::Ankan];
        let kind = self.one_of(&kinds)?;
        let low = TileKind::new(self.u8()?)?;
        // A chi begins with a rank that two others follow.
        let is_possible = kind != MeldKind::Chi || low.offset(2).is_some();
        let reds = self.up_to(4)? as u8;
        let claimed = match (self.option(Tile::new)?, self.option(Seat::new)?) {
            (Some(tile), Some(from)) => Some(Claimed { tile, from }),
            _ => None,
        };
        is_possible.then(|| Meld::new(kind, low, reds, claimed))
    }

    fn private(&mut self) -> Option<Private> {
        let mut hand = Concealed::EMPTY;
        for _ in 0..self.up_to(14)? {
            let tile = self.tile()?;
            if hand.count(tile.kind()) == 4 {
                return None;
            }
            hand.add(tile);
        }
        Some(Private {
            hand,
            drawn: self.option(Tile::new)?.filter(|tile| hand.count(tile.kind()) < 4),
            waits: self.kinds()?,
            chi_kinds: self.kinds()?,
            far: self.u8()?,
            temporary_furiten: self.flag()?,
            riichi_furiten: self.flag()?,
            riichi_foul: self.flag()?,
            decisions: self.u16()?,
        })
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
