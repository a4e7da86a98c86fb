//! Positions without whole rivers: a turn stands for the discards that the file does not give.

use jantaku_engine::{Game, Phase, Position, Seat, TileSet};

/// A question as books ask it: a hand, the turn and the dora.
const QUESTION: &str = r#"turn = 6
dora = "3s"
seat = "south"
[south]
hand = "23455m234p56788s+9s"
"#;

fn position(text: &str) -> Position {
    Position::from_toml(text, "p.toml").expect("a position")
}

fn game(text: &str, seed: u64) -> Game {
    position(text).game(seed).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The number of discards of each seat.
fn discards(game: &Game) -> Vec<usize> {
    let table = game.table();
    table.rules().players.seats().map(|seat| table.discards().of(seat).count()).collect()
}

#[test]
fn a_hand_a_turn_and_a_dora_are_a_position() {
    for seed in 0..20 {
        let game = game(QUESTION, seed);
        let o = game.observe(position(QUESTION).seat());
        assert_eq!(discards(&game), [6, 5, 5, 5]);
        assert_eq!((o.phase(), o.hand().to_string().as_str()), (Phase::Turn, "23455m234p56788s"));
        assert_eq!(game.table().indicators()[0].to_string(), "2s");
        assert!(!o.is_furiten());
        assert_eq!(o.live(), 70 - 22);
    }
}

/// The seed decides the discards, and the written position has them.
#[test]
fn random_discards_follow_from_the_seed() {
    let river = |seed| {
        let game = game(QUESTION, seed);
        let tiles = game.table().discards().iter().map(|discard| discard.tile.to_string());
        tiles.collect::<Vec<_>>()
    };
    assert_eq!(river(3), river(3));
    assert_ne!(river(3), river(4));
}

/// Random rivers have as many honours, terminals and drawn tiles as those of people (see
/// `engine/src/position/fill.rs`), and keep dora and red fives.
#[test]
fn random_rivers_are_like_those_of_people() {
    let (mut honours, mut terminals, mut tsumogiri) = ([0; 5], [0; 5], [0; 5]);
    for seed in 0..150 {
        let game = game(QUESTION, seed);
        let table = game.table();
        for seat in table.rules().players.others(position(QUESTION).seat()) {
            for (number, discard) in table.discards().of(seat).enumerate().take(5) {
                let kind = discard.tile.kind();
                honours[number] += u32::from(kind.is_honour());
                terminals[number] += u32::from(TileSet::YAOCHUU.contains(kind) && !kind.is_honour());
                tsumogiri[number] += u32::from(discard.tsumogiri);
                assert!(!discard.tile.is_red() && kind.to_string() != "3s", "{} at {number}", discard.tile);
            }
        }
    }
    // In percent of 450 discards, so the standard error is about 2.
    for (found, expected) in
        [(honours, [58, 51, 44, 37, 30]), (terminals, [33, 30, 27, 25, 24]), (tsumogiri, [7, 16, 23, 30, 35])]
    {
        let shares = found.map(|count| count * 100 / 450);
        let near = shares.iter().zip(expected).all(|(share, expected)| share.abs_diff(expected) <= 7);
        assert!(near, "{shares:?}, expected {expected:?}");
    }
}

/// Given rivers are the last discards, and each meld finds its tile.
#[test]
fn given_rivers_and_melds_are_kept() {
    let text = format!("{QUESTION}[west]\nriver = \"1z 5pr*\"\n[north]\nriver = \"9p\"\n");
    for seed in 0..20 {
        let game = game(&text, seed);
        let of = |seat| {
            let table = game.table();
            table
                .discards()
                .of(Seat::new(seat).expect("a seat"))
                .map(|one| one.tile.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(2)[3..], ["1z", "5p"]);
        assert_eq!(of(3)[4..], ["9p"]);
    }
    let called = format!("{QUESTION}[west]\nmelds = \"[7'89m]\"\n[north]\nmelds = \"[3'33z]\"\n");
    for seed in 0..20 {
        let game = game(&called, seed);
        assert_eq!(discards(&game)[1], 5);
        let table = game.table();
        let claimed = table.discards().iter().filter(|discard| discard.claimed_by.is_some());
        let mut tiles: Vec<String> = claimed.map(|discard| discard.tile.to_string()).collect();
        tiles.sort();
        assert_eq!(tiles, ["3z", "7m"]);
    }
}

/// A claim needs the river that ends with the tile.
#[test]
fn claims_need_the_tile() {
    let claim = QUESTION.replace("+9s", "") + "[west]\nriver = \"5m\"\n";
    let game = game(&claim, 1);
    let offer = game.observe(position(&claim).seat()).offer().expect("a claim");
    assert_eq!((offer.tile.to_string().as_str(), offer.from.number()), ("5m", 2));
}

/// A hand without a drawn tile needs one, unless it may claim a tile or has called.
#[test]
fn a_turn_needs_the_drawn_tile() {
    let message = |drawn: &str| {
        let text = QUESTION.replace("+9s", drawn);
        position(&text).game(1).expect_err("no drawn tile").to_string()
    };
    let advice = "write the drawn tile after `+`, such as `+5m`";
    let expected = format!("p.toml:5: `south.hand`: found 14 tiles without a drawn one: {advice}");
    assert_eq!(message("9s"), expected);
    let expected = format!(
        "p.toml:5: `south.hand`: found 13 tiles: {advice}; to ask about a claim, give the river that ends \
         with the tile"
    );
    assert_eq!(message(""), expected);
}

/// The wall ends after 18 turns of South, and after 17 of West.
#[test]
fn turns_after_the_end_of_the_wall_are_refused() {
    let error = |text: &str| position(text).game(1).map(|_| ()).map_err(|error| error.to_string());
    let later = |turn: &str| QUESTION.replace("turn = 6", &format!("turn = {turn}"));
    assert_eq!(error(&later("18")), Ok(()));
    let expected = "p.toml:1: `turn`: found 20, expected at most 18: then the wall ends";
    assert_eq!(error(&later("20")), Err(expected.to_owned()));
    let expected = "p.toml:1: `turn`: found 18, expected at most 17: then the wall ends";
    assert_eq!(error(&later("18").replace("south", "west")), Err(expected.to_owned()));
}

/// Players discard honours and terminals first, and the player who decides no tile that the hand
/// could have used.
#[test]
fn random_discards_are_likely_ones() {
    let far: TileSet = "789m6789p123s1234567z".parse().expect("kinds");
    let mut first = 0;
    for seed in 0..20 {
        let game = game(QUESTION, seed);
        let of = |seat: Seat| game.table().discards().of(seat).map(|discard| discard.tile.kind());
        for seat in game.rules().players.seats() {
            first += usize::from(of(seat).next().is_some_and(|kind| TileSet::YAOCHUU.contains(kind)));
        }
        let own: TileSet = of(position(QUESTION).seat()).collect();
        assert!((own - far).is_empty(), "seed {seed}: {own}");
    }
    assert!(first > 65, "{first} of 80 first discards are honours or terminals");
}

#[test]
fn what_is_assumed_is_said() {
    let assumed = position(QUESTION).assumed();
    let expected = [
        "`round` is E1",
        "`score` is 25000 for east, south, west, north",
        "the discards before turn 6 that no river gives are random: all of east, south, west, north",
    ];
    assert_eq!(assumed, expected);
}

/// Missing points are those of the start, less the stick of a riichi in the river once it is accepted.
#[test]
fn assumed_points_add_up_with_riichi_sticks() {
    const TURN: &str = r#"indicators = "2s"
seat = "south"
[east]
river = "1m 9m 1zr 2z*"
[south]
river = "9p 1p 1s"
hand = "23455m234p56788s+9s"
[west]
river = "9m 9p 9s"
[north]
river = "1m 9p 1s"
"#;
    // The claim of a riichi discard, whose stick is not paid yet.
    let claim = TURN.replace("1zr 2z*", "1z 9sr").replace("+9s", "");
    for (text, east) in [(TURN, 24_000), (&claim, 25_000)] {
        let (position, game) = (position(text), game(text, 0));
        assert_eq!(game.scores()[game.table().dealer()], east, "{text}");
        assert_eq!(position.warning(&game), None, "{text}");
        assert_eq!(
            position.assumed(),
            ["`round` is E1", "`score` is 25000 for east, south, west, north, before riichi sticks"]
        );
        let stated = text.replace("[east]", &format!("[east]\nscore = {east}"));
        let given = self::position(&stated);
        assert_eq!(game, given.game(0).expect("a position"), "{text}");
        assert_eq!(given.assumed()[1], "`score` is 25000 for south, west, north");
    }
}

#[test]
fn wrong_turns_and_dora_are_refused() {
    let message = |from: &str, to: &str| {
        let text = QUESTION.replacen(from, to, 1);
        Position::from_toml(&text, "p.toml").expect_err("an error").to_string()
    };
    assert_eq!(message("6", "0"), "p.toml:1: `turn`: found 0, expected the number of the turn, from 1");
    assert_eq!(
        message("dora", "indicators = \"1m\"\ndora"),
        "p.toml:3: `dora`: found `indicators` as well, expected only one of them"
    );
}
