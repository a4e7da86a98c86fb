//! Bytes of planes as numbers for networks: f32 and bf16.

use jantaku_engine::TileKind;
use ndarray::{ArrayView3, ArrayViewMut3};

use super::channel::Channel;
use super::shape::{WrongShape, expect_shape};

/// Writes the planes of a batch as f32: each byte times the scale of its channel.
///
/// Both arrays have the shape decisions × channels × 34.
///
/// # Errors
///
/// If an array has another shape, or is not contiguous in the order of its axes.
pub fn expand_f32(
    channels: &[Channel],
    bytes: ArrayView3<'_, u8>,
    out: ArrayViewMut3<'_, f32>,
) -> Result<(), WrongShape> {
    expand(channels, bytes, out, |value| value)
}

/// Writes the planes of a batch as bf16, each number as its 16 bits.
///
/// A bf16 is the upper half of an f32. The numbers of [`expand_f32`] are rounded to the nearest, and
/// to an even last bit where two are equally near.
///
/// # Errors
///
/// See [`expand_f32`].
pub fn expand_bf16(
    channels: &[Channel],
    bytes: ArrayView3<'_, u8>,
    out: ArrayViewMut3<'_, u16>,
) -> Result<(), WrongShape> {
    expand(channels, bytes, out, bf16)
}

/// The bits of the bf16 nearest to a finite number.
#[inline]
fn bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let last = bits >> 16 & 1;
    ((bits + 0x7FFF + last) >> 16) as u16
}

#[inline]
fn expand<T: Copy>(
    channels: &[Channel],
    bytes: ArrayView3<'_, u8>,
    mut out: ArrayViewMut3<'_, T>,
    convert: impl Fn(f32) -> T,
) -> Result<(), WrongShape> {
    const WHAT: &str = "expanded planes";
    let shape = [bytes.shape()[0], channels.len(), TileKind::COUNT];
    expect_shape(WHAT, bytes.shape(), &shape)?;
    expect_shape(WHAT, out.shape(), &shape)?;
    let not_contiguous = || WrongShape { what: WHAT, expected: shape.to_vec(), found: shape.to_vec() };
    let planes = bytes.as_slice().ok_or_else(not_contiguous)?.as_chunks::<{ TileKind::COUNT }>().0;
    let numbers = out.as_slice_mut().ok_or_else(not_contiguous)?.as_chunks_mut::<{ TileKind::COUNT }>().0;
    let decisions = planes.chunks_exact(channels.len()).zip(numbers.chunks_exact_mut(channels.len()));
    for (planes, numbers) in decisions {
        for ((plane, numbers), channel) in planes.iter().zip(numbers).zip(channels) {
            let scale = channel.scale();
            *numbers = std::array::from_fn(|kind| convert(f32::from(plane[kind]) * scale));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::bf16;

    #[test]
    fn bf16_rounds_to_the_nearest() {
        // 1 + 1/128 is the next bf16 after 1.
        for (value, bits) in [
            (0.0, 0),
            (1.0, 0x3F80),
            (1.0 + 1.0 / 128.0, 0x3F81),
            (1.0 + 1.0 / 256.0, 0x3F80),
            (1.0 + 3.0 / 256.0, 0x3F82),
            (1.0 + 1.1 / 256.0, 0x3F81),
            (255.0, 0x437F),
        ] {
            assert_eq!(bf16(value), bits, "{value}");
        }
    }
}
