//! Every channel and every row of features of a few positions, beside the position.
//!
//! `golden/NAME.toml` is the position. `golden/NAME.sparse.txt` has a line for each row of features
//! of `sparse-v1`: `-` if none is active, else the kinds, numbers or actions of the active ones.
//! Its last lines are the scalars. `golden/NAME.events.txt` has a line for each token of `events-v1`.
//! `golden/NAME.planes.txt` has a line for each channel of
//! `planes-v1`:
//!
//! - `-`: the channel is empty
//! - `all 3`: it holds the number 3 for all kinds
//! - `123m5z`: 1 at these kinds
//! - `1m=2 5z=1`: these numbers, 0 elsewhere

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use jantaku_agents::encode::{Domain, EventsV1, PlanesV1, SparseV1};
use jantaku_engine::{ActionId, Observation, Position, TileKind, TileSet};

use super::events;
use super::laws::Planes;
use super::sparse::encoded;
use super::writes;

pub const NAMES: &[&str] = &["turn", "claim", "kans", "riichi", "sanma", "duo"];

pub fn path(name: &str, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}/tests/encode/golden/{name}.{ending}", env!("CARGO_MANIFEST_DIR")))
}

/// A channel as text.
pub fn line(plane: &[u8]) -> String {
    if plane.iter().all(|byte| *byte == plane[0]) {
        return if plane[0] == 0 { "-".to_owned() } else { format!("all {}", plane[0]) };
    }
    let kinds: Vec<TileKind> = TileKind::all().filter(|kind| plane[kind.index()] > 0).collect();
    if plane.iter().all(|byte| *byte < 2) {
        return kinds.into_iter().collect::<TileSet>().to_string();
    }
    let numbers: Vec<String> = kinds.iter().map(|kind| format!("{kind}={}", plane[kind.index()])).collect();
    numbers.join(" ")
}

fn planes_text(o: &Observation<'_>) -> String {
    let planes = Planes::of(o);
    let mut text = format!("{}\n", PlanesV1::ENCODER.id());
    for channel in PlanesV1::ENCODER.table().channels {
        let name = channel.to_string();
        writeln!(text, "{name:35} {}", line(planes.channel(&name))).expect("a String takes everything");
    }
    text
}

fn sparse_text(o: &Observation<'_>) -> String {
    let (active, scalars) = encoded(o);
    let mut text = format!("{}\n", SparseV1::ENCODER.id());
    for row in SparseV1::ENCODER.table().features {
        let of_row = active.iter().filter_map(|number| number.checked_sub(row.first));
        let numbers: Vec<u8> = of_row.filter(|at| *at < row.domain.len()).map(|at| at as u8).collect();
        let kind = |number: &u8| TileKind::new(*number).expect("a kind");
        let action = |number: &u8| {
            let action = ActionId::new(*number).expect("an action").action();
            action.in_context(o.drawn(), o.offer().map(|offer| offer.tile)).to_string()
        };
        let active = match row.domain {
            _ if numbers.is_empty() => "-".to_owned(),
            Domain::Kinds => numbers.iter().map(kind).collect::<TileSet>().to_string(),
            Domain::Numbers(1) => "yes".to_owned(),
            Domain::Numbers(_) => numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
            Domain::Actions => numbers.iter().map(action).collect::<Vec<_>>().join(", "),
        };
        let name = format!("{}.{}.{}", row.block, row.name, row.view);
        writeln!(text, "{name:35} {active}").expect("a String takes everything");
    }
    for (scalar, number) in SparseV1::ENCODER.table().scalars.iter().zip(scalars) {
        let name = format!("{}.{}", scalar.name, scalar.view);
        writeln!(text, "{name:35} {number}").expect("a String takes everything");
    }
    text
}

fn events_text(o: &Observation<'_>) -> String {
    let (sequence, _) = events::encoded(o);
    let lines = sequence.into_iter().map(|token| events::in_words(token) + "\n");
    format!("{}\n", EventsV1::ENCODER.id()) + &lines.collect::<String>()
}

/// The channels and features of the positions are those of the golden files.
#[test]
fn positions_are_encoded_as_before() {
    for name in NAMES {
        let toml = fs::read_to_string(path(name, "toml")).expect("the position");
        let position = Position::from_toml(&toml, name).unwrap_or_else(|error| panic!("{error}"));
        let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
        let o = game.observe(position.seat());
        compare(name, "planes.txt", &planes_text(&o));
        compare(name, "sparse.txt", &sparse_text(&o));
        compare(name, "events.txt", &events_text(&o));
    }
}

pub fn compare(name: &str, ending: &str, text: &str) {
    let file = path(name, ending);
    if writes() {
        fs::write(&file, text).expect("the golden file");
        return;
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).find(|(kept, found)| kept != found);
    assert!(
        kept == text,
        "{}: first difference: {differs:?}; JANTAKU_WRITE=1 rewrites the file",
        file.display()
    );
}
