//! Games under the rules of rooms: written as the platforms write them, and read back.
#![expect(clippy::unwrap_used, reason = "a test")]

use jantaku_engine::replay::{RecordedGame, RecordedHand};
use jantaku_engine::rules::options::WallLayout;
use jantaku_engine::{DrawReason, Event, Rules, Yaku};
use jantaku_sim::replay::source::preset_name;
use serde_json::{Value, json};
use toml::Table;

use crate::common::logs::{differences, read, tenhou6, try_read};
use crate::common::mjlog::{game_type, write_with};
use crate::majsoul::{camel, head, records, renamed};

/// The rows of a section of `tests/data/rooms.txt`.
fn settings(section: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let (_, text) = include_str!("../data/rooms.txt").split_once(&format!("[{section}]\n")).unwrap();
    text.lines().take_while(|line| !line.is_empty()).map(|row| row.split(" | ").collect())
}

/// Adds fields in TOML to rules, without those that matter only with another number of players.
fn with(rules: &Rules, fields: &str) -> Rules {
    let without: &[&str] = match rules.players.count() {
        3 if fields.contains("max_ron = 1") => &["triple_ron"],
        3 => &["triple_ron", "max_ron", "suufon", "suucha"],
        _ => &["north", "tsumo_split"],
    };
    let mut table = rules.to_table();
    let fields = fields.replace("; ", "\n").parse::<Table>().unwrap();
    table.extend(fields.into_iter().filter(|(name, _)| !without.contains(&name.as_str())));
    let text = table.to_string();
    Rules::from_toml(&text, "rules").unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Reads a log and checks its rules and that it replays.
fn check(log: &impl ToString, rules: &Rules) {
    let game = try_read(log, None).unwrap_or_else(|error| panic!("{error}\n{}", rules.to_toml()));
    assert_eq!(differences(&game), [""; 0], "{}\n{}", rules.to_toml(), log.to_string());
    assert_eq!(game.rules.to_toml(), rules.to_toml());
    assert_eq!(game.notes, [""; 0]);
}

/// A lobby in which every third setting is chosen: its rules and list.
fn lobby(variant: usize) -> (Rules, Vec<String>) {
    let three = variant % 2 == 1;
    let mut rules = Rules::preset(if three { "tenhou-sanma" } else { "tenhou" }).unwrap();
    let chosen = |index: usize| (index + variant / 2).is_multiple_of(3);
    let (mut bits, mut list) = ([0; 2], vec![String::new(); 40]);
    let bit_of = |row: &[&str]| {
        let (entry, bit) = row[0].split_once(" 0x").unwrap();
        (entry.parse::<usize>().unwrap(), u32::from_str_radix(bit, 16).unwrap())
    };
    for (_, row) in settings("bits").enumerate().filter(|(index, _)| chosen(*index)) {
        let (entry, bit) = bit_of(&row);
        bits[entry] |= bit;
    }
    for row in settings("bits") {
        let (entry, mask) = bit_of(&row);
        if let Some(fields) = row.get(1).filter(|_| bits[entry] & mask == mask) {
            rules = with(&rules, fields);
        }
    }
    for (_, row) in settings("numbers").enumerate().filter(|(index, _)| chosen(*index)) {
        let [values, fields] = row[if three { 3..5 } else { 1..3 }] else { panic!("{row:?}") };
        let entry: usize = row[0].parse().unwrap();
        for (at, value) in (entry..).zip(values.split(',')) {
            value.clone_into(&mut list[at]);
        }
        rules = with(&rules, fields);
    }
    for (entry, bits) in bits.iter().enumerate() {
        list[entry] = format!("{bits:08X}");
    }
    (rules, list)
}

#[test]
fn lobbies_of_tenhou_are_read_back() {
    for variant in 0..60 {
        let (mut rules, list) = lobby(variant);
        if list[8].is_empty() {
            rules.wind_rounds = 1 + (variant % 2) as u8;
        }
        rules.kuitan = variant % 5 > 0;
        let game = crate::common::played(&rules, variant as u64);
        let kind = game_type(&rules) | if variant % 4 == 0 { 0x100 } else { 0 };
        let csrule = list.join(",");
        let attributes = format!(" csrule=\"{csrule}\" rule=\",,{kind:04x},0,0,0,0\"");
        check(&write_with(&game, kind, &attributes), &rules);
        let mut log = tenhou6(&game);
        log["rule"] = json!(["", "", format!("{kind:04x}"), "0", "0", "0", "0"]);
        log["csrule"] = json!(list);
        check(&log, &rules);
    }
}

#[test]
fn rooms_of_mahjong_soul_are_read_back() {
    for variant in 0..60 {
        let three = variant % 2 == 1;
        let mut rules = Rules::preset(if three { "mjsoul-sanma" } else { "mjsoul" }).unwrap();
        let mut setting = json!({});
        for (_, row) in settings("keys").enumerate().filter(|(index, _)| (index + variant / 2) % 3 == 0) {
            let (key, value) = row[0].split_once(' ').unwrap();
            let value: i64 = value.parse().unwrap();
            setting[key] = if value < 2 { json!(value == 1) } else { json!(value) };
            rules = with(&rules, row.get(1).unwrap_or(&""));
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
        check(&document, &rules);
        check(&renamed(&document, camel), &rules);
    }
}

/// Some printers leave out `false`, and some print all settings that are not set.
#[test]
fn settings_that_are_off_choose_nothing() {
    let game = crate::common::played(&Rules::preset("mjsoul").unwrap(), 1);
    let mut log = document(&game, &json!({}));
    for row in settings("keys") {
        let (key, _) = row[0].split_once(' ').unwrap();
        log["head"]["config"]["mode"]["detail_rule"][key] = json!(0);
    }
    assert_eq!(read(&log).rules, game.rules);
}

/// Logs number the first copy of a five 51 to 53, whether the rules have red fives or not.
#[test]
fn red_fives_are_plain_ones_without_red_fives() {
    let rules = Rules::preset("tenhou-noaka").unwrap();
    let mut count = 0;
    for seed in 0..30 {
        let mut log = tenhou6(&crate::common::played(&rules, seed));
        log["rule"] = json!({"disp": "般南喰"});
        for hand in log["log"].as_array_mut().unwrap() {
            for list in &mut hand.as_array_mut().unwrap()[2..16] {
                list.as_array_mut().unwrap().iter_mut().for_each(|entry| redden(entry, &mut count));
            }
        }
        check(&log, &rules);
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
    let log = document(&game, &json!({"have_yifa": 0, "have_toutiao": 0, "init_point": 25000}));
    let read = read(&log);
    assert_eq!((differences(&read), read.rules), (vec![], rules));
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
        check(&log, &rules);
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
        check(&log, &rules);
    }
}

/// Lobbies with riichi on late tiles may allow it on the very last.
#[test]
fn lobbies_of_tenhou_may_allow_riichi_on_the_last_tile() {
    let rules = with(&Rules::default(), "riichi_min_live = 0");
    for game in with_riichi_on_the_last_tile(&rules) {
        check(&write_with(&game, 9, " csrule=\"02000000\""), &rules);
        let without = read(&write_with(&game, 9, " csrule=\"2\""));
        assert!(!differences(&without).is_empty());
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
        check(&log, &rules);
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
            let read = read(&text);
            let note = format!("hand {hand}: 77 is not a known yaku");
            assert_eq!((differences(&read), read.notes), (vec![], vec![note]));
        }
    }
    assert!(found > 3, "{found}");
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
