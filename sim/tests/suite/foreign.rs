//! Logs as converters of Mahjong Soul's games and other programs write them.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::replay::{LogHeader, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::{Event, Limit, Rules};
use jantaku_sim::logs::files::Games;
use jantaku_sim::replay::convert::{Format, complete};
use serde_json::{Value, json};

use crate::common::logs::{differences, read, read_all, tenhou6, try_read};

/// Names of rooms. For three players, the Japanese and Chinese ones follow a mark.
const ROOMS: [&[&str]; 3] = [
    &["玉の間南喰赤", "友人戦南喰赤", "大会戦南喰赤"],
    &["Jade Room South", "Friendly South", "Tounament South", "Tournament South", "Casual Match South"],
    &["玉之间南喰赤", "友人场南喰赤", "比赛场南喰赤"],
];

/// A name of Tenhou as Mahjong Soul has it in Japanese, English or Chinese, from `tests/data/names.csv`.
fn renamed(name: &str, language: usize) -> &'static str {
    let mut rows = include_str!("../data/names.csv").lines().map(|row| row.split(','));
    let row = rows.find(|row| row.clone().next() == Some(name));
    row.and_then(|mut row| row.nth(language + 1)).unwrap_or_else(|| panic!("no name for {name}"))
}

/// The text of a yaku with its han. The winds after those of seat and round are left out.
fn yaku(text: &str, language: usize) -> String {
    let (name, value) = text.split_once('(').unwrap();
    let name = name.strip_suffix([' ', '東', '南', '西', '北']).map_or(name, str::trim_end);
    let name = if text.starts_with("役牌") { text.split_once('(').unwrap().0 } else { name };
    format!("{}({value}", renamed(name, language))
}

/// The value of a hand. Some converters write fu and han before a limit, too.
fn value(text: &str, win: &RecordedWin, language: usize, shows_fu: bool) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap();
    let [fu_unit, han_unit] = [["符", "飜"], ["Fu", "Han"], ["符", "番"]][language];
    let (fu, han) = (win.fu.unwrap(), win.han.unwrap());
    let fu_and_han = format!("{fu}{fu_unit}{han}{han_unit}");
    if start == 0 {
        return fu_and_han + text.split_once('飜').unwrap().1;
    }
    let limit = renamed(&text[..start], language);
    let limit = match (win.limit.unwrap(), han) {
        (Limit::Yakuman, 13..) => ["数え役満", "Kazoe Yakuman ", "累计役满"][language],
        _ => limit,
    };
    format!("{}{limit}{}", if shows_fu { fu_and_han } else { String::new() }, &text[start..])
}

/// Renames the result of a hand.
fn rename(hand: &mut Value, played: &RecordedHand, language: usize, shows_fu: bool) {
    let result = hand[16].as_array_mut().unwrap();
    result[0] = renamed(result[0].as_str().unwrap(), language).into();
    let wins = played.end.iter().flat_map(|end| &end.wins);
    for (details, win) in result.iter_mut().skip(2).step_by(2).zip(wins) {
        let texts = &mut details.as_array_mut().unwrap()[3..];
        texts[0] = value(texts[0].as_str().unwrap(), win, language, shows_fu).into();
        texts[1..].iter_mut().for_each(|text| *text = yaku(text.as_str().unwrap(), language).into());
    }
}

/// A game as a converter of Mahjong Soul's logs writes it.
fn converted(game: &RecordedGame, seed: usize, language: usize) -> Value {
    let mut log = tenhou6(game);
    let room = ROOMS[language][seed / 2 % ROOMS[language].len()];
    let three = if game.rules.players.count() == 3 && language != 1 { "三" } else { "" };
    log["rule"] = json!({ "disp": format!("{three}{room}"), "aka51": 1, "aka52": 1, "aka53": 1 });
    log["title"] = json!(["a room", 1_688_893_135]);
    for (hand, played) in log["log"].as_array_mut().unwrap().iter_mut().zip(&game.hands) {
        rename(hand, played, language, seed % 4 > 1);
    }
    log
}

/// The games have every result and most yaku.
fn games() -> impl Iterator<Item = (usize, RecordedGame)> {
    let rules = ["mjsoul", "mjsoul-sanma"].map(|name| Rules::preset(name).unwrap());
    (0..30).map(move |seed| (seed, crate::common::played(&rules[seed % 2], seed as u64)))
}

#[test]
fn names_of_every_converter_are_read() {
    for (seed, game) in games() {
        for language in 0..3 {
            let log = converted(&game, seed, language);
            let again = read(&log);
            assert_eq!(again.notes, [""; 0], "{}", log["rule"]);
            assert_eq!(again.rules, game.rules, "{}", log["rule"]);
            assert_eq!(differences(&again), [""; 0], "{}, seed {seed}", log["rule"]);
            let known = complete(&again).unwrap();
            assert_eq!(known.hands.len(), game.hands.len());
            assert_eq!(known.header.title, ["a room", "1688893135"]);
        }
    }
}

/// Every name is read as something else if it is broken, and then it is a note.
#[test]
fn unknown_names_are_notes() {
    let strange = |text: &Value| Value::from(format!("X{}", text.as_str().unwrap()));
    let (mut wins, mut draws) = (0, 0);
    for (seed, game) in games() {
        let mut log = converted(&game, seed, 0);
        for hand in log["log"].as_array_mut().unwrap() {
            let result = hand[16].as_array_mut().unwrap();
            result[0] = strange(&result[0]);
            *(if result.len() > 2 { &mut wins } else { &mut draws }) += 1;
            for details in result.iter_mut().skip(2).step_by(2) {
                details.as_array_mut().unwrap()[4..].iter_mut().for_each(|text| *text = strange(text));
            }
        }
        let again = read(&log);
        assert!(again.notes.len() >= game.hands.len(), "{:?}", again.notes);
        assert!(again.notes[0].starts_with("hand 0: `X"), "{:?}", again.notes);
        assert_eq!(differences(&again), [""; 0], "seed {seed}");
    }
    assert!(wins > 100 && draws > 5, "{wins} wins, {draws} draws");
}

/// A league may have no ura dora.
#[test]
fn given_rules_come_before_the_checks() {
    let rules = Rules { ura: false, kan_ura: false, ..Rules::default() };
    let mut riichi = 0;
    for seed in 0..20 {
        let xml = crate::common::mjlog::write(&crate::common::played(&rules, seed));
        assert!(!xml.contains("doraHaiUra"), "{xml}");
        // Winners in riichi, which is the first of their yaku.
        riichi += xml.matches(" yaku=\"1,").count();
        let game = try_read(&xml, Some(&rules)).unwrap();
        assert_eq!((differences(&game), game.rules), (vec![], rules), "seed {seed}");
    }
    assert!(riichi > 0);
}

/// The hands of a game as URLs are read as parts of the game, encoded or not.
#[test]
fn urls_are_written_and_read() {
    let rules = Rules::preset("mjsoul-sanma").unwrap();
    let mut game = crate::common::played(&rules, 3);
    game.names = ["100%", "a & b", "{\"x\"}"].map(str::to_owned).to_vec();
    game.header = LogHeader {
        reference: "240302-203b66a8-1e89-441c-a784-033ce03badb2".to_owned(),
        room: "金の間南喰赤".to_owned(),
        title: ["a", "b"].map(str::to_owned).to_vec(),
        dan: ["六段", "雀豪1", "新人"].map(str::to_owned).to_vec(),
        rate: vec![1800.5, 1500.0, 2000.0],
        sx: ["M", "F", "C"].map(str::to_owned).to_vec(),
    };
    let urls = Format::Tenhou6Url.text(&game);
    assert_eq!(urls.lines().count(), game.hands.len());
    let decoded = percent_encoding::percent_decode_str(&urls).decode_utf8().unwrap().into_owned();
    for text in [urls.clone(), urls.replace('\n', "&ts=0\n"), decoded.replace('\n', "&ts=0&tw=1\r\n")] {
        let hands: Vec<RecordedGame> = read_all(text, None).into_iter().map(Result::unwrap).collect();
        assert_eq!(hands.len(), game.hands.len());
        for (hand, played) in hands.iter().zip(&game.hands) {
            assert_eq!(differences(hand), [""; 0]);
            assert_eq!((&hand.names, &hand.header, hand.rules), (&game.names, &game.header, game.rules));
            assert_eq!(hand.hands[0].standing, played.standing);
        }
    }
    assert_eq!(read(&Format::Tenhou6.text(&game)).header, game.header);
    assert_eq!(complete(&game).unwrap().header, game.header);
    for game in read_all(include_str!("../data/cases/tenhou6-url.txt"), None) {
        let game = game.unwrap();
        assert_eq!((differences(&game), game.notes), (vec![], vec![]));
    }
    // Encoders of forms write `+` for a space.
    let form = form_urlencoded(include_str!("../data/cases/ms-yaku-en.json"));
    assert!(form.contains('+') && !form.contains(' '));
    let game = read(&format!("https://tenhou.net/6/#json={form}&ts=0"));
    assert_eq!((differences(&game), game.header.room), (vec![], "Jade Room South".to_owned()));
}

/// The text as a browser writes a field of a form.
fn form_urlencoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%20", "+")
}

/// Logs of Tenhou keep the room, the grades and the ratings.
#[test]
fn the_header_of_an_mjlog_is_kept() {
    let game = crate::common::played(&Rules::default(), 2);
    let xml = crate::common::mjlog::write(&game);
    let grades = "dan=\"16,0,20,9\" rate=\"2030.5,1500.00,2300,1400\" sx=\"M,F,C,M\"";
    let xml = xml.replace("dan=\"0,0,0,0\" sx=\"M,M,M,M\"", grades);
    let mut games =
        Games::of(Path::new("2022080600gm-00a9-0000-06406b7f&tw=1.mjlog"), Cursor::new(xml)).unwrap();
    let header = games.next().unwrap().unwrap().read(None).unwrap().header;
    assert_eq!(header.reference, "2022080600gm-00a9-0000-06406b7f");
    assert_eq!(header.dan, ["七段", "新人", "天鳳位", "１級"]);
    assert_eq!((header.rate, header.sx.concat()), (vec![2030.5, 1500.0, 2300.0, 1400.0], "MFCM".to_owned()));
    assert!(header.room.ends_with("南喰赤"), "{}", header.room);
}

/// A discarded tile that the player just drew is a tsumogiri in riichi, or if they do not hold it otherwise.
#[test]
fn discards_of_the_drawn_tile_are_read_without_their_mark() {
    for seed in 0..12 {
        let game = crate::common::played(&Rules::default(), seed);
        let mut log = tenhou6(&game);
        let events = Format::Mjai.text(&game);
        let (mut numbers, mut flags) = (0, [0, 0]);
        for (hand, played) in log["log"].as_array_mut().unwrap().iter_mut().zip(&game.hands) {
            numbers += number_tsumogiri(hand, played);
        }
        assert!(numbers > 20, "{numbers}");
        assert_eq!(differences(&read(&log)), [""; 0], "seed {seed}");
        for (how, changed) in [(0, "\"tsumogiri\":false"), (1, "\"tsumogiri\":null")] {
            let text = unmark(&events, &game, changed, &mut flags[how]);
            assert_eq!(differences(&read(&text)), [""; 0], "seed {seed}");
        }
        let without = unmark(&events, &game, "\"x\":0", &mut 0);
        assert_eq!(differences(&read(&without)), [""; 0], "seed {seed}");
        assert!(flags[0] > 20 && flags[0] == flags[1], "{flags:?}");
    }
}

/// Which tsumogiri of a hand, in order, are clear without their mark: the player is in riichi, or the hand has
/// no other copy.
fn clear(hand: &RecordedHand) -> Vec<bool> {
    let tsumogiri = hand.events.iter().enumerate().filter_map(|(at, event)| match event {
        Event::Discard { seat, tile, tsumogiri: true, .. } => Some((at, *seat, *tile)),
        _ => None,
    });
    let is_clear = |(at, seat, tile)| {
        let before = RecordedHand { events: hand.events[..at].to_vec(), ..hand.clone() };
        before.events.contains(&Event::RiichiAccepted { seat })
            || before.held(seat).unwrap().into_iter().filter(|held| *held == tile).count() == 1
    };
    tsumogiri.map(is_clear).collect()
}

/// Writes the number of the tile for 60 in each list of discards, where it is clear. Returns how
/// often.
fn number_tsumogiri(hand: &mut Value, played: &RecordedHand) -> usize {
    let mut count = 0;
    let mut next = [0; 4];
    let mut clear = clear(played).into_iter();
    for event in &played.events {
        let (seat, tile, is_drawn) = match event {
            Event::Discard { seat, tile, tsumogiri, .. } => (seat.index(), Some(*tile), *tsumogiri),
            Event::Ankan { seat, .. } | Event::Kakan { seat, .. } | Event::Kita { seat } => {
                (seat.index(), None, false)
            }
            Event::Call { seat, meld } if meld.is_kan() => (seat.index(), None, false),
            _ => continue,
        };
        let entry = &mut hand[6 + 3 * seat][next[seat]];
        next[seat] += 1;
        let Some(tile) = tile.filter(|_| is_drawn && clear.next() == Some(true)) else { continue };
        let kind = tile.kind();
        let suit = kind.suit() as u8 + 1;
        let number = if tile.is_red() { 50 + suit } else { 10 * suit + kind.rank() };
        *entry = match entry.as_str() {
            Some(_) => format!("r{number}").into(),
            None => number.into(),
        };
        count += 1;
    }
    count
}

/// Changes the mark of each tsumogiri that is clear without it.
fn unmark(events: &str, game: &RecordedGame, changed: &str, count: &mut usize) -> String {
    let mut clear = game.hands.iter().flat_map(clear);
    let mut unmarked = |line: &str| {
        let is_clear = line.contains("\"tsumogiri\":true") && clear.next() == Some(true);
        *count += usize::from(is_clear);
        if is_clear { line.replace("\"tsumogiri\":true", changed) } else { line.to_owned() }
    };
    events.lines().map(|line| unmarked(line) + "\n").collect()
}
