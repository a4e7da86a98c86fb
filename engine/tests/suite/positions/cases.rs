//! Decisions, and the state that the rivers imply: furiten, ippatsu, double riichi.

use jantaku_engine::replay::GameHistory;
use jantaku_engine::{Game, Position, Seat};

/// The game of a position.
fn game(text: &str, seed: u64) -> Game {
    let position = Position::from_toml(text, "position.toml").unwrap_or_else(|error| panic!("{error}"));
    position.game(seed).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// South in East 1, after one go-around. `north` is North's river.
fn claim(west: &str, north: &str) -> String {
    format!(
        r#"
        round = "E1"
        indicators = "1m"
        seat = "south"
        [east]
        river = "1z"
        [south]
        river = "9s"
        hand = "123m456789p4566s"
        [west]
        river = "{west}"
        [north]
        river = "{north}"
        "#
    )
}

/// The start, the wall and the decisions of a position lead to its game.
#[test]
fn the_history_of_a_position_leads_to_its_game() {
    for seed in 0..20 {
        let position = Position::from_toml(&claim("4z", "6s"), "position.toml").expect("a position");
        let history = position.history(seed).expect("a game");
        let (start, wall, steps) = (history.start(), history.wall().copied(), history.steps());
        let again = GameHistory::resume(position.rules(), seed, start, wall, steps).expect("a game");
        assert_eq!(again.game(), &position.game(seed).expect("a game"));
        assert!(wall.is_some() && steps.len() >= 3);
    }
}

/// The rows of `tests/positions/decisions.toml`.
#[test]
fn players_see_what_the_rows_say() {
    let file: toml::Table = include_str!("../../positions/decisions.toml").parse().expect("TOML");
    for row in file["case"].as_array().expect("rows") {
        let text = row["text"].as_str().expect("a text");
        let game = Position::from_toml(text, "position.toml")
            .and_then(|position| Ok((position.game(1)?, position.seat())));
        if let Some(error) = row.get("error") {
            let (error, found) = (error.as_str().expect("a text"), game.unwrap_err().to_string());
            assert!(found.starts_with(error), "{found}");
            continue;
        }
        let (game, seat) = game.unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (key, expected) in row["sees"].as_table().expect("facts") {
            assert_eq!(Some(&*seen(&game, seat, key)), expected.as_str(), "{key} of {text}");
        }
    }
}

/// What a player sees of this name.
fn seen(game: &Game, seat: Seat, what: &str) -> String {
    let (o, table) = (game.observe(seat), game.table());
    let side = table.side(seat);
    match what {
        "legal" => o.legal().iter().map(|id| o.describe(id.action())).collect::<Vec<_>>().join(", "),
        "drawn" => o.drawn().map_or_else(|| "nothing".to_owned(), |tile| tile.to_string()),
        "furiten" => o.is_furiten().to_string(),
        "live" => o.live().to_string(),
        "melds" => side.melds().to_string(),
        "riichi" => format!("{:?}", side.riichi()),
        "ippatsu" => side.ippatsu().to_string(),
        "score" => game.scores()[seat].to_string(),
        "sticks" => table.sticks().to_string(),
        "phase" => format!("{:?}", table.phase()),
        "source" => format!("{:?}", table.source()),
        other => panic!("unknown: {other}"),
    }
}

#[test]
fn hidden_tiles_depend_on_the_seed_alone() {
    let text = claim("4z", "6s");
    let hands = |seed| {
        let game = game(&text, seed);
        let seats = game.rules().players.seats();
        seats.map(|seat| game.observe(seat).hand().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(hands(1), hands(1));
    assert!((2..6).all(|seed| hands(seed) != hands(1)));
    assert!((2..6).all(|seed| hands(seed)[1] == "123m456789p4566s"));
}

#[test]
fn hidden_hands_in_riichi_are_tenpai_and_not_furiten() {
    let text = claim("4zr", "6s");
    for seed in 0..50 {
        let game = game(&text, seed);
        let west = game.observe(Seat::new(2).expect("a seat"));
        assert!(west.is_tenpai() && !west.is_furiten(), "seed {seed}: {}", west.hand());
    }
}

#[test]
fn other_hands_can_be_shown() {
    let text = claim("4z", "6s").replace("[west]", "[west]\nhand = \"19m19p19s1234567z\"");
    let error = Position::from_toml(&text.replace("4567z", "467z"), "p.toml").unwrap_err().to_string();
    assert!(error.contains("`west.hand`: found 12 tiles, expected 13"), "{error}");
    let game = game(&text, 1);
    assert_eq!(game.observe(Seat::new(2).expect("a seat")).hand().to_string(), "19m19p19s1234567z");
}
