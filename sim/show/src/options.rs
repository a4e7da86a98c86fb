//! Parsers of options, for the program: the fields of requests name them.

use std::ops::RangeInclusive;

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser of one of these values by its name.
pub fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |text: String| values.into_iter().find(|value| name(*value) == text);
    PossibleValuesParser::new(values.map(name)).map(move |text| named(text).expect("clap checks the name"))
}

/// A parser of a whole number in this range, such as `1000000`, `1_000_000`, `1e6` or `1.5e6`.
pub fn number<N: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = whole_number(text).filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The number in a text. None if it is not a whole number below 2⁶⁴.
fn whole_number(text: &str) -> Option<u64> {
    let is_grouped = |text: &str| text.split('_').all(|digits| !digits.is_empty());
    let (digits, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    if !is_grouped(whole) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = zeros.parse::<u32>().ok()?.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits: u64 = (whole.replace('_', "") + fraction).parse().ok()?;
    digits.checked_mul(10_u64.checked_pow(zeros)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_several_forms() {
        for (text, number) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E6", 1_000_000),
            ("2.5e3", 2500),
            ("1.0", 1),
            ("18446744073709551615", u64::MAX),
            ("1_8e18", 18_000_000_000_000_000_000),
        ] {
            assert_eq!(whole_number(text), Some(number), "{text}");
        }
        for wrong in [
            "",
            "-1",
            "1e-3",
            "1.5",
            "2.55e1",
            "1__0",
            "_1",
            "1_",
            "1e",
            "e6",
            "1e6e6",
            ".",
            "1e20",
            "18446744073709551616",
            "ten",
            "1,000",
            "0x10",
            "1.e1_0",
        ] {
            assert_eq!(whole_number(wrong), None, "{wrong}");
        }
    }
}
