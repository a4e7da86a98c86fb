//! Planes of bytes to floats.

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
/// If an array has a different shape, or is not contiguous in the order of its axes.
pub fn expand_f32(
    channels: &[Channel],
    bytes: ArrayView3<'_, u8>,
    mut out: ArrayViewMut3<'_, f32>,
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
            *numbers = std::array::from_fn(|kind| f32::from(plane[kind]) * scale);
        }
    }
    Ok(())
}
