//! Games under the rules of rooms: written as the platforms write them, and read back.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::replay::{RecordedGame, RecordedHand};
use jantaku_engine::rules::options::{Renhou, TripleRon, WallLayout};
use jantaku_engine::{DrawReason, Event, Rules, Yaku};
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::files::Games;
use jantaku_sim::replay::convert::Format;
use jantaku_sim::replay::source::preset_name;
use serde_json::{Value, json};
use toml::Table;

use crate::common::mjlog::{game_type, write_with};
use crate::majsoul::{camel, head, records, renamed};

/// The bits of Tenhou's settings: the entry of the list, the bits and the fields of the rules.
const BITS: &[(usize, u32, &str)] = &[
    (0, 0x1, "nagashi = 'Off'"),
    (0, 0x2, "kiriage = true"),
    (0, 0x4, "tobi = 'Off'"),
    (0, 0x8, "kan_dora = { ankan = 'Immediate', minkan = 'Immediate' }"),
    (0, 0x10, "dora = false"),
    (0, 0x20, "kan_dora_on = false"),
    (0, 0x80, "kan_ura = false"),
    (0, 0x40, "ura = false\nkan_ura = false"),
    (0, 0x100, "suufon = false"),
    (0, 0x200, "suukaikan = false"),
    (0, 0x400, "suucha = false"),
    (0, 0x800, "kyuushu = false"),
    (0, 0x1000, "triple_ron = 'Pay'\nmax_ron = 3"),
    (0, 0x2000, "triple_ron = 'HeadBump'\nmax_ron = 1"),
    (0, 0x4000, "agari_yame = 'Off'"),
    (0, 0x8000, "tenpai_yame = 'Off'"),
    (0, 0x1_0000, "renchan = 'Tenpai'"),
    (0, 0x2_0000, "renchan = 'Win'"),
    (0, 0x3_0000, "renchan = 'Never'"),
    (0, 0x4_0000, "final_rounding = 'HalfUp'"),
    (0, 0x8_0000, "ippatsu = false"),
    (0, 0x10_0000, "double_round_wind = true"),
    (0, 0x20_0000, "extension = 'SuddenDeath'"),
    (0, 0x40_0000, "north = 'Nukidora'"),
    (0, 0x80_0000, "tsumo_split = 'Bisect'"),
    (0, 0x100_0000, "renhou = 'Yakuman'"),
    (0, 0x200_0000, "riichi_min_live = 1"),
    (0, 0x400_0000, "riichi_ankan = 'ShapeUnchanged'"),
    (0, 0x800_0000, "own_four_wait = 'NotIfOwnFour'"),
    (0, 0x4000_0000, ""),
    (1, 0x1, "double_wind_pair_fu = 2"),
    (1, 0x2, "tie_rule = 'Shared'"),
    (1, 0x4, "leftover_sticks = 'ToTop'"),
    (1, 0x8, "pao = ['daisangen', 'daisuushii', 'suukantsu']"),
    (1, 0x10, "kazoe = 'Sanbaiman'"),
];

/// Numbers of Tenhou's settings for four and for three players: the first entry, its values and the
/// fields of the rules.
const NUMBERS: &[(usize, [&str; 2], [&str; 2])] = &[
    (4, ["30000", "40000"], ["start_points = 30000", "start_points = 40000"]),
    (5, ["32000", "42000"], ["target = 32000", "target = 42000"]),
    (6, ["33000", "40000"], ["return_points = 33000", "return_points = 40000"]),
    (7, ["50000", "60000"], ["goal_points = 50000", "goal_points = 60000"]),
    (8, ["4", "4"], ["wind_rounds = 1", "wind_rounds = 1"]),
    (8, ["8,16", "8,8"], ["wind_rounds = 2\nextension_rounds = 2", "wind_rounds = 2\nextension = 'None'"]),
    (10, ["2000", "2000"], ["riichi_stick = 2000\nriichi_min_points = 2000"; 2]),
    (11, ["200", "200"], ["honba_tsumo = 200\nhonba_ron = 600", "honba_tsumo = 200\nhonba_ron = 400"]),
    (16, ["500,1000,1500", "500,1000"], ["noten_pool = [500, 1000, 1500]", "noten_pool = [500, 1000, 0]"]),
    (
        21,
        ["5,-5,-15,5,0,-20,5,-5,-15,0,-5,-15,5,-5,-15", "5,-25,,0,-20,,10,-30,,0,-25"],
        [
            "uma = { below_start = [[15, 5, -5, -15], [15, 5, 0, -20], [15, 5, -5, -15], [20, 0, -5, -15], \
             [15, 5, -5, -15]] }",
            "uma = { below_start = [[20, 5, -25], [20, 0, -20], [20, 10, -30], [25, 0, -25]] }",
        ],
    ),
];

/// The settings of Mahjong Soul: key, value and fields.
const KEYS: &[(&str, i64, &str)] = &[
    ("shiduan", 0, "kuitan = false"),
    ("can_jifei", 0, "tobi = 'Off'"),
    ("tianbian_value", 45000, "goal_points = 45000"),
    ("liqibang_value", 2000, "riichi_stick = 2000\nriichi_min_points = 2000"),
    ("have_liujumanguan", 0, "nagashi = 'Off'"),
    ("have_qieshangmanguan", 1, "kiriage = true"),
    ("have_biao_dora", 0, "dora = false"),
    ("have_gang_biao_dora", 0, "kan_dora_on = false"),
    ("ming_dora_immediately_open", 1, "kan_dora = { ankan = 'Immediate', minkan = 'Immediate' }"),
    ("have_gang_li_dora", 0, "kan_ura = false"),
    ("have_li_dora", 0, "ura = false\nkan_ura = false"),
    ("have_sifenglianda", 0, "suufon = false"),
    ("have_sigangsanle", 0, "suukaikan = false"),
    ("have_sijializhi", 0, "suucha = false"),
    ("have_jiuzhongjiupai", 0, "kyuushu = false"),
    ("have_sanjiahele", 1, "triple_ron = 'Abort'\nmax_ron = 2"),
    ("have_toutiao", 1, "triple_ron = 'HeadBump'\nmax_ron = 1"),
    ("have_helelianzhuang", 0, "renchan = 'Tenpai'"),
    ("have_helezhongju", 0, "agari_yame = 'Off'"),
    ("have_tingpailianzhuang", 0, "renchan = 'Win'"),
    ("have_tingpaizhongju", 0, "tenpai_yame = 'Off'"),
    ("have_yifa", 0, "ippatsu = false"),
    ("have_nanruxiru", 0, "extension = 'None'"),
    ("have_zimosun", 0, "tsumo_split = 'Bisect'"),
    ("disable_multi_yukaman", 1, "double_yakuman = []\nyakuman_stack = false"),
    ("disable_double_yakuman", 1, "double_yakuman = []"),
    ("disable_composite_yakuman", 1, "yakuman_stack = false"),
    ("disable_leijiyiman", 1, "kazoe = 'Sanbaiman'"),
    ("fanfu", 2, "min_yaku = 2"),
    ("enable_shiti", 1, "kuikae = 'Free'"),
    ("enable_nontsumo_liqi", 1, "riichi_min_live = 0"),
    ("disable_double_wind_four_fu", 1, "double_wind_pair_fu = 2"),
    ("disable_angang_guoshi", 1, "ankan_rob = 'None'"),
    ("enable_renhe", 1, "renhou = 'Yakuman'"),
    ("enable_renhe", 2, "renhou = 'Yakuman'"),
    ("enable_baopai_extend_settings", 1, "pao = ['daisangen', 'daisuushii', 'suukantsu']"),
    ("enable_baopai_extend_settings", 2, "pao = []"),
    ("dora3_mode", 1, "start_indicators = 3"),
    ("dora_count", 0, "aka = { m = 0, p = 0, s = 0 }"),
    ("time_fixed", 60, ""),
    ("open_hand", 1, ""),
];

/// Adds fields in TOML to rules, without those that matter only with another number of players.
fn with(rules: &Rules, fields: &str) -> Rules {
    let without: &[&str] = match rules.players.count() {
        3 if fields.contains("max_ron = 1") => &["triple_ron"],
        3 => &["triple_ron", "max_ron", "suufon", "suucha"],
        _ => &["north", "tsumo_split"],
    };
    let mut table = rules.to_table();
    table.extend(
        fields.parse::<Table>().unwrap().into_iter().filter(|(name, _)| !without.contains(&name.as_str())),
    );
    let text = table.to_string();
    Rules::from_toml(&text, "rules").unwrap_or_else(|error| panic!("{fields}: {error}"))
}

/// Reads the only game of a text.
fn read(text: &str, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let mut games = Games::of(Path::new("log"), Cursor::new(text.as_bytes().to_vec())).unwrap();
    games.next().unwrap().unwrap().read(given)
}

/// Reads a log and checks its rules and that it replays.
fn check(text: &str, rules: &Rules) {
    let game = read(text, None).unwrap_or_else(|error| panic!("{error}\n{}", rules.to_toml()));
    let found: Vec<String> = game.replay(&mut ()).differences.iter().map(ToString::to_string).collect();
    assert_eq!(found, [""; 0], "{}\n{text}", rules.to_toml());
    assert_eq!(game.rules.to_toml(), rules.to_toml());
    assert_eq!(game.notes, [""; 0]);
}

/// A lobby in which every third setting is chosen: its rules, bits and list.
fn lobby(variant: usize) -> (Rules, [u32; 2], Vec<String>) {
    let three = variant % 2 == 1;
    let mut rules = Rules::preset(if three { "tenhou-sanma" } else { "tenhou" }).unwrap();
    let chosen = |index: usize| (index + variant / 2).is_multiple_of(3);
    let (mut bits, mut list) = ([0; 2], vec![String::new(); 40]);
    for (index, (entry, bit, _)) in BITS.iter().enumerate() {
        bits[*entry] |= if chosen(index) { *bit } else { 0 };
    }
    for (entry, mask, fields) in BITS {
        if bits[*entry] & mask == *mask {
            rules = with(&rules, fields);
        }
    }
    for (_, (entry, values, fields)) in NUMBERS.iter().enumerate().filter(|(index, _)| chosen(*index)) {
        for (at, value) in (*entry..).zip(values[usize::from(three)].split(',')) {
            value.clone_into(&mut list[at]);
        }
        rules = with(&rules, fields[usize::from(three)]);
    }
    for (entry, bits) in bits.iter().enumerate() {
        list[entry] = format!("{bits:08X}");
    }
    (rules, bits, list)
}

#[test]
fn lobbies_of_tenhou_are_read_back() {
    for variant in 0..60 {
        let (mut rules, _, list) = lobby(variant);
        if list[8].is_empty() {
            rules.wind_rounds = 1 + (variant % 2) as u8;
        }
        rules.kuitan = variant % 5 > 0;
        let game = crate::common::played(&rules, variant as u64);
        let kind = game_type(&rules) | if variant % 4 == 0 { 0x100 } else { 0 };
        let csrule = list.join(",");
        check(
            &write_with(&game, kind, &format!(" csrule=\"{csrule}\" rule=\",,{kind:04x},0,0,0,0\"")),
            &rules,
        );
        let mut log: Value = serde_json::from_str(&Format::Tenhou6.text(&game)).unwrap();
        log["rule"] = json!(["", "", format!("{kind:04x}"), "0", "0", "0", "0"]);
        log["csrule"] = json!(list);
        check(&log.to_string(), &rules);
    }
}

#[test]
fn rooms_of_mahjong_soul_are_read_back() {
    for variant in 0..60 {
        let three = variant % 2 == 1;
        let mut rules = Rules::preset(if three { "mjsoul-sanma" } else { "mjsoul" }).unwrap();
        let mut setting = json!({});
        for (index, (key, value, fields)) in KEYS.iter().enumerate() {
            if (index + variant / 2) % 3 == 0 {
                setting[key] = if *value < 2 { json!(*value == 1) } else { json!(value) };
                rules = with(&rules, fields);
            }
        }
        if setting["have_helelianzhuang"] == false && setting["have_tingpailianzhuang"] == false {
            rules = with(&rules, "renchan = 'Never'");
        }
        let (start, places) = if three { (40_000, "[20, -5, -15]") } else { (30_000, "[30, 10, -10, -30]") };
        let noten = if three { "[500, 1000, 0]" } else { "[500, 1000, 1500]" };
        let (honba, honba_ron) = if three { (500, 1000) } else { (500, 1500) };
        rules = with(
            &rules,
            &format!(
                "start_points = {start}\nreturn_points = {}\ntarget = {}\numa = {places}\n\
                 honba_tsumo = {honba}\nhonba_ron = {honba_ron}\nnoten_pool = {noten}",
                start + 5000,
                start + 1000
            ),
        );
        let stated = json!({
            "init_point": start, "jingsuanyuandian": start + 5000, "fandian": start + 1000,
            "shunweima_2": if three { -5 } else { 10 }, "shunweima_3": if three { -15 } else { -10 },
            "shunweima_4": if three { 0 } else { -30 }, "changbang_value": honba_ron,
            "noting_fafu_1": 500, "noting_fafu_2": 1000, "noting_fafu_3": 1500,
        });
        setting.as_object_mut().unwrap().extend(stated.as_object().unwrap().clone());
        rules.wind_rounds = 1 + (variant / 3 % 2) as u8;
        let game = crate::common::played(&rules, variant as u64);
        let mut head = head(&game);
        head["config"]["category"] = json!(4);
        head["config"]["mode"]["detail_rule"] = setting;
        let document = json!({"head": head, "records": records(&game)});
        check(&document.to_string(), &rules);
        check(&renamed(&document, camel).to_string(), &rules);
    }
}

/// Logs number the first copy of a five 51 to 53, whether the rules have red fives or not.
#[test]
fn red_fives_are_plain_ones_without_red_fives() {
    let rules = Rules::preset("tenhou-noaka").unwrap();
    let mut count = 0;
    for seed in 0..30 {
        let mut log: Value =
            serde_json::from_str(&Format::Tenhou6.text(&crate::common::played(&rules, seed))).unwrap();
        log["rule"] = json!({"disp": "般南喰"});
        for hand in log["log"].as_array_mut().unwrap() {
            for list in &mut hand.as_array_mut().unwrap()[2..16] {
                list.as_array_mut().unwrap().iter_mut().for_each(|entry| redden(entry, &mut count));
            }
        }
        check(&log.to_string(), &rules);
    }
    assert!(count > 1000);
}

/// Makes every second five of an entry red.
fn redden(entry: &mut Value, count: &mut usize) {
    let mut other = |pair: &str| match pair {
        "15" | "25" | "35" => {
            *count += 1;
            if count.is_multiple_of(2) { format!("5{}", &pair[..1]) } else { pair.to_owned() }
        }
        pair => pair.to_owned(),
    };
    let text = entry.as_str().map_or_else(|| entry.to_string(), str::to_owned);
    let (mut changed, mut rest) = (String::new(), text.as_str());
    while !rest.is_empty() {
        let length = if rest.starts_with(|c: char| c.is_ascii_digit()) { 2.min(rest.len()) } else { 1 };
        changed += &other(&rest[..length]);
        rest = &rest[length..];
    }
    *entry = if entry.is_string() { json!(changed) } else { changed.parse::<u8>().unwrap().into() };
}

#[test]
fn settings_of_other_games_are_errors_and_unknown_ones_notes() {
    let game = crate::common::played(&Rules::preset("mjsoul").unwrap(), 1);
    let log = |setting: Value| {
        let mut head = head(&game);
        head["config"]["mode"]["detail_rule"] = setting;
        json!({"head": head, "records": records(&game)}).to_string()
    };
    let error = read(&log(json!({"xuezhandaodi": 1})), None).unwrap_err().to_string();
    assert!(error.contains("the setting `xuezhandaodi` is of another game: Battle of Asura"), "{error}");
    assert!(read(&log(json!({"xuezhandaodi": 0, "begin_open_mode": false})), None).unwrap().notes.is_empty());
    let given = read(&log(json!({"xuezhandaodi": 1})), Some(&game.rules)).unwrap();
    assert_eq!((given.rules, given.notes.len()), (game.rules, 0));
    let noted = read(&log(json!({"have_foo": true, "enable_renhe": 7})), None).unwrap();
    let notes =
        ["ignored the unknown setting `enable_renhe`: 7", "ignored the unknown setting `have_foo`: true"];
    assert_eq!((noted.rules, &noted.notes[..]), (game.rules, &notes.map(String::from)[..]));
    // A printer that leaves out `false`, and one that prints all settings that are not set.
    let all_off: serde_json::Map<String, Value> =
        KEYS.iter().map(|(key, ..)| ((*key).to_owned(), json!(0))).collect();
    assert_eq!(read(&log(all_off.into()), None).unwrap().rules, game.rules);

    let tenhou = crate::common::played(&Rules::default(), 1);
    let log = |kind: u32, csrule: &str| write_with(&tenhou, kind, &format!(" csrule=\"{csrule}\""));
    let noted = read(&log(0x809, "30000000,20,,,,,,,,,,,7"), None).unwrap();
    let notes = [
        "ignored the unknown bits 0x800 of the game type 0x809",
        "ignored the unknown bits 0x30000000 of `csrule[0]`",
        "ignored the unknown bits 0x20 of `csrule[1]`",
        "ignored the unknown `csrule[12]` 7",
    ];
    assert_eq!((noted.rules, &noted.notes[..]), (tenhou.rules, &notes.map(String::from)[..]));
    for (csrule, what) in [("x", "csrule[0]"), (",,,,many", "csrule[4]"), (",,,,,,,,6", "csrule[8]")] {
        let error = read(&log(9, csrule), None).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        assert_eq!(read(&log(9, csrule), Some(&Rules::default())).unwrap().notes, [""; 0]);
    }
}

/// Bits may have the prefix of hexadecimal numbers. Settings that are null are blank, and a text is a list.
#[test]
fn settings_of_tenhou_have_several_forms() {
    let rules = with(&Rules::default(), "ippatsu = false\nstart_points = 30000");
    let game = crate::common::played(&rules, 3);
    let mut log: Value = serde_json::from_str(&Format::Tenhou6.text(&game)).unwrap();
    log["rule"] = json!([null, null, "0x9", null]);
    for csrule in [
        json!(["0x80000", null, null, null, 30000]),
        json!(["80000", "", "", "", "30000", null]),
        json!("80000,,,,30000"),
    ] {
        log["csrule"] = csrule;
        check(&log.to_string(), &rules);
    }
    log["csrule"] = json!(["80000", "", "", "", "30000"]);
    log["rule"] = json!(["", "", null]);
    assert_eq!(read(&log.to_string(), None).unwrap().rules.start_points, 30000);
    check(
        &write_with(&game, 9, " csrule=\"0x80000,,,,30000\"").replace("type=\"9\"", "type=\"0x9\""),
        &rules,
    );
}

/// Given rules replace those that cannot be read.
#[test]
fn given_rules_help_where_the_stated_ones_cannot_be_read() {
    let rules = Rules::default();
    let game = crate::common::played(&rules, 3);
    let log: Value = serde_json::from_str(&Format::Tenhou6.text(&game)).unwrap();
    let tenhou6 = |key: &str, value: Value| {
        let mut log = log.clone();
        log["rule"] = json!({});
        log[key] = value;
        log.to_string()
    };
    let mjlog = write_with(&game, 9, "").replace(" type=\"9\"", "");
    let rule = |text: &str| format!("{{\"type\":\"start_game\",\"rules\":\"{text}\",");
    let mjai = Format::Mjai.text(&game).replacen("{\"type\":\"start_game\",", &rule("foo = 1"), 1);
    for (text, what, notes) in [
        (tenhou6("rule", json!("text")), "invalid type", 0),
        (tenhou6("rule", json!(7)), "invalid type", 0),
        (tenhou6("rule", json!({"aka": "x"})), "invalid type", 0),
        (tenhou6("rule", json!(["", "", "zz"])), "rule[2]", 0),
        (tenhou6("csrule", json!("zz,,")), "csrule[0]", 0),
        (mjlog, "`type` is missing", 0),
        (mjai, "`foo`", 1),
    ] {
        let error = read(&text, None).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        let game = read(&text, Some(&rules)).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((game.replay(&mut ()).differences, game.rules), (vec![], rules), "{what}");
        assert_eq!(game.notes.len(), notes, "{:?}", game.notes);
    }
}

/// Errors about settings name the setting and its value. Impossible values of Mahjong Soul are notes.
#[test]
fn messages_about_settings_name_them() {
    let tenhou = crate::common::played(&Rules::default(), 1);
    for (index, value, what) in [
        (8, "-4", "`csrule[8]` is `-4`, expected 1 hand, or 4 for each wind"),
        (10, "50", "`csrule[10]` 50: `riichi_"),
        (11, "150", "`csrule[11]` 150: `honba_"),
        (21, "200000", "`csrule[21..36]` [200000, "),
    ] {
        let csrule = format!("{}{value}", ",".repeat(index));
        let error = read(&write_with(&tenhou, 9, &format!(" csrule=\"{csrule}\"")), None).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(what) && !error.contains('\n'), "{error}");
    }
    let fewer = read(&write_with(&tenhou, 9, " csrule=\",,,,,,,,8,4\""), None).unwrap();
    assert_eq!(fewer.notes, ["ignored `csrule[9]`: fewer hands than the game has"]);
    for (csrule, fields) in [
        (",,,,,,,,,,0", "riichi_stick = 0\nriichi_min_points = 0"),
        (",,,,,,,,12,12", "wind_rounds = 3\nextension = 'None'"),
    ] {
        let rules = with(&Rules::default(), fields);
        let game = crate::common::played(&rules, 4);
        check(&write_with(&game, 9, &format!(" csrule=\"{csrule}\"")), &rules);
    }

    let game = crate::common::played(&Rules::preset("mjsoul").unwrap(), 1);
    let log = |setting: Value| {
        let mut head = head(&game);
        head["config"]["mode"]["detail_rule"] = setting;
        json!({"head": head, "records": records(&game)}).to_string()
    };
    for (key, value) in [
        ("init_point", json!(-1)),
        ("dora3_mode", json!(-2)),
        ("changbang_value", json!(100)),
        ("noting_fafu_1", json!(-1000)),
        ("fanfu", json!([1, 2])),
    ] {
        let game = read(&log(json!({key: value})), None).unwrap();
        assert_eq!(game.notes, [format!("ignored the unknown setting `{key}`: {value}")]);
    }
    let error = read(&log(json!({"changbang_value": 150})), None).unwrap_err().to_string();
    assert!(error.contains("setting `changbang_value` 150: `honba_"), "{error}");
}

/// Settings that are off in a game that has what they forbid are named.
#[test]
fn settings_that_contradict_the_game_are_named() {
    let rules = Rules::preset("mjsoul").unwrap();
    let won_with_ippatsu = (0..100).map(|seed| crate::common::played(&rules, seed)).find(|game| {
        let wins = game.hands.iter().flat_map(|hand| hand.end.iter().flat_map(|end| &end.wins));
        let yaku = wins.flat_map(|win| win.yaku.iter().flatten());
        yaku.into_iter().any(|(yaku, _)| *yaku == Yaku::Ippatsu)
    });
    let game = won_with_ippatsu.unwrap();
    let mut head = head(&game);
    head["config"]["mode"]["detail_rule"] = json!({"have_yifa": 0, "have_toutiao": 0, "init_point": 25000});
    let read = read(&json!({"head": head, "records": records(&game)}).to_string(), None).unwrap();
    assert_eq!((read.replay(&mut ()).differences, read.rules), (vec![], rules));
    assert_eq!(read.notes, ["ignored settings that the game contradicts: `have_yifa`"]);
}

/// The document of a room of Mahjong Soul that chooses these settings.
fn document(game: &RecordedGame, setting: &Value) -> Value {
    let mut head = head(game);
    head["config"]["category"] = json!(4);
    head["config"]["mode"]["detail_rule"] = setting.clone();
    json!({"head": head, "records": records(game)})
}

/// Whether a player declares riichi on the last tile, and the hand is drawn.
fn ends_with_riichi(hand: &RecordedHand) -> bool {
    let is_drawn = hand.end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::Exhaustive));
    is_drawn && matches!(hand.events.last(), Some(Event::RiichiAccepted { .. }))
}

/// Games with a riichi on the last tile, at most three.
fn with_riichi_on_the_last_tile(rules: &Rules) -> Vec<RecordedGame> {
    let all_greedy = (0..300).step_by(3).map(|seed| crate::common::played(rules, seed));
    let found: Vec<_> = all_greedy.filter(|game| game.hands.iter().any(ends_with_riichi)).take(3).collect();
    assert!(!found.is_empty());
    found
}

/// No record says that a riichi on the last tile is accepted. One that does is read, too.
#[test]
fn mahjong_soul_accepts_a_riichi_on_the_last_tile() {
    let rules = with(&Rules::preset("mjsoul").unwrap(), "riichi_min_live = 0");
    for game in with_riichi_on_the_last_tile(&rules) {
        let mut log = document(&game, &json!({"enable_nontsumo_liqi": 1}));
        check(&log.to_string(), &rules);
        let (mut seat, mut stated) = (Value::Null, 0);
        for record in log["records"].as_array_mut().unwrap().iter_mut().filter_map(|r| r.get_mut("result")) {
            if record["name"] == ".lq.RecordNoTile" && !seat.is_null() {
                record["data"]["liqi"] = json!({"seat": seat, "score": 0});
                stated += 1;
            }
            seat = Value::Null;
            if record["data"]["is_liqi"] == true {
                seat = record["data"]["seat"].clone();
            }
        }
        assert!(stated > 0);
        check(&log.to_string(), &rules);
    }
}

/// Lobbies with riichi on late tiles may allow it on the very last.
#[test]
fn lobbies_of_tenhou_may_allow_riichi_on_the_last_tile() {
    let rules = with(&Rules::default(), "riichi_min_live = 0");
    for game in with_riichi_on_the_last_tile(&rules) {
        check(&write_with(&game, 9, " csrule=\"02000000\""), &rules);
        let without = read(&write_with(&game, 9, " csrule=\"2\""), None).unwrap();
        assert!(!without.replay(&mut ()).differences.is_empty());
    }
}

/// Mahjong Soul's numbers 51 to 64 are local yaku and renhou. An unknown number is a note.
#[test]
fn local_yaku_of_mahjong_soul_are_read() {
    let known: Vec<u32> = Yaku::all().filter_map(|yaku| yaku.names().mahjong_soul).collect();
    assert!((51..=64).all(|number| known.contains(&number)));
    let local = "renhou = 'Yakuman'\nlocal_yaku = ['tsubame-gaeshi', 'kanburi', 'shiiaru-raotai', 'uumensai', \
                 'sanrenkou', 'isshoku-sanjun', 'iipin-mouyue', 'chuupin-raoyui', 'daisharin', 'daichikurin', \
                 'daisuurin', 'ishino-uenimo-sannen', 'daichisei']";
    let rules = with(&Rules::preset("mjsoul").unwrap(), local);
    let mut found = 0;
    for seed in 0..30 {
        let game = crate::common::played(&rules, seed);
        let mut log = document(&game, &json!({"guyi_mode": 1}));
        check(&log.to_string(), &rules);
        let mut hand = -1;
        for record in log["records"].as_array_mut().unwrap() {
            hand += i32::from(record["name"] == ".lq.RecordNewRound");
            let fans = record.pointer_mut("/result/data/hules/0/fans").and_then(Value::as_array_mut);
            let local = fans.into_iter().flatten().find(|fan| fan["id"].as_u64() > Some(50));
            if let Some(fan) = local {
                fan["id"] = json!(77);
                found += 1;
                break;
            }
        }
        let text = log.to_string();
        if text.contains("\"id\":77") {
            let read = read(&text, None).unwrap();
            let note = format!("hand {hand}: 77 is not a known yaku");
            assert_eq!((read.replay(&mut ()).differences, read.notes), (vec![], vec![note]));
        }
    }
    assert!(found > 3, "{found}");
}

/// A record of one hand: the dealer's first discard, and its end.
fn first_discard(dealt: [&str; 4], tile: &str, (end, data): (&str, &Value), setting: &Value) -> String {
    let tiles = |text: &str| -> Vec<String> {
        let of_suit = |part: &str| {
            let (ranks, suit) = part.split_at(part.len() - 1);
            ranks.chars().map(|rank| format!("{rank}{suit}")).collect::<Vec<_>>()
        };
        text.split_inclusive(char::is_alphabetic).flat_map(of_suit).collect()
    };
    let mut deal = json!({"scores": vec![25000; 4], "doras": ["2z"]});
    for (seat, dealt) in dealt.iter().enumerate() {
        deal[format!("tiles{seat}")] = json!(tiles(dealt));
    }
    let records = json!([
        {"name": ".lq.RecordNewRound", "data": deal},
        {"name": ".lq.RecordDiscardTile", "data": {"seat": 0, "tile": tile}},
        {"name": format!(".lq.{end}"), "data": data},
    ]);
    json!({"head": {"config": {"category": 4, "mode": {"mode": 2, "detail_rule": setting}}}, "records": records})
        .to_string()
}

/// A room may set both the abort of three rons and head bump.
#[test]
fn three_rons_abort_in_a_room_with_head_bump() {
    let dealt = ["111999m111p99p11z5p", "234678m345s88s46p", "234678m345s66s46p", "234678m345s22s46p"];
    for (setting, note) in [
        (json!({"have_sanjiahele": true}), vec![]),
        (
            json!({"have_sanjiahele": true, "have_toutiao": true}),
            vec!["ignored settings that the game contradicts: `have_toutiao`".to_owned()],
        ),
    ] {
        let read =
            read(&first_discard(dealt, "5p", ("RecordLiuJu", &json!({"type": 5})), &setting), None).unwrap();
        assert_eq!((read.replay(&mut ()).differences, read.notes), (vec![], note));
        assert_eq!((read.rules.triple_ron, read.rules.max_ron), (TripleRon::Abort, 2));
    }
}

/// Renhou is a yakuman, or a mangan if the record says so.
#[test]
fn renhou_of_mahjong_soul_has_the_value_of_its_record() {
    let dealt = ["111999m111p99p33z1z", "123m456m678p789s1z", "234678m345s66s46p", "234678m345s22s46p"];
    for (yiman, val, points, renhou) in [
        (true, 1, 32000, Renhou::Yakuman),
        (false, 0, 8000, Renhou::ManganFloor),
        (false, 5, 8000, Renhou::HanAlone(5)),
    ] {
        let win = json!({
            "seat": 1, "hu_tile": "1z", "yiman": yiman, "count": val, "fans": [{"id": 59, "val": val}],
        });
        let end = json!({"hules": [win], "delta_scores": [-points, points, 0, 0]});
        let text = first_discard(dealt, "1z", ("RecordHule", &end), &json!({"enable_renhe": 1}));
        let read = read(&text, None).unwrap();
        assert_eq!((read.replay(&mut ()).differences, read.notes), (vec![], vec![]));
        assert_eq!(read.rules.renhou, renhou);
    }
}

/// A game of Ron2 says so in its type, and its name.
#[test]
fn games_of_ron2_have_its_rules() {
    let rules = Rules::preset("ron2").unwrap();
    let game = crate::common::played(&rules, 2);
    check(&write_with(&game, 0x1109, ""), &rules);
    let mut log: Value = serde_json::from_str(&Format::Tenhou6.text(&game)).unwrap();
    log["rule"] = json!({"disp": "ロン2"});
    log["ref"] = json!("2026020322gm-1109-0001-e7ac79ba");
    check(&log.to_string(), &rules);
    check(&format!("https://ron2.jp/6/#json={log}"), &rules);
    // Lobbies that mark tsumogiri may be of Ron2.
    for (game_type, disp, reds) in
        [("010b", "南喰", 0), ("010b", "ロン2", 0), ("0109", "南喰赤", 1), ("0109", "ロン2", 1)]
    {
        let rules = with(&rules, &format!("aka = {{ m = {reds}, p = {reds}, s = {reds} }}"));
        let game = crate::common::played(&rules, 2);
        let mut log: Value = serde_json::from_str(&Format::Tenhou6.text(&game)).unwrap();
        log["rule"] = json!({"disp": disp});
        log["ref"] = json!(format!("2024070623gm-{game_type}-10103-fa9ed707"));
        check(&log.to_string(), &rules);
    }
}

/// A site has one layout of the wall for all its rules.
#[test]
fn presets_have_their_names_with_any_layout_of_the_wall() {
    for (preset, layout) in [
        ("tenhou", "MahjongSoul"),
        ("mjsoul", "Tenhou"),
        ("mjsoul", "MahjongSoul"),
        ("mleague", "MahjongSoul"),
        ("majiang-default", "MajiangCore"),
        ("tenhou-sanma", "MahjongSoul3p"),
        ("mjsoul-sanma", "Tenhou3p"),
    ] {
        let text = format!("base = '{preset}'\nwall_layout = '{layout}'");
        assert_eq!(preset_name(&Rules::from_toml(&text, "text").unwrap()), Some(preset), "{layout}");
    }
    let other = Rules { wall_layout: WallLayout::MahjongSoul, kiriage: true, ..Rules::default() };
    assert_eq!(preset_name(&other), None);
}
