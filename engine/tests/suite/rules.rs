//! Rule files: presets, hashes, the reference page and error messages.

use jantaku_engine::rules::options::{Aka, Maybe, Renhou, Uma};
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
    let hashes: Vec<String> =
        PRESETS.iter().map(|p| format!("{} {:016x}", p.name, p.rules().hash())).collect();
    let expected = [
        "tenhou cbf29ce484222325",
        "tenhou-tonpuu 08366b74514a8e5d",
        "tenhou-noaka e1bfd693be7fd18c",
        "tenhou-nashi a637b9b8783f9fec",
        "mjsoul 4fc46a2bb245ec15",
        "mjsoul-tonpuu ad0501df2340bced",
        "mleague e015ff043ca684c0",
        "wrc b1f54f23c42c6d3d",
        "wrc-2022 2c26e71106105e3f",
        "wrc-2015 8543a9b02175a87e",
        "jpml-a e2f9c6ffd777a34d",
        "jpml-a-2017 a32f85ea522bbfc6",
        "jpml-wrc b1f54f23c42c6d3d",
        "ron2 122fe57cb0484b0c",
        "rmu-a 4e9c74e59a7c51b9",
        "rmu-b 6957fc0f63515d23",
        "rmu-m 37dad2275b52005e",
        "saikouisen bcd7da0e5ab288af",
        "saikouisen-classic 2063331399e33a6f",
        "mu 9f5da94984f88b2c",
        "kyokai 868d6c6d89bc8385",
        "saikyosen 4494f04d18829451",
        "ema-2025 84c7d9582249acfd",
        "ema-2016 0d989dd3bcb1b229",
        "ema-2012 f63f96bf5244528e",
        "ema-2008 96907dab513af06c",
        "dragon-kong c92286b101f19a77",
        "dragon-kong-express 74a0511e947bdd11",
        "dragon-kong-3 750ffefba5c37c50",
        "dragon-kong-2 629c91972dd22388",
        "saki 7fe5a0581dc8a695",
        "club-common a26f118bb27547b9",
        "club-simple 8161a064157a100c",
        "guide f612872b6e75cff0",
        "riichi-city 8891253076d9527b",
        "majiang-default 720fc8891f361fb8",
        "majiang-classic d6690f2016c32aa9",
        "tenhou-sanma 899d7ded8bb1a272",
        "mjsoul-sanma e1266144c344e442",
        "duo 56e78e7320ef0ee2",
    ];
    assert_eq!(hashes, expected);
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
    let note = "assumed: another source asks for one tile";
    assert_eq!(origin("riichi_min_live", "mleague"), of("mleague", Some(note)));
}

#[test]
fn a_changed_field_changes_the_hash() {
    let default = Rules::default();
    let changed = Rules { honba_ron: 1500, ..default };
    assert_ne!(default.hash(), changed.hash());
    assert_eq!(Preset::named("tenhou").map(|p| p.rules().hash()), Some(default.hash()));
}

/// Bad rule files, each with its error. `PRESETS` is replaced by the names of all presets.
const BAD_FILES: &[(&str, &str)] = &[
    (
        "kuikae = 'both'",
        "my.toml:1: `kuikae`: expected Both | GenbutsuOnly | SujiOnly | Free, found \"both\", did you mean `Both`?",
    ),
    (
        "base = 'tenhuo'",
        "my.toml:1: `base`: unknown preset \"tenhuo\", did you mean `tenhou`? Expected one of PRESETS",
    ),
    ("base = 1", "my.toml:1: `base`: expected the name of a preset, found 1"),
    ("# mine\nippatsu = 1", "my.toml:2: `ippatsu`: expected true | false, found 1"),
    ("target = 'nobody'", "my.toml:1: `target`: expected a number or \"none\", found \"nobody\""),
    ("players = 5", "my.toml:1: `players`: expected 2 | 3 | 4, found 5"),
    ("max_ron = 3\ntriple_ron = 'Pay'\nmax_ron = 1", "my.toml:3: `max_ron`: not TOML: duplicate key"),
    (
        "max_ron = 1",
        "my.toml:1: `triple_ron`: expected HeadBump with max_ron = 1, found \"Abort\", which `tenhou` sets",
    ),
    (
        "players = 3",
        "my.toml:1: `uma`: expected 3 numbers, one for each player, found [20, 10, -10, -20], which `tenhou` sets",
    ),
    (
        "kan_dora.minkan = 'Late'",
        "my.toml:1: `kan_dora`: expected { ankan|minkan = \"Immediate\" } | { ankan|minkan = \"AtDiscard\" } | { ankan|minkan = \"AfterDiscardPassed\" } | { ankan|minkan = \"Off\" }, found { minkan = \"Late\" }",
    ),
    (
        "kan_dora.open = 'Off'",
        "my.toml:1: `kan_dora`: expected { ankan|minkan = \"Immediate\" } | { ankan|minkan = \"AtDiscard\" } | { ankan|minkan = \"AfterDiscardPassed\" } | { ankan|minkan = \"Off\" }, found { open = \"Off\" }",
    ),
    ("pao = ['pinfu']", "my.toml:1: `pao`: found `pinfu`, expected one of daisangen, daisuushii, suukantsu"),
    (
        "uma = [[1, 2, 3, 4], [1, 2]]",
        "my.toml:1: `uma`: expected at most three lists of the same length, with at most four numbers each, found [[1, 2, 3, 4], [1, 2]]",
    ),
    (
        "uma = [300, 0, 0, -300]",
        "my.toml:1: `uma`: expected thousands of points by placement, each from -128 to 127, such as [20, 10, -10, -20], or a list of such lists, found [300, 0, 0, -300]",
    ),
    (
        "uma = [[12, -1, -3, -8]]",
        "my.toml:1: `uma`: expected 3 lists of 4 numbers, for 1 to 3 players with the return points or more, found [[12, -1, -3, -8]]",
    ),
    ("local_yaku = ['kanburi', 'pinfu']", "my.toml:1: `local_yaku`: found `pinfu`, expected one of LOCAL"),
    (
        "local_yaku = ['kanbury']",
        "my.toml:1: `local_yaku`: found `kanbury`, did you mean `kanburi`? Expected one of LOCAL",
    ),
    (
        "base = 'tenhou-nashi'\nenforce = 'Referee'",
        "my.toml:2: `chombo`: expected a penalty, because enforce = \"Referee\" needs one, found \"Off\", which `tenhou` sets",
    ),
    (
        "yame_condition = 'TeamLeads'",
        "my.toml:1: `yame_condition`: expected another condition with agari_yame or tenpai_yame = \"Auto\", because only the dealer knows who leads, found \"TeamLeads\"",
    ),
    (
        "extension = 'None'\ntenpai_yame = 'Off'\ntarget = 'none'",
        "my.toml:3: `target`: expected points, because `extension` or `yame_condition` needs a target, found \"none\"",
    ),
    (
        "shibari = [[1,1],[2,2],[3,3],[4,4],[5,5]]",
        "my.toml:1: `shibari`: expected at most four steps of honba and han, found [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]",
    ),
    ("uma = [1,2,3,4,5]", "my.toml:1: `uma`: expected at most four numbers, found [1, 2, 3, 4, 5]"),
    (
        "start_points = 2000000000",
        "my.toml:1: `start_points`: expected a number from 0 to 1000000 in hundreds, found 2000000000",
    ),
    (
        "uma = [0, 0, 0, 2000000]",
        "my.toml:1: `uma`: expected thousands of points by placement, each from -128 to 127, such as [20, 10, -10, -20], or a list of such lists, found [0, 0, 0, 2000000]",
    ),
    (
        "max_ron = ",
        "my.toml:1: `max_ron`: expected a number from 1 to 3, less than `players`, found `` (not TOML: string values must be quoted, expected literal string)",
    ),
    (
        "# mine\nwind_rounds = 99999999999999999999",
        "my.toml:2: `wind_rounds`: expected a number from 0 to 4, found `99999999999999999999` (not TOML: the number is too large)",
    ),
    (
        "max_yakuman = 5000000000",
        "my.toml:1: `max_yakuman`: expected a number from 1 to 100 | none, found 5000000000",
    ),
    ("hands_limit = 300", "my.toml:1: `hands_limit`: expected a number from 1 to 255 | none, found 300"),
    ("aka = { m = 300 }", "my.toml:1: `aka`: expected { m = 0-4, p = 0-4, s = 0-4 }, found { m = 300 }"),
    ("aka.m = 'one'", "my.toml:1: `aka`: expected { m = 0-4, p = 0-4, s = 0-4 }, found { m = \"one\" }"),
    (
        "kan_dora.minkan = 3",
        "my.toml:1: `kan_dora`: expected { ankan|minkan = \"Immediate\" } | { ankan|minkan = \"AtDiscard\" } | { ankan|minkan = \"AfterDiscardPassed\" } | { ankan|minkan = \"Off\" }, found { minkan = 3 }",
    ),
    (
        "kan_dora = 'Off'",
        "my.toml:1: `kan_dora`: expected { ankan|minkan = \"Immediate\" } | { ankan|minkan = \"AtDiscard\" } | { ankan|minkan = \"AfterDiscardPassed\" } | { ankan|minkan = \"Off\" }, found \"Off\"",
    ),
    ("shibari = [5, 2]", "my.toml:1: `shibari`: expected [[honba 0-255, han 1-13], …], found [5, 2]"),
    (
        "shibari = [[5, 2, 1]]",
        "my.toml:1: `shibari`: expected [[honba 0-255, han 1-13], …], found [[5, 2, 1]]",
    ),
    (
        "double_yakuman = ['tenhou']",
        "my.toml:1: `double_yakuman`: found `tenhou`, expected one of kokushi-13, suuankou-tanki, daisuushii, junsei-chuuren",
    ),
    ("pao = [1]", "my.toml:1: `pao`: expected [names of yaku], found [1]"),
    (
        "pao = ['daisangn']",
        "my.toml:1: `pao`: found `daisangn`, did you mean `daisangen`? Expected one of daisangen, daisuushii, suukantsu",
    ),
    (
        "uma = ['a']",
        "my.toml:1: `uma`: expected thousands of points by placement, each from -128 to 127, such as [20, 10, -10, -20], or a list of such lists, found [\"a\"]",
    ),
    (
        "renhou = { HanAdd = 'five' }",
        "my.toml:1: `renhou`: expected Off | ManganFloor | { HanAlone = 1-13 } | { HanAdd = 1-13 } | Yakuman, found { HanAdd = \"five\" }",
    ),
    (
        "renhou = 3",
        "my.toml:1: `renhou`: expected Off | ManganFloor | { HanAlone = 1-13 } | { HanAdd = 1-13 } | Yakuman, found 3",
    ),
    (
        "chombo = { FinalPenalty = 99999999999 }",
        "my.toml:1: `chombo`: expected Off | ReverseMangan | { FinalPenalty = 0-100000 } | FlatToOthers | FlatToBank, found { FinalPenalty = 99999999999 }",
    ),
    (
        "chombo = { Final = 1 }",
        "my.toml:1: `chombo`: expected Off | ReverseMangan | { FinalPenalty = 0-100000 } | FlatToOthers | FlatToBank, found { Final = 1 }",
    ),
    ("players = 'four'", "my.toml:1: `players`: expected 2 | 3 | 4, found \"four\""),
    ("players = 4294967300", "my.toml:1: `players`: expected 2 | 3 | 4, found 4294967300"),
    (
        "uma = [[1, -1, 0, 0], [1, -1, 0, 0]]",
        "my.toml:1: `uma`: expected 3 lists of 4 numbers, for 1 to 3 players with the return points or more, found [[1, -1, 0, 0], [1, -1, 0, 0]]",
    ),
    (
        "kuitan = yes",
        "my.toml:1: `kuitan`: expected true | false, found `yes` (not TOML: string values must be quoted, expected literal string)",
    ),
    (
        "kuitan = false\nippatsu = true\nmax_ron = 1\naka = { m = 0 }",
        "my.toml:3: `triple_ron`: expected HeadBump with max_ron = 1, found \"Abort\", which `tenhou` sets",
    ),
    (
        "kuitan = false\nmax_ron = 1\nbase = 'mjsoul'",
        "my.toml:2: `triple_ron`: expected HeadBump or, with max_ron = 2, Abort, because Pay needs max_ron = 3, found \"Pay\", which `mjsoul` sets",
    ),
    (
        "base = 'dragon-kong'\nplayers = 3\numa = [9, 0, -9]\ntriple_ron = 'HeadBump'\nmax_ron = 2",
        "my.toml:2: `noten_pool`: expected a choice for 3 players, usually 2000, found 3000, which `tenhou` sets",
    ),
    (
        "players = 3\numa = [9, 0, -9]",
        "my.toml:1: `triple_ron`: expected HeadBump, because three can win on one tile only with four players, found \"Abort\", which `tenhou` sets",
    ),
    (
        "base = 'mjsoul'\nplayers = 3\numa = [9, 0, -9]",
        "my.toml:2: `max_ron`: expected 1 or 2, because three can win on one tile only with four players, found 3, which `mjsoul` sets",
    ),
    (
        "base = 'mjsoul'\nplayers = 3\numa = [9, 0, -9]\nmax_ron = 2",
        "my.toml:2: `triple_ron`: expected HeadBump, because three can win on one tile only with four players, found \"Pay\", which `mjsoul` sets",
    ),
    (
        "players = 2\numa = [9, -9]",
        "my.toml:1: `max_ron`: expected 1, because only one player can win on a tile with two players, found 2, which `tenhou` sets",
    ),
    (
        "base = 'duo'\nmax_ron = 2",
        "my.toml:2: `max_ron`: expected 1, because only one player can win on a tile with two players, found 2",
    ),
    (
        "base = 'mjsoul'\nplayers = 2\numa = [9, -9]",
        "my.toml:2: `max_ron`: expected 1, because only one player can win on a tile with two players, found 3, which `mjsoul` sets",
    ),
    (
        "kan_dora = { ankan = 'Off', minkan = 'Off' }",
        "my.toml:1: `kan_dora_on`: expected false, because `kan_dora` turns no indicator, found true, which `tenhou` sets",
    ),
    (
        "shibari = [[10, 3], [5, 2]]",
        "my.toml:1: `shibari`: expected steps with more honba and more han each, found [[10, 3], [5, 2]]",
    ),
    (
        "shibari = [[5, 2], [10, 2]]",
        "my.toml:1: `shibari`: expected steps with more honba and more han each, found [[5, 2], [10, 2]]",
    ),
    (
        "shibari = [[5, 2], [5, 3]]",
        "my.toml:1: `shibari`: expected steps with more honba and more han each, found [[5, 2], [5, 3]]",
    ),
    ("base = 7", "my.toml:1: `base`: expected the name of a preset, found 7"),
    (
        "base = 'tenhou-sanma'\naka = { m = 1 }",
        "my.toml:2: `aka`: expected m = 0, because ThreePlayer tiles have no 5m, found { m = 1, p = 1, s = 1 }",
    ),
    ("house = 0xFFFF_FFFF_FFFF_FFFF", "my.toml:1: not TOML: the number is too large"),
    (
        "max_ron = 08",
        "my.toml:1: `max_ron`: expected a number from 1 to 3, less than `players`, found `08` (not TOML: unexpected leading zero, expected nothing)",
    ),
    ("house = yes", "my.toml:1: not TOML: string values must be quoted, expected literal string"),
];

#[test]
fn errors_name_file_line_field_and_allowed_values() {
    let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let local: Vec<&str> = YakuSet::LOCAL.iter().map(Yaku::name).collect();
    for (text, message) in BAD_FILES {
        let message = message.replace("PRESETS", &presets.join(", ")).replace("LOCAL", &local.join(", "));
        let error = Rules::from_toml(text, "my.toml").unwrap_err().to_string();
        assert_eq!(error.lines().next(), Some(message.as_str()), "{text}");
    }
    for (field, hint) in [("kuikea", "did you mean `kuikae`? "), ("x", "")] {
        let error = Rules::from_toml(&format!("{field} = 'Both'"), "my.toml").unwrap_err().to_string();
        let all = "`jantaku rules reference` lists all";
        assert_eq!(error, format!("my.toml:1: `{field}`: unknown field; {hint}{all}"));
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
        let problems = Rules::idle_fields_of(text);
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
    assert!(of("not TOML").is_empty() && of("players = 3\nkita_rob = true").is_empty());
}

/// The student league of Japan: a set that is completed by a kan makes nobody liable, except for
/// the fourth kan of suukantsu.
#[test]
fn liability_can_leave_out_kans() {
    let text = "base = 'tenhou'\npao = ['daisangen', 'daisuushii', 'suukantsu']\npao_by_kan = false";
    let rules = Rules::from_toml(text, "gakusei.toml").expect("a rule file");
    assert!(!rules.pao_by_kan && Rules::default().pao_by_kan);
    assert!(Rules::idle_fields_of(text).is_empty());
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
        let rules = Rules { noten_pool, kiriage: true, ..base };
        assert_eq!(Rules::from_toml(&rules.to_toml(), "text"), Ok(rules));
        let four =
            "base = 'dragon-kong'\nplayers = 3\nmax_ron = 2\ntriple_ron = 'HeadBump'\numa = [9, 0, -9]";
        let read = Rules::from_toml(&format!("{four}\nnoten_pool = {noten_pool}"), "text");
        assert_eq!(read.map(|rules| rules.noten_pool), Ok(noten_pool));
    }
}

#[test]
fn unknown_fields_get_a_suggestion() {
    for (field, meant) in [
        ("akadora", "aka"),
        ("start_point", "start_points"),
        ("min_yakus", "min_yaku"),
        ("honba", "honba_ron"),
        ("MaxRon", "max_ron"),
        ("x", ""),
    ] {
        let error = Rules::from_toml(&format!("{field} = 1"), "my.toml").unwrap_err().to_string();
        let found = error.split_once("did you mean `").and_then(|(_, rest)| rest.split_once("`?"));
        assert_eq!(found.map_or("", |(name, _)| name), meant, "{error}");
    }
}

/// The error names the value found and the allowed values.
#[test]
fn values_out_of_range_are_rejected() {
    let cases = [
        ("start_points", "-25000", "a number from 0 to 1000000 in hundreds"),
        ("start_points", "25_050", "a number from 0 to 1000000 in hundreds"),
        ("return_points", "-1", "a number from 0 to 1000000 in hundreds"),
        ("target", "29_999", "a number from 0 to 1000000 in hundreds | none"),
        ("target", "99999999999", "a number from 0 to 1000000 in hundreds | none"),
        ("riichi_min_points", "-1000", "a number from 0 to 1000000 in hundreds | none"),
        ("honba_ron", "-300", "a number from 0 to 5000 in hundreds"),
        ("honba_tsumo", "10000", "a number from 0 to 5000 in hundreds"),
        ("noten_pool", "-3000", "a number from 0 to 1000000 in hundreds"),
        ("riichi_min_live", "71", "a number from 0 to 70"),
        ("min_yaku", "0", "a number from 1 to 13"),
        ("min_yaku", "255", "a number from 1 to 13"),
        ("max_ron", "1000", "a number from 1 to 3, less than `players`"),
        ("max_ron", "\"two\"", "a number from 1 to 3, less than `players`"),
        ("max_ron", "2.5", "a number from 1 to 3, less than `players`"),
        ("wind_rounds", "-1", "a number from 0 to 4"),
        ("wind_rounds", "3", "0, 1, 2 or 4"),
        ("double_wind_pair_fu", "3", "2 or 4"),
        ("extension_rounds", "0", "at least 1 or \"none\"; for no extension use extension = \"None\""),
        ("uma", "[20, 10, -10, -10]", "a number for each player, whose sum is 0"),
        (
            "uma",
            "[[12, -1, -3, -8], [8, 4, -4, -8], [8, 3, 1, -11]]",
            "a number for each player, whose sum is 0",
        ),
        ("renhou", "{ HanAlone = 14 }", "1 to 13 han"),
        ("renhou", "{ HanAdd = 0 }", "1 to 13 han"),
        (
            "renhou",
            "{ HanAdd = 300 }",
            "Off | ManganFloor | { HanAlone = 1-13 } | { HanAdd = 1-13 } | Yakuman",
        ),
        ("shibari", "[[5, 14]]", "steps of honba and 1 to 13 han"),
        ("shibari", "[[5, -1]]", "[[honba 0-255, han 1-13], …]"),
        ("chombo", "{ FinalPenalty = -1 }", "a penalty from 0 to 100000"),
        ("chombo", "{ FinalPenalty = 1000000 }", "a penalty from 0 to 100000"),
        ("kuitan", "\"yes\"", "true | false"),
        ("tobi", "false", "Off | BelowZero | ZeroOrBelow"),
        ("aka", "{ m = -1 }", "{ m = 0-4, p = 0-4, s = 0-4 }"),
        ("local_yaku", "\"renhou\"", "[names of yaku]"),
    ];
    for (field, value, expected) in cases {
        let error = Rules::from_toml(&format!("# mine\n{field} = {value}"), "my.toml").unwrap_err();
        let found = value.replace('_', "");
        assert_eq!(error.to_string(), format!("my.toml:2: `{field}`: expected {expected}, found {found}"));
    }
    let checked = |rules: Rules| rules.check().map_err(|wrong| wrong.to_string());
    assert_eq!(
        checked(Rules { honba_ron: -300, ..Rules::default() }),
        Err("`honba_ron`: expected a number from 0 to 5000 in hundreds, found -300".to_owned())
    );
    assert_eq!(
        checked(Rules { riichi_min_live: 71, ..Rules::default() }),
        Err("`riichi_min_live`: expected a number from 0 to 70, found 71".to_owned())
    );
}

#[test]
fn values_at_their_limits_are_allowed() {
    for text in ["aka = { m = 4 }", "shibari = [[1, 1], [2, 2], [3, 3], [4, 4]]", "riichi_min_live = 70"] {
        assert!(Rules::from_toml(text, "my.toml").is_ok(), "{text}");
    }
}

/// Each rule that decides whether a yaku counts.
#[test]
fn rules_exclude_yaku() {
    let excluded = |toml: &str| Rules::from_toml(toml, "test").expect("valid rules").excluded_yaku();
    let usual = excluded("");
    let others =
        [Yaku::NorthWind, Yaku::Renhou, Yaku::RenhouYakuman, Yaku::OpenRiichi, Yaku::OpenRiichiYakuman];
    assert_eq!(usual, YakuSet::LOCAL.union(others.into_iter().collect()));
    let changes: [(&str, &[Yaku]); 6] = [
        ("local_yaku = [\"sanrenkou\", \"daisharin\"]", &[Yaku::Sanrenkou, Yaku::Daisharin]),
        ("renhou = \"ManganFloor\"", &[Yaku::Renhou]),
        ("renhou = { HanAdd = 5 }", &[Yaku::Renhou]),
        ("renhou = \"Yakuman\"", &[Yaku::RenhouYakuman]),
        ("open_riichi = \"OneHan\"", &[Yaku::OpenRiichi]),
        ("open_riichi = \"YakumanFromOthers\"", &[Yaku::OpenRiichi, Yaku::OpenRiichiYakuman]),
    ];
    for (toml, allowed) in changes {
        assert_eq!(excluded(toml), usual.without(allowed.iter().copied().collect()), "{toml}");
    }
    assert_eq!(excluded("ippatsu = false"), usual.with(Yaku::Ippatsu, true));
    let three = excluded("base = \"tenhou-sanma\"");
    assert!(three.contains(Yaku::SanshokuDoujun) && !three.contains(Yaku::SanshokuDoukou));
    let yakuhai = excluded("base = \"tenhou-sanma\"\nnorth = \"Yakuhai\"");
    assert_eq!(three.without(yakuhai), YakuSet::of(Yaku::NorthWind));
}

/// A program can make rules without a file, so `Rules::check` checks the numbers, too.
#[test]
fn numbers_of_rules_without_a_file_are_checked() {
    let error = |rules: Rules| rules.check().unwrap_err().field;
    assert_eq!(error(Rules { target: Maybe(Some(-100)), ..Rules::default() }), "target");
    assert_eq!(error(Rules { max_yakuman: Maybe(Some(0)), ..Rules::default() }), "max_yakuman");
    assert_eq!(error(Rules { start_points: -100, ..Rules::default() }), "start_points");
    assert_eq!(error(Rules { min_yaku: 0, ..Rules::default() }), "min_yaku");
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
