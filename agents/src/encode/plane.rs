//! Planes of 34 bytes, groups of channels, and their layout in a row.

use jantaku_engine::{TileKind, TileSet};

use super::channel::{Channel, Row, View};

/// A channel of one decision: a byte for each kind of tile.
pub(super) type Plane = [u8; TileKind::COUNT];

/// An encoder of planes: its identity, what its groups read, and its groups in order.
pub(super) trait Layout: Sized + 'static {
    /// The name, with the version.
    const NAME: &'static str;
    /// The number of channels.
    const CHANNELS: usize;
    /// The facts of one decision that the groups read.
    type Facts<'a>;

    /// Lists the groups in the order of their channels.
    ///
    /// The same list makes the table and fills the planes, so that they cannot disagree.
    fn groups(visitor: &mut impl Visitor<Self>);

    /// The channels of all groups in order.
    fn channels() -> Vec<Channel> {
        let mut channels = Channels(Vec::new());
        Self::groups(&mut channels);
        assert_eq!(channels.0.len(), Self::CHANNELS, "the number of channels of {}", Self::NAME);
        channels.0
    }

    /// Writes all planes of one decision.
    #[inline]
    fn write(facts: &Self::Facts<'_>, planes: &mut [Plane]) {
        planes.as_flattened_mut().fill(0);
        Self::groups(&mut Writer { facts, planes });
    }
}

/// A group of channels, and the function that writes them.
///
/// The group has `N` channels for each of its views, and the function receives the planes of each
/// view in this order. All planes are zero before the call.
pub(super) struct Group<L: Layout, const N: usize> {
    pub name: &'static str,
    pub views: &'static [View],
    pub rows: [Row; N],
    pub write: for<'a> fn(&L::Facts<'a>, &mut [[Plane; N]]),
}

/// Visits the groups of an encoder in order.
pub(super) trait Visitor<L: Layout> {
    fn visit<const N: usize>(&mut self, group: &Group<L, N>);
}

/// Collects the channels of all groups.
struct Channels(Vec<Channel>);

impl<L: Layout> Visitor<L> for Channels {
    fn visit<const N: usize>(&mut self, group: &Group<L, N>) {
        for view in group.views {
            self.0.extend(group.rows.iter().map(|row| Channel::of(group.name, *view, row)));
        }
    }
}

/// Writes all groups into the planes of one decision, from the first on.
struct Writer<'a, F> {
    facts: &'a F,
    /// The planes that are still to be written.
    planes: &'a mut [Plane],
}

impl<L: Layout> Visitor<L> for Writer<'_, L::Facts<'_>> {
    #[inline]
    fn visit<const N: usize>(&mut self, group: &Group<L, N>) {
        let (own, rest) = std::mem::take(&mut self.planes).split_at_mut(N * group.views.len());
        self.planes = rest;
        (group.write)(self.facts, own.as_chunks_mut().0);
    }
}

/// The bytes of one decision as planes.
#[inline]
pub(super) fn planes_of_row<const BYTES: usize>(bytes: &mut [u8; BYTES]) -> &mut [Plane] {
    bytes.as_chunks_mut().0
}

/// The planes of a group that has one view.
#[inline]
pub(super) fn single_view<const N: usize>(planes: &mut [[Plane; N]]) -> &mut [Plane; N] {
    &mut planes[0]
}

/// What [`spread`] returns for each byte, as a little-endian number.
static BYTES: [u64; 256] = {
    let mut bytes = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            bytes[bits] |= (bits as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        bits += 1;
    }
    bytes
};

/// The eight bits of a byte as eight bytes of 0 or 1, the lowest bit first.
#[inline]
pub(super) fn spread(byte: u8) -> [u8; 8] {
    BYTES[usize::from(byte)].to_le_bytes()
}

/// Writes 1 at these kinds of a plane of zeros.
#[inline]
pub(super) fn flags(plane: &mut Plane, kinds: TileSet) {
    let bits = kinds.bits();
    if bits == 0 {
        return;
    }
    let (eights, last) = plane.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(bits.to_le_bytes()) {
        *eight = spread(byte);
    }
    last[0] = (bits >> 32 & 1) as u8;
    last[1] = (bits >> 33 & 1) as u8;
}

/// Writes one number for the whole plane.
#[inline]
pub(super) fn constant(plane: &mut Plane, value: u8) {
    if value != 0 {
        *plane = [value; TileKind::COUNT];
    }
}

/// Writes a flag for the whole plane.
#[inline]
pub(super) fn constant_flag(plane: &mut Plane, holds: bool) {
    constant(plane, u8::from(holds));
}

/// Adds to the byte of a kind.
#[inline]
pub(super) fn add(plane: &mut Plane, kind: TileKind, value: u8) {
    plane[kind.index()] += value;
}

/// Sets the byte of a kind.
#[inline]
pub(super) fn put(plane: &mut Plane, kind: TileKind, value: u8) {
    plane[kind.index()] = value;
}

/// A number as a byte: 0 below 0, and at most `most`.
#[inline]
pub(super) fn clamped(number: i32, most: u8) -> u8 {
    number.clamp(0, i32::from(most)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_stand_at_their_kinds() {
        for bits in [1, 0x2_0000_0001, 0x3_FFFF_FFFF, 0x1_2345_6789, 0b1010 << 15] {
            let kinds = TileSet::from_bits(bits);
            let mut plane = [7; TileKind::COUNT];
            flags(&mut plane, kinds);
            for kind in TileKind::all() {
                assert_eq!(plane[kind.index()], u8::from(kinds.contains(kind)), "{kinds} {kind}");
            }
        }
    }
}
