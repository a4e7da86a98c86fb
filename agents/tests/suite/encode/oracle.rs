//! Laws of `oracle-v1`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;

use jantaku_agents::encode::{OracleV1, WrongShape};
use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{
    DrawSource, Game, Phase, Players, Position, Rng, Round, Rules, Seat, Suit, Tile, TileKind,
};
use ndarray::{Array3, Axis, Slice};

use super::{golden, play};

/// The index of each channel by name.
static INDEX: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let names = OracleV1::channels().iter().map(ToString::to_string);
    names.zip(0..).collect()
});

/// The channels of a hand for a seat, read by their names.
pub struct Oracle(pub Box<[u8; OracleV1::BYTES]>);

impl Oracle {
    pub fn of(round: &Round, seat: Seat) -> Oracle {
        // Bytes left over from another hand must not remain.
        let mut bytes = Box::new([0xA5; OracleV1::BYTES]);
        OracleV1::encode(round, seat, &mut bytes);
        Oracle(bytes)
    }

    /// The channel with this name.
    pub fn channel(&self, name: &str) -> &[u8] {
        let at = *INDEX.get(name).unwrap_or_else(|| panic!("there is no channel {name}"));
        &self.0[34 * at..34 * at + 34]
    }

    /// The kind at which a channel has this number.
    fn kind_with(&self, name: &str, number: u8) -> Option<TileKind> {
        TileKind::all().find(|kind| self.channel(name)[kind.index()] == number)
    }

    /// The tiles of these channels, by kind: a flag or a draw counts as one tile.
    fn tiles(&self, names: &[String]) -> [u32; 34] {
        let planes: Vec<&[u8]> = names.iter().map(|name| self.channel(name)).collect();
        std::array::from_fn(|kind| planes.iter().map(|plane| u32::from(plane[kind] > 0)).sum())
    }

    /// The numbers of tiles of these channels, by kind.
    fn numbers(&self, names: &[&str]) -> [u32; 34] {
        let planes: Vec<&[u8]> = names.iter().map(|name| self.channel(name)).collect();
        std::array::from_fn(|kind| planes.iter().map(|plane| u32::from(plane[kind])).sum())
    }
}

/// Calls `check` for each state of many games in which a seat decides, under all presets, with the
/// seat.
fn states(mut check: impl FnMut(&Game, Seat)) {
    let mut dealt = 0;
    for (seed, rules) in (0..).zip(play::rules()) {
        let (mut game, mut rng) = (Game::new(&rules, seed), Rng::new(seed));
        while !game.is_over() && game.hand_count() < 3 {
            let seat = game.pending().iter().next().expect("somebody decides");
            check(&game, seat);
            let action = play::choose(&game.observe(seat), &mut rng);
            game.submit(seat, action).expect("a legal action is accepted");
        }
        dealt += game.hand_count();
        if dealt > play::hands() {
            return;
        }
    }
}

/// The views of the others, with their seats.
fn others(round: &Round, seat: Seat) -> Vec<(&'static str, Seat)> {
    let players = round.table().rules().players;
    let views: &[&str] = match players {
        Players::Two => &["right"],
        Players::Three => &["right", "left"],
        Players::Four => &["right", "across", "left"],
    };
    views.iter().copied().zip(players.others(seat)).collect()
}

#[test]
fn hands_are_those_of_the_others() {
    states(|game, seat| {
        let oracle = Oracle::of(game.round(), seat);
        for (view, other) in others(game.round(), seat) {
            let hand = game.round().private(other).hand_with_draw();
            let copies: Vec<String> = (1..=4).map(|n| format!("hand.at_least_{n}.{view}")).collect();
            let found = oracle.tiles(&copies);
            assert!(TileKind::all().all(|kind| found[kind.index()] == hand.count(kind) as u32));
            for suit in Suit::NUMBERED {
                let red = oracle.channel(&format!("hand.red.{view}"))[Tile::red(suit).kind().index()];
                assert_eq!(usize::from(red), hand.reds(suit));
            }
            let o = game.observe(other);
            let drawn = oracle.kind_with(&format!("hand.drawn.{view}"), 1);
            assert_eq!(drawn, o.drawn().map(Tile::kind));
            let waits = oracle.channel(&format!("outlook.waits.{view}"));
            assert!(TileKind::all().all(|kind| (waits[kind.index()] == 1) == o.waits().contains(kind)));
            for (name, holds) in [("tenpai", o.is_tenpai()), ("furiten", o.is_furiten())] {
                let channel = oracle.channel(&format!("outlook.{name}.{view}"));
                assert!(channel.iter().all(|byte| *byte == u8::from(holds)), "{name}");
            }
        }
    });
}

/// Every unseen tile is in another hand, will be drawn or turned, or joined the dead wall after a
/// replacement draw. Three-player walls count some tiles twice, as drawn and as indicators.
#[test]
fn unseen_tiles_are_where_the_oracle_says() {
    states(|game, seat| {
        let round = game.round();
        let table = round.table();
        if table.rules().tiles == TileKinds::ThreePlayer || table.phase() != Phase::Turn {
            return;
        }
        let oracle = Oracle::of(round, seat);
        let views = others(round, seat);
        let hands =
            (1..=4).flat_map(|n| views.iter().map(move |(view, _)| format!("hand.at_least_{n}.{view}")));
        let wall =
            (1..=4).flat_map(|n| ["live", "replacement"].map(|group| format!("{group}.when_{n}.table")));
        let found = oracle.tiles(&hands.chain(wall).collect::<Vec<_>>());
        let indicators = ["indicator.unturned.table", "indicator.ura.table", "indicator.unturned_ura.table"];
        let turned = oracle.numbers(&indicators);
        let unseen = game.observe(seat).unseen();
        let mut hidden = 0;
        for kind in TileKind::all() {
            let found = found[kind.index()] + turned[kind.index()];
            let unseen = unseen.of(kind);
            assert!(found <= unseen, "{kind}: {found} of {unseen}");
            hidden += unseen - found;
        }
        let replaced = 4 - round.wall().replacement_tiles().count();
        assert_eq!(hidden as usize, replaced, "tiles that joined the dead wall");
    });
}

/// The oracle knows the next draws.
#[test]
fn the_oracle_knows_draws() {
    let mut known = [0; 2];
    let mut last: Option<(u32, Oracle, usize, usize)> = None;
    states(|game, seat| {
        let wall = game.round().wall();
        let (live, replacements) = (wall.live_tiles().len(), wall.replacement_tiles().count());
        if let Some((hand, before, live_before, replacements_before)) = &last
            && *hand == game.hand_count()
            && let Some(drawn) = game.observe(seat).drawn()
        {
            let (group, at) = match game.round().table().source() {
                DrawSource::Kan | DrawSource::Kita if *replacements_before == replacements + 1 => {
                    ("replacement", 1)
                }
                DrawSource::Live if *live_before == live + 1 => ("live", 0),
                _ => ("", 2),
            };
            if at < 2 {
                let kind = before.kind_with(&format!("{group}.when_1.table"), 1);
                assert_eq!(kind, Some(drawn.kind()), "{group}");
                let red = before.kind_with(&format!("{group}.red.table"), 1);
                assert_eq!(red.is_some(), drawn.is_red(), "{group}");
                known[at] += 1;
            }
        }
        last = Some((game.hand_count(), Oracle::of(game.round(), seat), live, replacements));
    });
    assert!(known[0] > 10 * play::hands() && known[1] > 5, "{known:?}");
}

/// The oracle of a hand with other hidden tiles is another one. Planes and features of actors do not
/// change then: see `laws`.
#[test]
fn hidden_tiles_change_the_oracle() {
    let mut rng = Rng::new(1);
    states(|game, seat| {
        let o = game.observe(seat);
        if o.phase() == Phase::Turn && o.live() > 40 {
            let guess = o.determinize(&mut rng);
            assert!(Oracle::of(game.round(), seat).0 != Oracle::of(&guess, seat).0);
        }
    });
}

/// Every byte is within the range of its channel, and every channel is in use. The seats that do not
/// decide have an oracle, too.
#[test]
fn bytes_are_in_their_ranges() {
    let mut most = vec![0; OracleV1::CHANNELS];
    states(|game, _| {
        for seat in game.rules().players.seats() {
            let oracle = Oracle::of(game.round(), seat);
            let planes = oracle.0.as_chunks::<34>().0.iter().zip(OracleV1::channels());
            for ((plane, channel), most) in planes.zip(&mut most) {
                let highest = *plane.iter().max().expect("34 bytes");
                assert!(highest <= channel.most, "{channel}: {highest}");
                *most = highest.max(*most);
            }
        }
    });
    let unused = OracleV1::channels().iter().zip(&most).filter(|(_, most)| **most == 0);
    let unused: Vec<String> = unused.map(|(channel, _)| channel.to_string()).collect();
    let is_rare = |name: &String| ["at_least_4", "replacement.when_"].iter().any(|part| name.contains(part));
    assert!(unused.iter().all(is_rare), "never used: {unused:?}");
}

#[test]
fn batches_have_the_rows_of_their_hands() {
    let games: Vec<Game> = (0..9).map(|seed| Game::new(&Rules::default(), seed)).collect();
    let seats = Players::Four.seats().collect::<Vec<_>>().into_iter().cycle();
    let rounds: Vec<(&Round, Seat)> = games.iter().map(Game::round).zip(seats).collect();
    let mut bytes = Array3::from_elem((9, OracleV1::CHANNELS, 34), 77);
    OracleV1::encode_batch(rounds.iter().copied(), bytes.view_mut()).expect("the right shape");
    for (row, (round, seat)) in bytes.outer_iter().zip(&rounds) {
        assert!(row.iter().eq(Oracle::of(round, *seat).0.iter()));
    }
    let rest = bytes.slice_axis_mut(Axis(0), Slice::from(1..));
    let wrong = OracleV1::encode_batch(rounds.iter().copied(), rest);
    let [expected, found] = [9, 8].map(|rows| vec![rows, OracleV1::CHANNELS, 34]);
    assert_eq!(wrong, Err(WrongShape { what: "oracle-v1", expected, found }));
}

/// The hidden tiles of the positions are dealt from the seed 1. `golden/NAME.oracle.txt` has the
/// channels, written as in `golden/NAME.planes.txt`.
#[test]
fn positions_are_encoded_as_before() {
    for name in golden::NAMES {
        let toml = fs::read_to_string(golden::path(name, "toml")).expect("the position");
        let position = Position::from_toml(&toml, name).unwrap_or_else(|error| panic!("{error}"));
        let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
        let oracle = Oracle::of(game.round(), position.seat());
        let mut text = format!("{}\n", OracleV1::id());
        for channel in OracleV1::channels() {
            let name = channel.to_string();
            let line = golden::line(oracle.channel(&name));
            writeln!(text, "{name:35} {line}").expect("a String takes everything");
        }
        golden::compare(name, "oracle.txt", &text);
    }
}
