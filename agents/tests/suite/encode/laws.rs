//! Laws that hold for every decision.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use jantaku_agents::encode::{PlanesV1, Rows, RowsMut, SliceMut, View, WrongShape, expand_f32};
use jantaku_engine::{
    Action, ActionSet, ChiPosition, Declare, Discard, Game, Meld, MeldKind, Observation, Offer, OfferKind,
    Phase, Rules, Seat, Suit, Tile, TileKind,
};
use ndarray::{Array3, ArrayView3};

use super::play;

/// The index of each channel by name.
static INDEX: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let names = PlanesV1::ENCODER.table().channels.iter().map(ToString::to_string);
    names.zip(0..).collect()
});

/// The planes of a decision, read by the names of channels.
pub struct Planes(pub Box<[u8; PlanesV1::BYTES]>);

impl Planes {
    pub fn of(o: &Observation<'_>) -> Planes {
        // Bytes left over from another decision must not remain.
        let mut bytes = Box::new([0xA5; PlanesV1::BYTES]);
        PlanesV1::encode(o, &mut bytes);
        Planes(bytes)
    }

    /// The channel with this name.
    pub fn channel(&self, name: &str) -> &[u8] {
        let at = *INDEX.get(name).unwrap_or_else(|| panic!("there is no channel {name}"));
        &self.0[34 * at..34 * at + 34]
    }

    /// The byte of a kind.
    pub fn at(&self, name: &str, kind: TileKind) -> u8 {
        self.channel(name)[kind.index()]
    }

    /// The byte of a channel that holds one number.
    pub fn number(&self, name: &str) -> u8 {
        let channel = self.channel(name);
        assert!(channel.iter().all(|byte| *byte == channel[0]), "{name} has more than one number");
        channel[0]
    }
}

/// Hidden tiles change no channel of an actor.
#[test]
fn encodings_do_not_depend_on_hidden_tiles() {
    let mut checked = 0;
    play::decisions(|o, rng| {
        if o.phase() == Phase::End || rng.below(4) > 0 {
            return;
        }
        let guess = o.determinize(rng);
        assert!(Planes::of(o).0 == Planes::of(&guess.observe(o.seat())).0, "{:?}", o.table());
        checked += 1;
    });
    assert!(checked > 3 * play::hands(), "{checked} decisions");
}

/// Every byte is within the range of its channel, and every channel is in use.
#[test]
fn bytes_are_in_their_ranges() {
    let mut most = vec![0; PlanesV1::CHANNELS];
    play::decisions(|o, _| {
        for ((plane, channel), most) in
            Planes::of(o).0.as_chunks::<34>().0.iter().zip(PlanesV1::ENCODER.table().channels).zip(&mut most)
        {
            let highest = *plane.iter().max().expect("34 bytes");
            assert!(highest <= channel.most, "{channel}: {highest}");
            *most = highest.max(*most);
        }
    });
    let unused = PlanesV1::ENCODER.table().channels.iter().zip(&most).filter(|(_, most)| **most == 0);
    let unused: Vec<String> = unused.map(|(channel, _)| channel.to_string()).collect();
    assert!(unused.iter().all(|name| is_rare(name)), "never used: {unused:?}");
}

/// Whether a channel may be empty in all the games of the test.
fn is_rare(name: &str) -> bool {
    const RARE: &[&str] = &[
        "_3.",
        "kita.across",
        "_4.",
        ".dead.",
        "double_riichi",
        "open_riichi",
        "riichi_red",
        "shown_waits",
        "kan_claim",
        ".draw.",
        ".end.",
        "keep_closed",
        "end_game",
        "pon_2_reds",
        "daiminkan",
        "ankan",
    ];
    RARE.iter().any(|part| name.contains(part))
}

/// Channels of absent seats are empty.
#[test]
fn absent_seats_are_empty() {
    play::decisions(|o, _| {
        let planes = Planes::of(o);
        let absent = |view| {
            let players = o.rules().players.count();
            matches!((players, view), (2, View::Across | View::Left) | (3, View::Across))
        };
        for channel in PlanesV1::ENCODER.table().channels.iter().filter(|channel| absent(channel.view)) {
            assert_eq!(planes.number(&channel.to_string()), 0, "{channel}");
        }
        let present = ["right", "across", "left"].map(|view| planes.number(&format!("rival.present.{view}")));
        assert_eq!(present.iter().sum::<u8>(), o.rules().players.count() - 1);
    });
}

/// The legal actions can be read back from the planes.
#[test]
fn planes_hold_the_legal_actions() {
    play::decisions(|o, _| assert_eq!(legal(&Planes::of(o)), o.legal()));
}

/// Reads the legal actions.
fn legal(planes: &Planes) -> ActionSet {
    let declared =
        [("", Declare::Nothing), ("riichi_", Declare::Riichi), ("open_riichi_", Declare::OpenRiichi)];
    let mut legal = ActionSet::EMPTY;
    let mut insert = |name: &str, action: &dyn Fn(TileKind) -> Action| {
        for kind in TileKind::all().filter(|kind| planes.at(name, *kind) == 1) {
            legal.insert(action(kind));
        }
    };
    for (prefix, declare) in declared {
        let name = |kind: &str| format!("legal_discard.{prefix}{kind}.own");
        insert(&name("plain"), &|kind| Action::Discard { tile: Tile::plain(kind), declare });
        insert(&name("red"), &|kind| Action::Discard { tile: Tile::red(kind.suit()), declare });
        insert(&name("tsumogiri"), &|_| Action::Tsumogiri { declare });
    }
    for (name, position) in
        [("low", ChiPosition::Low), ("middle", ChiPosition::Middle), ("high", ChiPosition::High)]
    {
        for (suffix, red) in [("", false), ("_red", true)] {
            insert(&format!("legal.chi_{name}{suffix}.own"), &|_| Action::Chi { position, red });
        }
    }
    for (name, reds) in [("pon", 0), ("pon_1_red", 1), ("pon_2_reds", 2)] {
        insert(&format!("legal.{name}.own"), &|_| Action::Pon { reds });
    }
    insert("legal.kan.own", &|kind| Action::Kan { kind });
    for (name, action) in [
        ("daiminkan", Action::Daiminkan),
        ("kita", Action::Kita),
        ("ron", Action::Ron),
        ("tsumo", Action::Tsumo),
        ("kyuushu_kyuuhai", Action::KyuushuKyuuhai),
        ("pass", Action::Pass),
        ("keep_closed", Action::KeepClosed),
        ("end_game", Action::EndGame),
    ] {
        insert(&format!("legal.{name}.own"), &|_| action);
    }
    legal
}

/// The seats of the views that a table has.
pub fn seats(o: &Observation<'_>) -> Vec<(&'static str, Seat)> {
    let views: &[&str] = match o.rules().players.count() {
        2 => &["right"],
        3 => &["right", "left"],
        _ => &["right", "across", "left"],
    };
    let others = views.iter().copied().zip(o.rules().players.others(o.seat()));
    [("own", o.seat())].into_iter().chain(others).collect()
}

/// The rivers can be read back from the planes: tiles in their order, tsumogiri and riichi.
#[test]
fn planes_hold_the_rivers() {
    play::decisions(|o, rng| {
        if rng.below(4) > 0 {
            return;
        }
        let planes = Planes::of(o);
        let mut found: Vec<(u8, Seat, TileKind, bool)> = Vec::new();
        for (view, seat) in seats(o) {
            for copy in 1..=4 {
                for kind in TileKind::all() {
                    let when = planes.at(&format!("river.when_{copy}.{view}"), kind);
                    if when > 0 {
                        let tedashi = planes.at(&format!("river.tedashi_{copy}.{view}"), kind);
                        found.push((when, seat, kind, tedashi == 0));
                    }
                }
            }
        }
        found.sort_unstable();
        let entry = |(when, d): (u8, Discard)| (when, d.seat, d.tile.kind(), d.tsumogiri);
        assert_eq!(found, (1..).zip(o.discards().iter()).map(entry).collect::<Vec<_>>());
        for (view, seat) in seats(o) {
            let count = |name: &str| -> usize {
                planes.channel(&format!("river.{name}.{view}")).iter().map(|n| usize::from(*n)).sum()
            };
            let river: Vec<Discard> = o.discards().of(seat).collect();
            assert_eq!(count("red"), river.iter().filter(|d| d.tile.is_red()).count());
            assert_eq!(count("claimed"), river.iter().filter(|d| d.claimed_by.is_some()).count());
            assert_eq!(count("riichi"), river.iter().filter(|d| d.riichi).count());
            for (age, discard) in river.iter().rev().enumerate() {
                let recent = planes.at(&format!("river.recent.{view}"), discard.tile.kind());
                assert!(usize::from(recent) + age >= 8, "{discard:?}");
            }
        }
    });
}

/// Whether a rule makes the tile that a seat has added to a pon, or is adding, a discard.
fn is_added_discard(o: &Observation<'_>, seat: Seat, kind: TileKind) -> bool {
    let is_added = |meld: &Meld| meld.kind() == MeldKind::Kakan && meld.low() == kind;
    let is_offered =
        |offer: Offer| offer.kind == OfferKind::Kakan && offer.from == seat && offer.tile.kind() == kind;
    let is_in_kakan = o.side(seat).melds().iter().any(is_added) || o.offer().is_some_and(is_offered);
    o.rules().kakan_tile_is_discard && is_in_kakan
}

/// The safe tiles of each rival, found discard by discard.
#[test]
fn safe_tiles_follow_from_the_discards() {
    play::decisions(|o, _| {
        let planes = Planes::of(o);
        for (view, seat) in seats(o).into_iter().skip(1) {
            let discards: Vec<Discard> = o.discards().iter().collect();
            let changed = discards.iter().rposition(|d| d.seat == seat && (!d.tsumogiri || d.riichi));
            let passed = &discards[changed.map_or(0, |at| at + 1)..];
            let in_riichi = planes.number(&format!("seat.riichi.{view}")) == 1;
            for kind in TileKind::all() {
                let is_in = |discards: &[Discard]| discards.iter().any(|d| d.tile.kind() == kind);
                let own: Vec<Discard> = discards.iter().copied().filter(|d| d.seat == seat).collect();
                let own = is_in(&own) || is_added_discard(o, seat, kind);
                let genbutsu = own || in_riichi && is_in(passed);
                assert_eq!(planes.at(&format!("rival.passed.{view}"), kind) == 1, is_in(passed));
                assert_eq!(planes.at(&format!("rival.genbutsu.{view}"), kind) == 1, genbutsu);
            }
            let own = o.discards().of(seat);
            let unchanged = own.rev().take_while(|discard| discard.tsumogiri).count();
            assert_eq!(usize::from(planes.number(&format!("rival.unchanged.{view}"))), unchanged);
        }
    });
}

/// Seen and unseen tiles make up the tile set of the rules.
#[test]
fn unseen_red_fives_are_those_not_seen() {
    play::decisions(|o, _| {
        let planes = Planes::of(o);
        for suit in Suit::NUMBERED {
            let red = Tile::red(suit);
            let melds =
                o.rules().players.seats().flat_map(|seat| o.side(seat).melds()).flat_map(|m| m.tiles());
            let open = o.discards().iter().filter(|d| d.claimed_by.is_none()).map(|d| d.tile);
            let own = o.hand().tiles().chain(o.drawn());
            let shown = o
                .indicators()
                .iter()
                .copied()
                .chain(o.offer().filter(|offer| offer.kind == OfferKind::Kakan).map(|offer| offer.tile));
            let seen = melds.chain(open).chain(own).chain(shown).filter(|tile| *tile == red).count();
            let unseen = planes.at("unseen.red.own", red.kind());
            let all = o.rules().aka.by_suit()[suit as usize];
            assert_eq!(usize::from(unseen) + seen, usize::from(all));
        }
    });
}

/// A batch has the rows of its decisions, and numbers are bytes times the scale of their channel.
#[test]
fn batches_and_numbers_follow_from_the_bytes() {
    let games: Vec<Game> = (0..9).map(|seed| Game::new(&Rules::default(), seed)).collect();
    let seen: Vec<Observation<'_>> = games.iter().map(|game| game.observe(Seat::FIRST)).collect();
    let mut rows = Rows::new(PlanesV1::ENCODER);
    rows.encode(&seen, |o| o);
    let bytes: &[u8] = rows.array::<u8>("planes").expect("planes");
    for (row, o) in bytes.as_chunks().0.iter().zip(&seen) {
        assert!(*row == *Planes::of(o).0);
    }
    let shape = (seen.len(), PlanesV1::CHANNELS, 34);
    let (bytes, mut singles) =
        (ArrayView3::from_shape(shape, bytes).expect("all rows"), Array3::zeros(shape));
    expand_f32(PlanesV1::ENCODER.table().channels, bytes, singles.view_mut()).expect("the right shape");
    for (((_, channel, _), byte), single) in bytes.indexed_iter().zip(&singles) {
        let expected: f32 = f32::from(*byte) * PlanesV1::ENCODER.table().channels[channel].scale();
        assert_eq!(single.to_bits(), expected.to_bits());
    }
    let wrong = expand_f32(
        PlanesV1::ENCODER.table().channels,
        bytes,
        Array3::zeros((8, PlanesV1::CHANNELS, 34)).view_mut(),
    );
    let [expected, found] = [9, 8].map(|rows| vec![rows, PlanesV1::CHANNELS, 34]);
    assert_eq!(wrong, Err(WrongShape { what: "expanded planes", expected, found }));
}

/// Rows of the caller's memory have the length that the encoder needs.
#[test]
fn arrays_of_the_caller_have_all_rows() {
    let mut bytes = vec![0; 2 * PlanesV1::BYTES];
    let mut rows = |count| {
        let rows = RowsMut::new(Some(PlanesV1::ENCODER), count, None, [SliceMut::U8(&mut bytes)]);
        rows.map(|rows| rows.rows())
    };
    assert_eq!(rows(2), Ok(2));
    let (expected, found) = (vec![3, PlanesV1::CHANNELS, 34], vec![2 * PlanesV1::BYTES]);
    assert_eq!(rows(3), Err(WrongShape { what: "planes", expected, found }));
}

/// Names are unique, and each row says what it means.
#[test]
fn channels_are_described() {
    let names: BTreeSet<String> =
        PlanesV1::ENCODER.table().channels.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), PlanesV1::CHANNELS);
    for channel in PlanesV1::ENCODER.table().channels {
        assert!(channel.meaning.ends_with('.') && channel.one > 0 && channel.most > 0, "{channel}");
        assert_eq!(channel.since, 1);
    }
}
