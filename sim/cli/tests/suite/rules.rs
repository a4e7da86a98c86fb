//! `jantaku rules`.

use std::fs;

use crate::common::program::{folder, jantaku, ok, path, text};
use jantaku_engine::Rules;
use jantaku_engine::rules::PRESETS;

#[test]
fn bad_rule_files_are_refused() {
    let folder = folder();
    let file = path(&folder, "my.toml");
    let cases = [
        (
            "max_ron = 1\n",
            "my.toml:1: `triple_ron`: expected HeadBump with max_ron = 1, found \"Abort\", which `tenhou` sets",
        ),
        (
            "base = 'mjsoul'\nkuikae = 'None'\n",
            "my.toml:2: `kuikae`: expected Both | GenbutsuOnly | SujiOnly | Free, found \"None\"",
        ),
        (
            "akadora = 3\n",
            "my.toml:1: `akadora`: unknown field; did you mean `aka`? `jantaku rules reference` lists all",
        ),
        (
            "base = 'majsoul'\n",
            "my.toml:1: `base`: unknown preset \"majsoul\", did you mean `mjsoul`? Expected one of tenhou,",
        ),
        (
            "[rules]\nkuitan = true\n",
            "my.toml:1: `rules`: unknown table; a rule file has no sections: its fields are at the top level; \
             `jantaku rules reference` lists all",
        ),
        (
            "kan_dorra.ankan = 'Off'\n",
            "its fields are at the top level; did you mean `kan_dora`? `jantaku rules reference` lists all",
        ),
        ("kuitan = yes\n", "my.toml:1: `kuitan`: expected true | false, found `yes` (not TOML: "),
    ];
    for (rules, message) in cases {
        fs::write(&file, rules).expect("a file");
        let output = jantaku(&["selfplay", "--games", "1", "--log", "none", "--rules", &file]);
        assert_eq!(output.status.code(), Some(2), "{rules}");
        assert!(text(&output.stderr).contains(message), "{rules}: {}", text(&output.stderr));
        let checked = jantaku(&["rules", "check", "tenhou", &file]);
        assert_eq!(checked.status.code(), Some(1), "{rules}");
        assert!(text(&checked.stdout).contains(message), "{rules}: {}", text(&checked.stdout));
    }
    fs::write(&file, b"# mine\nkuitan = false # \xff").expect("a file");
    let refused = jantaku(&["rules", "check", &file]);
    let found = "my.toml:2: expected UTF-8, found the byte 0xff at 24: save the file as UTF-8";
    assert!(text(&refused.stdout).contains(found), "{}", text(&refused.stdout));
    fs::write(&file, "max_ron = 5\nkuitan = 1\n").expect("a file");
    let refused = text(&jantaku(&["rules", "check", &file]).stdout);
    assert_eq!(refused.matches("my.toml:").count(), 2, "all problems: {refused}");
    fs::write(&file, "kuitan = true\nkita_rob = true\n").expect("a file");
    let idle = ok(&["rules", "check", &file]);
    assert!(
        idle.ends_with("my.toml:2: note: `kita_rob`: no effect: `north` is not \"Nukidora\"\n"),
        "{idle}"
    );
    fs::write(&file, "base = 'mleague'\nkiriage = false\n").expect("a file");
    let mleague = ok(&["rules", "check", &file]);
    assert!(mleague.starts_with(&format!("{file}: ok, on top of mleague, hash ")), "{mleague}");
    let (empty, tenhou) = (path(&folder, "empty.toml"), Rules::default().hash());
    fs::write(&empty, "").expect("a file");
    assert_eq!(
        ok(&["rules", "check", &empty]),
        format!("{empty}: ok, on top of tenhou, hash {tenhou:016x}\n")
    );
    assert_eq!(ok(&["rules", "diff", "mleague", &file]).lines().count(), 2);
    ok(&["selfplay", "--games", "2", "--log", "none", "--rules", &file]);
}

#[test]
fn rules_show_prints_a_rule_file() {
    for preset in PRESETS {
        let shown = ok(&["rules", "show", preset.name]);
        assert_eq!(Rules::from_toml(&shown, "shown"), Ok(preset.rules()));
        // An address has no place to break.
        let is_long = |line: &&str| line.chars().count() > 80 && line.split(' ').count() > 2;
        let long = shown.lines().filter(|line| line.contains('#')).find(is_long);
        assert_eq!(long, None, "{}", preset.name);
    }
}

#[test]
fn the_beginning_of_a_name_is_a_hint_at_it() {
    let unknown = jantaku(&["rules", "show", "rmu"]);
    assert!(text(&unknown.stderr).contains("did you mean `rmu-a`?"), "{}", text(&unknown.stderr));
}

/// Whoever compares a preset with the league's page sees which values the page does not state.
#[test]
fn rules_diff_marks_what_a_preset_assumes() {
    let differing = ok(&["rules", "diff", "saikouisen", "tenhou"]);
    let line = |field: &str| {
        let found = differing.lines().find(|line| line.trim_start().starts_with(field));
        found.unwrap_or_else(|| panic!("no {field} in {differing}"))
    };
    assert!(line("noten_declaration").contains("true *"), "{differing}");
    assert!(!line("start_points").contains('*'), "{differing}");
    assert!(differing.contains("* assumed; `jantaku rules show` has the reason"), "{differing}");
    assert!(!ok(&["rules", "diff", "tenhou", "tenhou-nashi"]).contains('*'));
}
