//! Laws of `events-v1`.

use jantaku_agents::encode::{Domain, EventsV1, Features, Rows};
use jantaku_engine::{Meld, MeldKind, Observation, Phase, Seat, Tile, TileKind};

use super::play;

/// The sequence of a decision, and its scalars.
pub fn encoded(o: &Observation<'_>) -> (Vec<u16>, [f32; EventsV1::SCALARS]) {
    let (mut sequence, mut numbers) = ([0; EventsV1::MAX], [0.0; EventsV1::SCALARS]);
    let len = EventsV1::encode(o, &mut sequence, &mut numbers);
    (sequence[..len].to_vec(), numbers)
}

/// The row of a token.
fn row_of(token: u16) -> &'static Features {
    let rows = EventsV1::ENCODER.table().features;
    &rows[rows.partition_point(|row| row.first <= token) - 1]
}

/// A token as text, such as `event.pon.right 5m`.
pub fn in_words(token: u16) -> String {
    let row = row_of(token);
    let (name, number) = (format!("{}.{}.{}", row.block, row.name, row.view), token - row.first);
    match row.domain {
        Domain::Kinds => format!("{name} {}", TileKind::new(number as u8).expect("a kind")),
        Domain::Numbers(1) => name,
        _ => format!("{name} {number}"),
    }
}

/// The name of a seat's view.
fn view(o: &Observation<'_>, seat: Seat) -> &'static str {
    let players = o.rules().players.count();
    let turns = (seat.number() + players - o.seat().number()) % players;
    match (turns, players) {
        (0, _) => "own",
        (1, _) => "right",
        (2, 4) => "across",
        _ => "left",
    }
}

/// The text of a tile's token.
fn of_tile(name: &str, red: &str, view: &str, tile: Tile) -> String {
    let red = if tile.is_red() { red } else { "" };
    format!("{name}{red}.{view} {}", tile.kind())
}

/// What a meld adds to the sequence where it was claimed.
fn claim(view: &str, meld: Meld) -> Vec<String> {
    let name = match meld.kind() {
        MeldKind::Chi => "chi",
        MeldKind::Pon | MeldKind::Kakan => "pon",
        MeldKind::Daiminkan => "daiminkan",
        MeldKind::Ankan => unreachable!("an ankan has no claimed tile"),
    };
    let mut words = vec![format!("event.{name}.{view} {}", meld.low())];
    let red = meld.tiles().find(|tile| tile.is_red()).filter(|_| meld.kind() != MeldKind::Kakan);
    words.extend(red.map(|red| format!("event.with_red.{view} {}", red.kind())));
    words
}

/// The events of an observation as text, from its public record.
fn events(o: &Observation<'_>) -> Vec<String> {
    let mut words = Vec::new();
    for (index, discard) in o.discards().iter().enumerate() {
        let who = view(o, discard.seat);
        if discard.riichi {
            words.push(format!("event.riichi.{who}"));
        }
        let name = if discard.tsumogiri { "event.tsumogiri" } else { "event.tedashi" };
        words.push(of_tile(name, "_red", who, discard.tile));
        if let Some(seat) = discard.claimed_by {
            let earlier =
                o.discards().iter().take(index).filter(|other| other.claimed_by == Some(seat)).count();
            let mut melds = o.side(seat).melds().iter().filter(|meld| meld.claimed().is_some());
            let meld = melds.nth(earlier).expect("a claim makes a meld");
            let claimed = meld.claimed().expect("it has a claimed tile");
            assert_eq!((claimed.tile, claimed.from), (discard.tile, discard.seat));
            words.extend(claim(view(o, seat), *meld));
        }
    }
    words
}

/// Sequences begin with the hand and the table, tell all discards and claims in order, and hidden tiles do not
/// change them.
#[test]
fn sequences_tell_the_events_in_order() {
    let (mut longest, mut rows) = (0, Rows::padded(EventsV1::ENCODER, 0));
    play::decisions(|o, rng| {
        let (sequence, numbers) = encoded(o);
        longest = sequence.len().max(longest);
        assert!(sequence.iter().all(|token| *token < EventsV1::TOKENS));
        assert!(numbers.iter().all(|number| number.is_finite()));
        let words: Vec<String> = sequence.iter().map(|token| in_words(*token)).collect();
        let block =
            |name: &str| words.iter().filter(|word| word.starts_with(name)).cloned().collect::<Vec<_>>();

        let mut hand: Vec<String> = o.hand().tiles().map(|tile| hand_word("tile", "red", tile)).collect();
        hand.extend(o.drawn().map(|tile| hand_word("drawn", "drawn_red", tile)));
        assert_eq!(block("hand."), hand);
        let indicators: Vec<String> =
            o.indicators().iter().map(|tile| of_tile("table.indicator", "_red", "table", *tile)).collect();
        assert_eq!(block("table.indicator"), indicators);
        assert_eq!(block("event."), events(o));
        let order = ["hand", "table", "event", "kan", "decision"];
        let place = |word: &String| order.iter().position(|name| word.split('.').next() == Some(*name));
        assert!(words.is_sorted_by_key(place), "{words:?}");

        rows.encode(&[o], |o| o);
        let padded: &[u16] = rows.array("tokens").expect("tokens");
        assert_eq!(rows.array::<u16>("counts").expect("counts"), [sequence.len() as u16]);
        assert!(
            padded[..sequence.len()] == sequence
                && padded[sequence.len()..].iter().all(|t| *t == EventsV1::TOKENS)
        );
        if o.phase() != Phase::End && rng.below(4) == 0 {
            let guess = o.determinize(rng);
            assert_eq!((sequence, numbers), encoded(&guess.observe(o.seat())));
        }
    });
    assert!((100..EventsV1::MAX).contains(&longest), "{longest} tokens");
}

fn hand_word(plain: &str, red: &str, tile: Tile) -> String {
    format!("hand.{}.own {}", if tile.is_red() { red } else { plain }, tile.kind())
}

/// Rows of tokens follow each other without gaps.
#[test]
fn rows_of_tokens_follow_each_other() {
    let mut next = 0;
    for row in EventsV1::ENCODER.table().features {
        assert_eq!(row.first, next, "{}.{}", row.block, row.name);
        assert!(row.meaning.ends_with('.') && !row.domain.is_empty());
        next += row.domain.len();
    }
    assert_eq!(next, EventsV1::TOKENS);
}
