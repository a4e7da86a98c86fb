//! Texts that are close to a position give a position or an error, and never a panic.

use jantaku_engine::{Position, Rng};

use crate::sizes::MUTATED_POSITIONS;

const TEXTS: [&str; 2] = [
    r#"rules = "tenhou"
round = "S2"
honba = 1
sticks = 1
indicators = "3p7z"
seat = "south"
[east]
score = 31000
river = "9m 1z* 4p 2mr 6z* 7p*"
[south]
score = 22000
river = "9s 4z 1p 9p 2m"
hand = "345m234677p2278s+6m"
[west]
river = "1s 9p 3z 7m' 8s"
[north]
river = "2z 3z* 9p 1m <5z> 4s*"
melds = "[7'89m] <5555z>"
"#,
    r#"rules = "tenhou-sanma"
round = "E3"
indicators = "3p1s"
seat = "west"
[east]
river = "9m 1z 4p' 1m <kita> 6z*"
kita = 1
[south]
melds = "[4'4'44p]"
river = "9s 7s 1p <4p> 2z 8s*"
[west]
river = "1s 9p 5z 3z"
hand = "355677p22278s66z+6p"
"#,
];

#[test]
fn changed_texts_never_panic() {
    for text in TEXTS {
        let game = Position::from_toml(text, "text.toml").and_then(|position| position.game(1));
        assert_eq!(game.err().map(|error| error.to_string()), None);
    }
    let mut rng = Rng::new(7);
    let (mut positions, mut games) = (0, 0);
    let rounds = MUTATED_POSITIONS.get();
    for round in 0..rounds {
        let mut text: Vec<char> = TEXTS[round as usize % 2].chars().collect();
        for _ in 0..=rng.below(3) {
            let (at, other) = (rng.below(text.len()), rng.below(text.len()));
            match rng.below(8) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, text[other]),
                2 => text[at] = ['z', '\'', '*', '<', '[', '+', 'é', '-'][rng.below(8)],
                3 => text.swap(at, other),
                _ if text[at].is_ascii_digit() => text[at] = char::from(b'0' + rng.below(10) as u8),
                _ => {}
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(position) = Position::from_toml(&text, "mutated.toml") {
            positions += 1;
            games += u32::from(position.game(u64::from(round)).is_ok());
        }
    }
    assert!(positions > rounds / 7 && games > rounds / 10, "{positions} {games}");
}
