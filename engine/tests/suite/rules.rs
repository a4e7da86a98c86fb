//! Rule files: presets, hashes, the reference page and error messages.

use jantaku_engine::rules::options::{Aka, Maybe, NotenPool, Renhou, Uma};
use jantaku_engine::rules::{FIELDS, FieldOrigin, FieldProblem, PRESETS, Preset, reference};
use jantaku_engine::{DrawReason, Players, Rules, Yaku, YakuSet};

#[test]
fn presets_are_valid() {
    for preset in PRESETS {
        assert_eq!(
            Rules::from_toml(preset.toml, preset.name).map(|rules| rules.check()),
            Ok(Ok(())),
            "{}",
            preset.name
        );
        assert!(!preset.title().is_empty() && !preset.source().is_empty(), "{}", preset.name);
        let table: toml::Table = preset.toml.parse().expect("read above");
        assert_eq!(preset.base(), table.get("base").and_then(|base| base.as_str()), "{}", preset.name);
    }
}

#[test]
fn documented_fields_are_the_fields_of_the_table() {
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

/// Datasets identify rules by these hashes.
#[test]
fn hashes_never_change() {
    let line = |preset: &Preset| format!("{} {:016x}", preset.name, preset.rules().hash());
    let hashes: Vec<String> = PRESETS.iter().map(line).collect();
    assert_eq!(hashes, include_str!("../rules/hashes.txt").lines().collect::<Vec<_>>());
}

/// `docs/rules.md` is generated from the code.
#[test]
fn the_reference_page_is_up_to_date() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules.md")).expect("the page");
    let code = reference();
    let differs = page.lines().zip(code.lines()).find(|(page, code)| page != code);
    assert!(page == code, "first difference: {differs:?}; `jantaku rules reference` prints the new page");
}

#[test]
fn origin_names_the_preset_that_sets_a_value() {
    let origin = |field, preset: &str| {
        let preset = Preset::named(preset).expect("a preset");
        FieldOrigin::of(field, preset.toml, preset.name)
    };
    let of = |rules: &str, note: Option<&str>| FieldOrigin {
        rules: rules.to_owned(),
        note: note.map(str::to_owned),
    };
    assert_eq!(origin("kiriage", "ema-2025"), of("ema-2025", None));
    assert_eq!(origin("chombo", "ema-2025"), of("ema-2016", None));
    assert_eq!(origin("min_yaku", "ema-2025"), of("tenhou", None));
    let note = "summary at majannavi.com/archives/55";
    assert_eq!(origin("riichi_min_live", "mleague"), of("mleague", Some(note)));
}

#[test]
fn a_changed_field_changes_the_hash() {
    let default = Rules::default();
    let changed = Rules { honba_ron: 1500, ..default };
    assert_ne!(default.hash(), changed.hash());
    assert_eq!(Preset::named("tenhou").map(|p| p.rules().hash()), Some(default.hash()));
}

/// Other forms of values of these rules, as lines of a rule file.
fn other_forms(rules: &Rules) -> Vec<String> {
    let table = rules.to_table();
    let players = i32::from(rules.players.count());
    let zeros = vec![0; players as usize];
    // Players whom the game does not have pay an arbitrary number.
    let each = |tenpai| {
        let used = tenpai < players;
        if used { rules.noten_pool.total(tenpai, players) / (players - tenpai) } else { 700 }
    };
    let rows: Vec<toml::Value> = match table["uma"].as_array().expect("a list") {
        row if row[0].is_integer() => vec![table["uma"].clone(); players as usize + 1],
        rows => {
            let zeros = [toml::Value::try_from(&zeros).expect("a list")];
            zeros.iter().chain(rows.iter().rev()).chain(&zeros).cloned().collect()
        }
    };
    let mut forms = vec![
        format!("noten_pool = {:?}", [each(1), each(2), each(3)]),
        format!("renchan = {{ east = {0}, later = {0} }}", table["renchan"]),
        format!("uma = {{ below_start = {} }}", toml::Value::Array(rows)),
    ];
    if rules.shibari.steps().is_empty() {
        forms.push(format!("min_yaku = 1\nshibari = [[0, {}]]", rules.min_yaku));
    }
    if rules.max_ron == 2 && players == 4 {
        forms.push("max_ron = 3".to_owned());
    }
    forms
}

#[test]
fn forms_of_a_value_are_the_same_rules() {
    for preset in PRESETS {
        let rules = preset.rules();
        for form in other_forms(&rules) {
            let read = Rules::from_toml(&format!("base = '{}'\n{form}", preset.name), "text");
            assert_eq!(read, Ok(rules), "{}: {form}", preset.name);
        }
    }
    let no_bonus = |uma: &str| Rules::from_toml(&format!("base = 'mjsoul'\numa = {uma}"), "text");
    let zeros = "[0, 0, 0, 0]";
    assert_eq!(no_bonus(&format!("[{zeros}, {zeros}, {zeros}]")), no_bonus(zeros));
    // Rules of a program have the same hash in all forms, too.
    let (default, each) = (Rules::default(), NotenPool::Each([1000, 1500, 3000]));
    assert_eq!(Rules { noten_pool: each, ..default }.hash(), default.hash());
}

#[test]
fn similar_values_are_other_rules() {
    for (text, other) in [
        ("", "noten_pool = [1000, 1500, 0]"),
        ("", "shibari = [[1, 2]]"),
        ("", "renchan = { east = 'WinOrTenpai', later = 'Win' }"),
        ("max_ron = 3\ntriple_ron = 'HeadBump'", "max_ron = 3\ntriple_ron = 'Pay'"),
        // Without return points equal to the start points, other players count.
        (
            "uma = [[8, 0, 0, -8], [8, 0, 0, -8], [8, 0, 0, -8]]",
            "uma = { below_start = [[0, 0, 0, 0], [8, 0, 0, -8], [8, 0, 0, -8], [8, 0, 0, -8], [0, 0, 0, 0]] }",
        ),
    ] {
        let [rules, others] = [text, other].map(|text| Rules::from_toml(text, "text").expect("valid rules"));
        assert_ne!(rules.hash(), others.hash(), "{other}");
    }
}

/// The files of `tests/rules/bad.toml`, which are wrong in all ways.
#[test]
fn errors_name_file_line_field_and_allowed_values() {
    let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let local: Vec<&str> = YakuSet::LOCAL.iter().map(Yaku::name).collect();
    let bad: toml::Table = include_str!("../rules/bad.toml").parse().expect("TOML");
    for file in bad["file"].as_array().expect("files") {
        let [text, error] = ["text", "error"].map(|key| file[key].as_str().expect("a text"));
        let expected = error.replace("PRESETS", &presets.join(", ")).replace("LOCAL", &local.join(", "));
        let found = Rules::from_toml(text, "my.toml").unwrap_err().to_string();
        assert_eq!(found.lines().next(), Some(expected.as_str()), "{text}");
    }
}

/// One run of `rules check` finds everything that is wrong with a file.
#[test]
fn all_problems_of_a_file_are_found_at_once() {
    for (text, fields) in [
        (
            "kuikea = 'Both'\nmax_ron = 5\nkuitan = true\nmax_yakuman = 'all'",
            "1 kuikea, 2 max_ron, 4 max_yakuman",
        ),
        ("players = 3", "1 uma, 1 triple_ron, 1 noten_pool"),
        ("max_ron = 1\ntarget = 'none'", "1 triple_ron, 2 target"),
        // A field that cannot be read, or a wrong base, contradicts nothing.
        ("max_ron = 'one'\ntriple_ron = 'Pay'", "1 max_ron"),
        ("base = 'tenhuo'\nplayers = 3\nkuitan = 1", "1 base, 3 kuitan"),
    ] {
        let error = Rules::from_toml(text, "my.toml").unwrap_err();
        let at =
            |p: &FieldProblem| format!("{} {}", p.line.expect("a line"), p.field.as_deref().unwrap_or(""));
        assert_eq!(error.problems.iter().map(at).collect::<Vec<_>>().join(", "), fields, "{text}");
        assert!(error.to_string().lines().all(|line| line.starts_with("my.toml:")), "{error}");
    }
}

/// Fields without effect are noted if the file sets them.
#[test]
fn fields_without_effect_are_found() {
    let of = |text: &str| {
        let rules = Rules::from_toml(text, "my.toml").unwrap_or_else(|error| panic!("{error}"));
        let problems = rules.idle_fields_in(text);
        problems.iter().map(|p| format!("{} {p}", p.line.expect("a line"))).collect::<Vec<_>>()
    };
    assert_eq!(of("base = 'mleague'\nkiriage = false"), Vec::<String>::new());
    assert_eq!(
        of("kita_rob = true\npao = []\nnagashi = 'Off'\nnagashi_yakuman = true\npao_scope = 'YakuOnly'"),
        [
            "1 `kita_rob`: no effect: `north` is not \"Nukidora\"",
            "4 `nagashi_yakuman`: no effect: `nagashi` is \"Off\"",
            "5 `pao_scope`: no effect: `pao` is empty",
        ]
    );
    assert_eq!(of("base = 'wrc'\ndora = false\nstart_indicators = 3\nchombo_ends_game = true"), [""; 0]);
    assert_eq!(
        of("base = 'wrc'\ndora = false\nura = false\nkan_ura = false\nstart_indicators = 3"),
        [
            "4 `kan_ura`: no effect: `dora` is false",
            "5 `start_indicators`: no effect: `dora` and `ura` are false"
        ]
    );
    assert_eq!(of("chombo_ends_game = true"), ["1 `chombo_ends_game`: no effect: `chombo` is \"Off\""]);
}

/// The student league of Japan: a set that is completed by a kan makes nobody liable, except for
/// the fourth kan of suukantsu.
#[test]
fn liability_can_leave_out_kans() {
    let text = "base = 'tenhou'\npao = ['daisangen', 'daisuushii', 'suukantsu']\npao_by_kan = false";
    let rules = Rules::from_toml(text, "gakusei.toml").expect("a rule file");
    assert!(!rules.pao_by_kan && Rules::default().pao_by_kan);
    assert!(rules.idle_fields_in(text).is_empty());
}

/// A file can build on another one, which the caller finds.
#[test]
fn a_base_can_be_another_file() {
    let house = "base = 'mleague'\nkuitan = false";
    let load =
        |name: &str| (name == "house.toml").then(|| Rules::from_toml(house, name).map_err(|e| e.to_string()));
    let read = |text: &str| Rules::from_toml_with(text, "my.toml", load);
    let rules = read("base = 'house.toml'\nmax_ron = 2").expect("a rule file");
    let expected = Rules { kuitan: false, max_ron: 2, ..Rules::preset("mleague").expect("a preset") };
    assert_eq!(rules, expected);
    assert_eq!(read("base = 'wrc'").ok(), Rules::preset("wrc"));
    let error = read("max_ron = 3\nbase = 'hose.toml'").expect_err("no such file").to_string();
    assert!(error.starts_with("my.toml:2: `base`: unknown preset \"hose.toml\""), "{error}");
    assert_eq!(FieldOrigin::of("kuitan", "base = 'house.toml'", "my.toml").rules, "house.toml");
}

#[test]
fn long_names_and_values_are_cut() {
    let long = "a".repeat(10_000);
    for text in [format!("{long} = 1"), format!("kuikae = '{long}'"), format!("base = '{long}'")] {
        let error = Rules::from_toml(&text, "my.toml").unwrap_err().to_string();
        assert!(error.len() < 2000 && error.contains("aaa…"), "{error}");
    }
}

#[test]
fn base_of_names_the_preset_that_a_file_builds_on() {
    assert_eq!(Rules::base_of("base = 'mleague'\nkuitan = false"), "mleague");
    assert_eq!(Rules::base_of("kuitan = false"), "tenhou");
    assert_eq!(Rules::base_of("not TOML"), "tenhou");
}

/// A text of rules has the closest preset and the fields that differ from it, no other ones.
#[test]
fn texts_of_rules_state_what_differs() {
    for preset in PRESETS {
        let rules = preset.rules();
        let first = PRESETS.iter().find(|other| other.rules() == rules).expect("itself at the latest");
        assert_eq!(rules.to_toml(), format!("base = \"{}\"\n", first.name));
        if rules.players == Players::Four {
            let rules = Rules { nagashi_yakuman: true, ..rules };
            assert_eq!(rules.to_toml(), format!("base = \"{}\"\nnagashi_yakuman = true\n", first.name));
        }
    }
}

/// A text states the noten payments if it changes the number of players, and no other field that
/// stays the same.
#[test]
fn texts_of_rules_for_fewer_players_state_the_noten_payments() {
    let base = Rules::preset("mleague").expect("a preset");
    let rules = Rules { players: Players::Three, uma: Uma::new(&[20, 0, -20]), ..base };
    let text = "base = \"mleague\"\nnoten_pool = 3000\nplayers = 3\numa = [20, 0, -20]\n";
    assert_eq!(rules.to_toml(), text);
}

/// The parts of a table that a file leaves out keep the values of the base, but a choice replaces
/// another one.
#[test]
fn tables_are_merged_and_choices_are_replaced() {
    let read = |text: &str| Rules::from_toml(text, "text").expect("valid rules");
    let no_red = Aka { m: 0, ..Rules::default().aka };
    assert_eq!(read("aka.m = 0").aka, no_red);
    let base = read("base = 'ema-2025'");
    assert!(matches!(base.renhou, Renhou::HanAlone(_)));
    assert_eq!(read("base = 'ema-2025'\nrenhou = { HanAdd = 2 }").renhou, Renhou::HanAdd(2));
}

/// A rule file states the noten payments if it changes the number of players.
#[test]
fn rules_for_fewer_players_survive_a_round_trip() {
    let base = Rules::preset("dragon-kong-3").expect("a preset");
    for noten_pool in [0, 2000, 3000] {
        let rules = Rules { noten_pool: NotenPool::Total(noten_pool), kiriage: true, ..base };
        assert_eq!(Rules::from_toml(&rules.to_toml(), "text"), Ok(rules));
        let four =
            "base = 'dragon-kong'\nplayers = 3\nmax_ron = 2\ntriple_ron = 'HeadBump'\numa = [9, 0, -9]";
        let read = Rules::from_toml(&format!("{four}\nnoten_pool = {noten_pool}"), "text");
        assert_eq!(read.map(|rules| rules.noten_pool), Ok(NotenPool::Total(noten_pool)));
    }
}

#[test]
fn values_at_their_limits_are_allowed() {
    for text in [
        "riichi_stick = 0\nstart_indicators = 5\ngoal_points = 25100\nnoten_pool = [0, 0, 300]",
        "aka = { m = 4 }",
        "shibari = [[1, 1], [2, 2], [3, 3], [4, 4]]",
        "riichi_min_live = 70",
    ] {
        assert!(Rules::from_toml(text, "my.toml").is_ok(), "{text}");
    }
}

/// Each rule that decides whether a yaku counts.
#[test]
fn rules_exclude_yaku() {
    let excluded = |toml: &str| Rules::from_toml(toml, "test").expect("valid rules").excluded_yaku();
    let usual = excluded("");
    let others = [
        Yaku::OppositeWind,
        Yaku::NorthWind,
        Yaku::Renhou,
        Yaku::RenhouYakuman,
        Yaku::OpenRiichi,
        Yaku::OpenRiichiYakuman,
    ];
    assert_eq!(usual, YakuSet::LOCAL | others.into_iter().collect());
    let changes: [(&str, &[Yaku]); 7] = [
        ("local_yaku = [\"sanrenkou\", \"daisharin\"]", &[Yaku::Sanrenkou, Yaku::Daisharin]),
        ("double_round_wind = true", &[Yaku::OppositeWind]),
        ("renhou = \"ManganFloor\"", &[Yaku::Renhou]),
        ("renhou = { HanAdd = 5 }", &[Yaku::Renhou]),
        ("renhou = \"Yakuman\"", &[Yaku::RenhouYakuman]),
        ("open_riichi = \"OneHan\"", &[Yaku::OpenRiichi]),
        ("open_riichi = \"YakumanFromOthers\"", &[Yaku::OpenRiichi, Yaku::OpenRiichiYakuman]),
    ];
    for (toml, allowed) in changes {
        assert_eq!(excluded(toml), usual - allowed.iter().copied().collect(), "{toml}");
    }
    assert_eq!(excluded("ippatsu = false"), usual.with(Yaku::Ippatsu, true));
    let three = excluded("base = \"tenhou-sanma\"");
    assert!(three.contains(Yaku::SanshokuDoujun) && !three.contains(Yaku::SanshokuDoukou));
    let yakuhai = excluded("base = \"tenhou-sanma\"\nnorth = \"Yakuhai\"");
    assert_eq!(three - yakuhai, YakuSet::of(Yaku::NorthWind));
}

/// A program can make rules without a file, so `Rules::check` checks the numbers, too. Its error has the value
/// found and the allowed values.
#[test]
fn numbers_of_rules_without_a_file_are_checked() {
    let usual = Rules::default();
    for (rules, error) in [
        (
            Rules { honba_ron: -300, ..usual },
            "`honba_ron`: expected a multiple of 100 from 0 to 5000, found -300",
        ),
        (
            Rules { riichi_min_live: 71, ..usual },
            "`riichi_min_live`: expected a number from 0 to 70, found 71",
        ),
        (Rules { target: Maybe(Some(-100)), ..usual }, "`target`: "),
        (Rules { max_yakuman: Maybe(Some(0)), ..usual }, "`max_yakuman`: "),
        (Rules { start_points: -100, ..usual }, "`start_points`: "),
        (Rules { min_yaku: 0, ..usual }, "`min_yaku`: "),
    ] {
        let found = rules.check().unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}");
    }
}

#[test]
fn can_draw_by_follows_the_rules() {
    let impossible = |toml: &str| -> Vec<DrawReason> {
        let rules = Rules::from_toml(toml, "test").expect("valid rules");
        DrawReason::ALL.into_iter().filter(|reason| !rules.can_draw_by(*reason)).collect()
    };
    assert_eq!(impossible(""), [DrawReason::Chombo]);
    assert_eq!(impossible("enforce = 'Referee'\nchombo = 'ReverseMangan'"), []);
    for (toml, reason) in [
        ("nagashi = 'Off'", DrawReason::Nagashi),
        ("kyuushu = false", DrawReason::KyuushuKyuuhai),
        ("suufon = false", DrawReason::FourWinds),
        ("suucha = false", DrawReason::FourRiichi),
        ("suukaikan = false", DrawReason::FourKans),
        ("triple_ron = 'HeadBump'", DrawReason::TripleRon),
    ] {
        assert_eq!(impossible(toml), [reason, DrawReason::Chombo], "{toml}");
    }
    assert_eq!(impossible("suukaikan = false\nfifth_kan = 'AbortsHand'"), [DrawReason::Chombo]);
}

#[test]
fn most_winners_follows_the_rules() {
    for (toml, winners) in [
        ("", 2),
        ("max_ron = 1\ntriple_ron = 'HeadBump'", 1),
        ("max_ron = 3\ntriple_ron = 'Pay'", 3),
        ("max_ron = 3\ntriple_ron = 'HeadBump'", 2),
    ] {
        let rules = Rules::from_toml(toml, "test").expect("valid rules");
        assert_eq!(rules.most_winners(), winners, "{toml}");
    }
}
