//! Decisions, and the state that the rivers imply: furiten, ippatsu, double riichi.

use jantaku_engine::replay::GameHistory;
use jantaku_engine::{Action, DrawSource, Game, Phase, Position, Riichi, Seat};

/// The game of a position, and the seat that decides.
fn game(text: &str) -> (Game, Seat) {
    game_of(text, 1)
}

fn game_of(text: &str, seed: u64) -> (Game, Seat) {
    let position = Position::from_toml(text, "position.toml").unwrap_or_else(|error| panic!("{error}"));
    (position.game(seed).unwrap_or_else(|error| panic!("{error}\n{text}")), position.seat())
}

fn legal(game: &Game, seat: Seat) -> String {
    let o = game.observe(seat);
    o.legal().iter().map(|id| o.describe(id.action())).collect::<Vec<_>>().join(", ")
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

#[test]
fn the_last_discard_can_be_claimed() {
    let (game, south) = game(&claim("4z", "6s"));
    assert_eq!(game.table().phase(), Phase::Claim);
    assert_eq!(legal(&game, south), "pon 66s, ron, pass");
    assert!(!game.observe(south).is_furiten());
}

#[test]
fn a_passed_tile_makes_temporary_furiten() {
    let (game, south) = game(&claim("3s", "6s"));
    assert_eq!(legal(&game, south), "pon 66s, pass");
    assert!(game.observe(south).is_furiten());
}

#[test]
fn a_call_is_followed_by_a_discard() {
    let text = r#"
        round = "S2"
        indicators = "1m"
        seat = "west"
        [east]
        river = "1z 5m'"
        [south]
        river = "9s"
        [west]
        river = "4z"
        melds = "[50'5m]"
        hand = "55p234678s114z"
        [north]
        river = "2z"
    "#;
    // The red five claims nothing, and East did not discard it.
    let error = Position::from_toml(text, "position.toml").and_then(|position| position.game(1)).unwrap_err();
    assert!(error.to_string().starts_with("position.toml:6: `east.river`: entry 2 `5m'`"), "{error}");
    let text = text.replace("[50'5m]", "[05'5m]");
    let (game, west) = game(&text);
    assert_eq!((game.table().phase(), game.observe(west).drawn()), (Phase::Turn, None));
    let discards = "discard 5p, discard 2s, discard 3s, discard 4s, discard 6s, discard 7s, discard 8s, \
                    discard 1z, discard 4z";
    assert_eq!(legal(&game, west), discards);
    assert_eq!(game.observe(west).side(west).melds().to_string(), "[055m]");
}

#[test]
fn furiten_and_ippatsu_follow_a_riichi() {
    let text = |west: &str| {
        format!(
            r#"
            round = "E3"
            indicators = "1m"
            sticks = 1
            seat = "south"
            live = 64
            [east]
            river = "1z 8m"
            [south]
            score = 24000
            river = "9sr"
            hand = "123m456789p4566s+3s"
            [west]
            river = "{west}"
            [north]
            river = "4s"
            "#
        )
    };
    let (passed, south) = game(&text("3s"));
    assert!(passed.observe(south).is_furiten());
    assert_eq!(legal(&passed, south), "tsumogiri 3s, tsumo");
    assert_eq!(passed.table().side(south).riichi(), Riichi::Double);
    assert!(passed.table().side(south).ippatsu());
    assert_eq!((passed.table().sticks(), passed.scores()[south]), (2, 24_000));
    let (safe, south) = game(&text("4z"));
    assert!(!safe.observe(south).is_furiten());
}

#[test]
fn a_call_ends_ippatsu() {
    let text = r#"
        round = "E1"
        indicators = "1m"
        seat = "south"
        [east]
        river = "1z 2m 8m"
        [south]
        river = "9m 9sr"
        hand = "123m456789p4566s+6s"
        [west]
        river = "3z 7z'"
        [north]
        river = "4s 4z"
        melds = "[7'77z]"
    "#;
    let (game, south) = game(text);
    let side = game.table().side(south);
    assert_eq!((side.riichi(), side.ippatsu()), (Riichi::Single, false));
    assert!(game.observe(south).legal().contains(Action::Tsumo.id()));
}

#[test]
fn a_kakan_can_be_robbed() {
    let text = r#"
        round = "E1"
        indicators = "1m"
        seat = "south"
        [east]
        river = "1z 5z"
        [south]
        river = "9s 9m"
        hand = "123m456789p4566s"
        [west]
        river = "3s' 4z"
        [north]
        river = "5z <3s>"
        melds = "[3'3'33s]"
    "#;
    let (game, south) = game(text);
    assert_eq!(game.table().phase(), Phase::KanClaim);
    assert_eq!(legal(&game, south), "ron, pass");
}

#[test]
fn a_kan_without_a_date_is_declared_as_late_as_it_fits() {
    let text = |river: &str, indicators: &str| {
        format!(
            r#"
            round = "E1"
            indicators = "{indicators}"
            seat = "south"
            [east]
            river = "1z 2z"
            [south]
            river = "9s{river}"
            melds = "<9999p>"
            hand = "123m4567p456s+6s"
            [west]
            river = "4z"
            [north]
            river = "5z"
            "#
        )
    };
    let (earlier, south) = game(&text("", "1m1p"));
    assert_eq!(earlier.table().source(), DrawSource::Live);
    assert_eq!(earlier.observe(south).live(), 63);
    let (now, _) = game(&text(" <9p>", "1m1p"));
    assert_eq!(now.table().source(), DrawSource::Kan);
    let error =
        Position::from_toml(&text("", "1m"), "p.toml").and_then(|position| position.game(1)).unwrap_err();
    assert_eq!(error.to_string(), "p.toml:3: `indicators`: found 1 dora indicator, expected 2 after 1 kan");
}

#[test]
fn hidden_tiles_depend_on_the_seed_alone() {
    let text = claim("4z", "6s");
    let hands = |seed| {
        let (game, _) = game_of(&text, seed);
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
        let (game, _) = game_of(&text, seed);
        let west = game.observe(Seat::new(2).expect("a seat"));
        assert!(west.is_tenpai() && !west.is_furiten(), "seed {seed}: {}", west.hand());
    }
}

#[test]
fn other_hands_can_be_shown() {
    let text = claim("4z", "6s").replace("[west]", "[west]\nhand = \"19m19p19s1234567z\"");
    let error = Position::from_toml(&text.replace("4567z", "467z"), "p.toml").unwrap_err().to_string();
    assert!(error.contains("`west.hand`: found 12 tiles, expected 13"), "{error}");
    let (game, _) = game(&text);
    assert_eq!(game.observe(Seat::new(2).expect("a seat")).hand().to_string(), "19m19p19s1234567z");
}
