//! Numbers as text for people.

/// Printed in place of an interval that does not exist.
pub const NO_INTERVAL: &str = "–";

/// A number with a comma every three digits.
///
/// ```
/// assert_eq!(jantaku_show::numbers::thousands(25_000), "25,000");
/// ```
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and a noun with a plural in s.
pub fn many(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A number with this many decimals, and a comma every three digits before them. What is rounded to 0
/// has no minus sign.
pub fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = !text.contains(|digit: char| matches!(digit, '1'..='9' | 'a'..='z'));
    let text = if is_zero { text.trim_start_matches('-') } else { &text };
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    let digits = digits.parse().map_or_else(|_| digits.to_owned(), thousands);
    format!("{sign}{digits}{fraction}")
}

/// [`decimal`] with a sign.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = decimal(number, decimals);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// A share in percent; a dash if the whole is 0.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        NO_INTERVAL.to_owned()
    } else {
        format!("{} %", decimal(100.0 * part as f64 / whole as f64, 2))
    }
}

/// A short time with its unit, such as `0.41 µs` or `12 ms`.
pub fn time(seconds: f64) -> String {
    let (number, unit) = match seconds {
        time if time < 1e-3 => (time * 1e6, "µs"),
        time if time < 1.0 => (time * 1e3, "ms"),
        time => (time, "s"),
    };
    format!("{} {unit}", decimal(number, if number < 10.0 { 2 } else { 0 }))
}

/// A rate such as `1,406 games/s`, or the time for one if that takes more than a second.
///
/// ```
/// use jantaku_show::numbers::speed;
///
/// assert_eq!([speed(14_060, 10.0, "game"), speed(45, 10.0, "game")], ["1,406 games/s", "4.5 games/s"]);
/// assert_eq!([speed(4, 50.0, "game"), speed(0, 50.0, "game")], ["12.5 s a game", "0 games/s"]);
/// ```
pub fn speed(count: u64, seconds: f64, thing: &str) -> String {
    let rate = count as f64 / seconds;
    match rate {
        1.0.. => format!("{} {thing}s/s", decimal(rate, usize::from(rate < 10.0))),
        _ if count > 0 => format!("{} s a {thing}", decimal(1.0 / rate, 1)),
        _ => format!("0 {thing}s/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (2000, "2,000 games")] {
            assert_eq!(many(number, "game"), text);
        }
    }

    #[test]
    fn numbers_have_one_format() {
        let shown = [decimal(25_000.0, 0), decimal(-1_234.567, 2), decimal(0.5, 3), decimal(-0.25, 1)];
        assert_eq!(shown, ["25,000", "-1,234.57", "0.500", "-0.2"]);
        assert_eq!([decimal(-0.04, 1), signed(-0.4, 0), signed(-0.0, 1)], ["0.0", "+0", "+0.0"]);
        assert_eq!([signed(1_500.0, 1), signed(-0.25, 2), signed(0.0, 0)], ["+1,500.0", "-0.25", "+0"]);
        assert_eq!(
            [thousands(999), thousands(1_000), thousands(u64::MAX)].map(|text| text.len()),
            [3, 5, 26]
        );
    }
}
