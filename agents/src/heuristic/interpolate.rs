//! Linear interpolation in a table.

/// The value at a fractional index, interpolated linearly between its two neighbours. Indices
/// beyond the ends give the first or last value.
pub(super) fn interpolated(values: &[f32], at: f32) -> f32 {
    let at = at.clamp(0.0, values.len() as f32 - 1.0);
    // Conversion to 16 bits takes fewer instructions.
    let low = usize::from(at as u16).min(values.len() - 2);
    values[low] + (values[low + 1] - values[low]) * (at - low as f32)
}
