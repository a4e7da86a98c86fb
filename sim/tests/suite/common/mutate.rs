//! Random damage to logs, like that of real broken logs.

use jantaku_engine::Rng;

/// More bytes than any log of a game has.
const LARGE: usize = 5_000_000;

/// Changes some bytes, parts or numbers of a log.
pub fn mutate(log: &mut Vec<u8>, rng: &mut Rng) {
    if log.is_empty() || log.len() > LARGE {
        return;
    }
    match rng.below(10) {
        0 => flip_bits(log, rng),
        1 => log.truncate(rng.below(log.len())),
        2 => drop(log.drain(some_range(log, rng))),
        3 => repeat(log, rng),
        4 => swap(log, b'<', rng),
        5 => swap(log, b'\n', rng),
        6 => swap(log, b',', rng),
        7 => swap(log, b'"', rng),
        _ => change_number(log, rng),
    }
}

/// Flips up to nine bits.
pub fn flip_bits(log: &mut [u8], rng: &mut Rng) {
    for _ in 0..=rng.below(8) {
        let index = rng.below(log.len());
        log[index] ^= 1 << rng.below(8);
    }
}

fn some_range(log: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.below(log.len());
    let len = if rng.below(2) == 0 { rng.below(40) } else { rng.below(log.len()) };
    start..log.len().min(start + len)
}

/// Repeats a part, rarely so often that the log is larger than any game.
fn repeat(log: &mut Vec<u8>, rng: &mut Rng) {
    let range = some_range(log, rng);
    let (end, part) = (range.end, log[range].to_vec());
    let times = if rng.below(50) == 0 { LARGE / (part.len() + 1) } else { 1 + rng.below(4) };
    let rest = log.split_off(end);
    (0..times).for_each(|_| log.extend(&part));
    log.extend(rest);
}

/// Swaps two parts between marks: tags, lines or values.
fn swap(log: &mut Vec<u8>, mark: u8, rng: &mut Rng) {
    let mut parts: Vec<&[u8]> = log.split(|byte| *byte == mark).collect();
    let (a, b) = (rng.below(parts.len()), rng.below(parts.len()));
    parts.swap(a, b);
    *log = parts.join(&mark);
}

/// Replaces a number by one near it, or by one at the limit of an integer type.
fn change_number(log: &mut Vec<u8>, rng: &mut Rng) {
    const LIMITS: [&str; 14] = [
        "",
        "0",
        "-1",
        "136",
        "37",
        "4",
        "255",
        "65535",
        "65536",
        "2147483647",
        "-2147483648",
        "4294967295",
        "18446744073709551616",
        "1e308",
    ];
    let start = rng.below(log.len());
    let Some(first) = log[start..].iter().position(u8::is_ascii_digit).map(|steps| start + steps) else {
        return;
    };
    let len = log[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let near = |rng: &mut Rng| {
        let number: u64 = std::str::from_utf8(&log[first..first + len]).ok()?.parse().ok()?;
        Some(number.wrapping_add(rng.below(9) as u64).saturating_sub(4).to_string())
    };
    let other = if rng.below(2) == 0 { near(rng) } else { None };
    let other = other.unwrap_or_else(|| LIMITS[rng.below(LIMITS.len())].to_owned());
    log.splice(first..first + len, other.into_bytes());
}
