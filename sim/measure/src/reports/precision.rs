//! How exactly figures are known, in words.

use jantaku_show::numbers::many;

use super::names::AgentNames;
use crate::stats::Precision;

/// How exactly a figure is known, and how exactly it should be. `names` are those of the agents.
pub fn sentence(known: &Precision, names: &AgentNames) -> String {
    let (name, asked) = (full_name(known, names), asked(known));
    let Some(distance) = known.distance else {
        return format!("{name} has no interval: it is the same in all games, or has no cases");
    };
    let found = amount(known, distance);
    let needed = match known.games.map(|games| many(games, "game")) {
        None if known.is_unknown() => "how many games that needs is unknown".to_owned(),
        None => "that needs more games than can be played".to_owned(),
        Some(games) if known.at_least => format!("that needs at least {games}"),
        Some(games) => format!("that needs about {games}"),
    };
    match (known.at_least, known.met) {
        (true, true) => {
            let hint = if known.relative { "" } else { "; for a share of the value ask for `10%rel`" };
            format!("{name} had no such event: it is 0 {found}, within {asked}, as asked{hint}")
        }
        (true, false) => format!("{name} had no such event: it is 0 {found}, not {asked}; {needed}"),
        (false, true) => format!("{name} is known to {found}, within {asked}, as asked"),
        (false, false) => format!("{name} is known to {found}, not to {asked}: {needed}"),
    }
}

/// The figure, and its group if it is about one.
pub fn full_name(known: &Precision, names: &AgentNames) -> String {
    if known.group == "all" {
        known.name.clone()
    } else {
        format!("{} of {}", known.name, names.group(&known.group))
    }
}

/// The distance that was asked for, with its sign and unit.
pub fn asked(known: &Precision) -> String {
    if known.relative {
        format!("±{} % of the value", rounded(100.0 * known.within))
    } else {
        amount(known, known.within)
    }
}

/// A distance with its sign and unit, and its share of the value if that is asked for.
fn amount(known: &Precision, distance: f64) -> String {
    let absolute = if known.is_rate {
        format!("±{} %", rounded(100.0 * distance))
    } else {
        format!("±{}", rounded(distance))
    };
    match known.value.filter(|value| known.relative && *value != 0.0) {
        Some(value) => format!("±{} % of the value ({absolute})", rounded(100.0 * distance / value.abs())),
        None => absolute,
    }
}

/// Three significant digits, without zeros at the end.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_three_digits_that_count() {
        let of = |is_rate, distance| {
            let known = Precision {
                name: String::new(),
                group: "all".to_owned(),
                within: 0.0,
                relative: false,
                value: None,
                distance: None,
                met: false,
                games: None,
                at_least: false,
                is_rate,
            };
            amount(&known, distance)
        };
        for (is_rate, distance, text) in [
            (true, 0.00001, "±0.001 %"),
            (true, 0.123_456, "±12.3 %"),
            (true, 0.000_012_345, "±0.00123 %"),
            (false, 50.0, "±50"),
            (false, 1234.5, "±1230"),
        ] {
            assert_eq!(of(is_rate, distance), text);
        }
    }

    /// A figure without an event is not called known, and a share of the value is named as such.
    #[test]
    fn lines_say_what_is_known() {
        let names = AgentNames::new([]);
        let rate = |within, relative: bool, value, met, at_least: bool| Precision {
            name: "draws.four-kans".to_owned(),
            group: "all".to_owned(),
            within,
            relative,
            value: Some(value),
            distance: Some(0.0005),
            met,
            games: (!relative || !at_least).then_some(9000),
            at_least,
            is_rate: true,
        };
        for (known, text) in [
            (rate(0.001, false, 0.004, true, false), "is known to ±0.05 %, within ±0.1 %, as asked"),
            (
                rate(0.001, false, 0.0, true, true),
                "had no such event: it is 0 ±0.05 %, within ±0.1 %, as asked; for a share of the value ask for \
                 `10%rel`",
            ),
            (
                rate(0.0001, false, 0.0, false, true),
                "had no such event: it is 0 ±0.05 %, not ±0.01 %; that needs at least 9,000 games",
            ),
            (
                rate(0.1, true, 0.004, false, false),
                "is known to ±12.5 % of the value (±0.05 %), not to ±10 % of the value: that needs about 9,000 games",
            ),
            (
                rate(0.1, true, 0.0, false, true),
                "had no such event: it is 0 ±0.05 %, not ±10 % of the value; how many games that needs is unknown",
            ),
        ] {
            assert_eq!(sentence(&known, &names), format!("draws.four-kans {text}"));
        }
    }
}
