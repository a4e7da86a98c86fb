//! Rule files: presets, and errors that say where, what and what else.

use jantaku_engine::Rules;
use jantaku_engine::rules::{FIELDS, PRESETS, Preset};

#[test]
fn every_preset_can_be_played() {
    for preset in PRESETS {
        assert_eq!(
            Rules::from_toml(preset.toml, preset.name).map(|rules| rules.check()),
            Ok(Ok(())),
            "{}",
            preset.name
        );
        assert!(!preset.title().is_empty(), "{}", preset.name);
    }
}

#[test]
fn the_fields_are_the_fields_of_the_table() {
    let table = Rules::default().to_table();
    let mut names: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    names.sort_unstable();
    assert_eq!(names, table.keys().collect::<Vec<_>>());
}

#[test]
fn rules_survive_a_round_trip() {
    for preset in PRESETS {
        let rules = preset.rules();
        let text = rules.to_table().to_string();
        assert_eq!(Rules::from_toml(&text, "text"), Ok(rules), "{}", preset.name);
    }
}

/// Datasets name their rules by these numbers.
#[test]
fn hashes_never_change() {
    let hashes: Vec<String> =
        PRESETS.iter().map(|p| format!("{} {:016x}", p.name, p.rules().hash())).collect();
    let expected = [
        "tenhou cbf29ce484222325",
        "tenhou-nashi a637b9b8783f9fec",
        "mjsoul 4fc46a2bb245ec15",
        "mleague b2af8f0799f4dfeb",
        "wrc 8f4260aafea6724a",
        "ema-2016 6ea85bf8f6715a74",
        "tenhou-sanma 899d7ded8bb1a272",
        "mjsoul-sanma e1266144c344e442",
    ];
    assert_eq!(hashes, expected);
}

#[test]
fn a_changed_field_changes_the_hash() {
    let default = Rules::default();
    let changed = Rules { honba_ron: 1500, ..default };
    assert_ne!(default.hash(), changed.hash());
    assert_eq!(Preset::named("tenhou").map(|p| p.rules().hash()), Some(default.hash()));
}

#[test]
fn errors_name_file_line_field_and_allowed_values() {
    let cases = [
        (
            "kuikae = 'both'",
            "my.toml:1: `kuikae`: unknown variant `both`, expected one of `Both`, `GenbutsuOnly`, `SujiOnly`, `Free`",
        ),
        ("base = 'tenhuo'", "my.toml:1: `base`: unknown preset \"tenhuo\", expected one of PRESETS"),
        ("# mine\nippatsu = 1", "my.toml:2: `ippatsu`: invalid type: integer `1`, expected a boolean"),
        ("target = 'nobody'", "my.toml:1: `target`: found \"nobody\", expected a number or \"none\""),
        ("players = 5", "my.toml:1: `players`: 5 players: expected 2, 3 or 4"),
        ("max_ron = 3\ntriple_ron = 'Pay'\nmax_ron = 1", "my.toml:3: not TOML: duplicate key"),
        (
            "max_ron = 1",
            "my.toml: `triple_ron`: Abort needs max_ron of 2 or 3; with max_ron = 1 use HeadBump, found \"Abort\"",
        ),
        ("players = 3", "my.toml: `uma`: expected as many numbers as players, found [20, 10, -10, -20]"),
        (
            "kan_dora.minkan = 'Late'",
            "my.toml:1: `kan_dora`: unknown variant `Late`, expected one of `Immediate`, `AtDiscard`, `AfterDiscardPassed`, `Off`",
        ),
        (
            "kan_dora.open = 'Off'",
            "my.toml:1: `kan_dora`: unknown field `open`, expected `ankan` or `minkan`",
        ),
        (
            "pao = ['pinfu']",
            "my.toml:1: `pao`: expected some of daisangen, daisuushii, suukantsu, found [\"pinfu\"]",
        ),
        ("uma = [1,2,3,4,5]", "my.toml:1: `uma`: invalid length 5, expected at most four numbers"),
        ("max_ron = ", "my.toml:1: not TOML: string values must be quoted, expected literal string"),
    ];
    let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    for (text, message) in cases {
        let message = message.replace("PRESETS", &presets.join(", "));
        assert_eq!(Rules::from_toml(text, "my.toml").unwrap_err().to_string(), message, "{text}");
    }
    let unknown = Rules::from_toml("kuikea = 'Both'", "my.toml").unwrap_err().to_string();
    assert!(
        unknown.starts_with("my.toml:1: `kuikea`: unknown field, expected `base` or one of players, tiles,"),
        "{unknown}"
    );
}
