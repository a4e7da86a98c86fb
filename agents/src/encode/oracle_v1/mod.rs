//! `oracle-v1`: hidden tiles as channels of 34 bytes, for critics and analysis.
//!
//! - `hands`: the hands of the others
//! - `wall`: future draws and indicators

mod hands;
mod wall;

use std::sync::LazyLock;

use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{Round, Seat, TileKind};
use ndarray::ArrayViewMut3;

use super::array::{ArrayKind, ArraySpec};
use super::channel::{Channel, EncoderId, Seats};
use super::encoder::{Description, EncoderTable};
use super::plane::{Layout, Visitor, planes_of_row};
use super::shape::{WrongShape, expect_shape, rows};

/// The encoder `oracle-v1`: the hidden tiles of a hand, as channels × 34 bytes.
///
/// A critic reads them beside the channels of [`PlanesV1`](super::PlanesV1) for the same seat. The
/// critic helps to train a player that plays without it. No agent can read these channels: this encoder
/// takes the [`Round`], and an agent has only an observation, which leads to no round.
///
/// ```
/// use jantaku_agents::encode::OracleV1;
/// use jantaku_engine::{Game, Rules, Seat};
///
/// let game = Game::new(&Rules::default(), 42);
/// let mut bytes = [0; OracleV1::BYTES];
/// OracleV1::encode(game.round(), Seat::FIRST, &mut bytes);
/// // The tile that the next draw brings.
/// let first = OracleV1::channels().iter().position(|c| c.to_string() == "live.when_1.table").unwrap();
/// let next = bytes[34 * first..][..34].iter().position(|when| *when == 1).unwrap();
/// assert_eq!(next, game.round().wall().live_tiles()[0].kind().index());
/// ```
///
/// ```compile_fail,E0308
/// # use jantaku_agents::encode::OracleV1;
/// # use jantaku_engine::{Game, Rules, Seat};
/// # let game = Game::new(&Rules::default(), 42);
/// let observation = game.observe(Seat::FIRST);
/// OracleV1::encode(&observation, Seat::FIRST, &mut [0; OracleV1::BYTES]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OracleV1;

/// A hand in play, and the seat for which it is encoded.
pub(super) struct Hidden<'a> {
    round: &'a Round,
    seats: Seats,
}

impl Hidden<'_> {
    /// The kind that an indicator makes dora.
    fn dora(&self, indicator: TileKind) -> TileKind {
        indicator.dora(self.round.table().rules().tiles == TileKinds::ThreePlayer)
    }
}

impl Layout for OracleV1 {
    const NAME: &'static str = "oracle-v1";
    const CHANNELS: usize = 45;
    type Facts<'a> = Hidden<'a>;

    #[inline]
    fn groups(visitor: &mut impl Visitor<OracleV1>) {
        visitor.visit(&hands::HAND);
        visitor.visit(&hands::OUTLOOK);
        visitor.visit(&wall::LIVE);
        visitor.visit(&wall::REPLACEMENT);
        visitor.visit(&wall::INDICATOR);
    }
}

static DESCRIPTION: LazyLock<Description> = LazyLock::new(|| {
    let table = EncoderTable { channels: <OracleV1 as Layout>::channels().leak(), ..EncoderTable::default() };
    Description::new(OracleV1::NAME, 1, table, &[OracleV1::ARRAY])
});

impl OracleV1 {
    /// The number of channels.
    pub const CHANNELS: usize = <OracleV1 as Layout>::CHANNELS;
    /// The number of bytes of one decision.
    pub const BYTES: usize = OracleV1::CHANNELS * TileKind::COUNT;
    /// The array of a batch.
    pub const ARRAY: ArraySpec =
        ArraySpec::new("oracle", ArrayKind::Planes, &[OracleV1::CHANNELS, TileKind::COUNT]);

    /// The channels in order.
    pub fn channels() -> &'static [Channel] {
        DESCRIPTION.table.channels
    }

    /// The identity of the encoder.
    pub fn id() -> &'static EncoderId {
        &DESCRIPTION.id
    }

    /// Writes the tiles that this seat does not see: all 34 bytes of the first channel, then those of
    /// the second, and so on. Overwrites all bytes.
    pub fn encode(round: &Round, seat: Seat, bytes: &mut [u8; OracleV1::BYTES]) {
        let seats = Seats::around(seat, round.table().rules().players);
        <OracleV1 as Layout>::write(&Hidden { round, seats }, planes_of_row(bytes));
    }

    /// Writes a batch of hands, each for a seat, into an array of hands × channels × 34.
    ///
    /// # Errors
    ///
    /// If the array has a different shape, or is not contiguous in the order of its axes.
    pub fn encode_batch<'a, R>(rounds: R, mut out: ArrayViewMut3<'_, u8>) -> Result<(), WrongShape>
    where
        R: IntoIterator<Item = (&'a Round, Seat), IntoIter: ExactSizeIterator>,
    {
        let rounds = rounds.into_iter();
        let expected = [rounds.len(), OracleV1::CHANNELS, TileKind::COUNT];
        expect_shape(OracleV1::NAME, out.shape(), &expected)?;
        for ((round, seat), bytes) in rounds.zip(rows(OracleV1::NAME, &mut out)?) {
            OracleV1::encode(round, seat, bytes);
        }
        Ok(())
    }
}
