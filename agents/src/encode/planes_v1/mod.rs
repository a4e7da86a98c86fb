//! `planes-v1`: a decision as channels of 34 bytes, for convolutional networks.
//!
//! - `own`: the player's hand and its waits and ukeire
//! - `seats`: public facts of each seat
//! - `table`: dora, unseen tiles, the state of the game, the decision
//! - `legal`: the legal actions

mod legal;
mod own;
mod seats;
mod table;

use std::sync::LazyLock;

use jantaku_engine::{DiscardOptions, Observation, TileKind};

use super::array::{ArrayKind, ArraySpec, SliceMut};
use super::encoder::{Description, Encoder, EncoderTable};
use super::facts::{Facts, must_discard};
use super::plane::{Layout, Visitor, planes_of_row};

/// The encoder `planes-v1`: channels × 34 bytes for each decision.
///
/// It depends only on the observation, so no channel depends on hidden tiles. Tables of
/// three or two players have the same channels, and those of absent seats are empty.
///
/// ```
/// use jantaku_agents::encode::PlanesV1;
/// use jantaku_engine::{Game, Rules};
///
/// let game = Game::new(&Rules::default(), 42);
/// let (seat, _) = game.decisions().next().expect("the dealer begins");
/// let mut bytes = [0; PlanesV1::BYTES];
/// PlanesV1::encode(&game.observe(seat), &mut bytes);
/// let at_least_1 = &bytes[..34];
/// let kinds = at_least_1.iter().filter(|byte| **byte == 1).count();
/// assert_eq!(kinds as u32, game.observe(seat).hand_with_draw().kinds().len());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlanesV1;

impl Layout for PlanesV1 {
    const NAME: &'static str = "planes-v1";
    const CHANNELS: usize = 216;
    type Facts<'a> = Facts<'a>;

    #[inline]
    fn groups(visitor: &mut impl Visitor<PlanesV1>) {
        visitor.visit(&own::HAND);
        visitor.visit(&own::OUTLOOK);
        visitor.visit(&seats::MELDS);
        visitor.visit(&seats::RIVER);
        visitor.visit(&seats::SEAT);
        visitor.visit(&seats::RIVAL);
        visitor.visit(&table::DORA);
        visitor.visit(&table::UNSEEN);
        visitor.visit(&table::GAME);
        visitor.visit(&table::DECISION);
        visitor.visit(&legal::DISCARDS);
        visitor.visit(&legal::OTHERS);
    }
}

static DESCRIPTION: LazyLock<Description> = LazyLock::new(|| {
    let table = EncoderTable { channels: <PlanesV1 as Layout>::channels().leak(), ..EncoderTable::default() };
    Description::new(PlanesV1::NAME, 1, table, &ARRAYS)
});

impl PlanesV1 {
    /// The encoder, as networks know it.
    pub const ENCODER: Encoder = Encoder { description: || &DESCRIPTION, encode: PlanesV1::encode_row };
    /// The number of channels.
    pub const CHANNELS: usize = <PlanesV1 as Layout>::CHANNELS;
    /// The number of bytes of one decision.
    pub const BYTES: usize = PlanesV1::CHANNELS * TileKind::COUNT;

    /// Writes one decision: all 34 bytes of the first channel, then those of the second, and so on.
    /// Overwrites all bytes.
    #[inline]
    pub fn encode(o: &Observation<'_>, bytes: &mut [u8; PlanesV1::BYTES]) {
        let hand = o.hand_with_draw();
        let discards =
            if must_discard(&hand) { hand.discard_options(o.melds().len()) } else { DiscardOptions::NONE };
        let facts = Facts::new(o, &hand, &discards);
        <PlanesV1 as Layout>::write(&facts, planes_of_row(bytes));
    }

    fn encode_row(o: &Observation<'_>, arrays: &mut [SliceMut<'_>], row: usize) {
        PlanesV1::encode(o, arrays[0].row(row));
    }
}

/// The only array.
static ARRAYS: [ArraySpec; 1] =
    [ArraySpec::new("planes", ArrayKind::Planes, &[PlanesV1::CHANNELS, TileKind::COUNT])];
