//! Laws of `sparse-v1`.

use std::collections::BTreeSet;

use jantaku_agents::encode::{Domain, Rows, SparseV1};
use jantaku_engine::{Observation, Phase, TileKind};

use super::laws::Planes;
use super::play;

/// The active features of a decision, in order, and its scalars.
pub fn encoded(o: &Observation<'_>) -> (Vec<u16>, [f32; SparseV1::SCALARS]) {
    let (mut active, mut numbers) = ([0; SparseV1::MAX_ACTIVE], [0.0; SparseV1::SCALARS]);
    let len = SparseV1::encode(o, &mut active, &mut numbers);
    let mut active = active[..len].to_vec();
    active.sort_unstable();
    (active, numbers)
}

/// The numbers whose feature of this row is active.
pub fn numbers(active: &[u16], name: &str) -> Vec<u16> {
    let named =
        |row: &&jantaku_agents::encode::Features| format!("{}.{}.{}", row.block, row.name, row.view) == name;
    let row = SparseV1::ENCODER
        .table()
        .features
        .iter()
        .find(named)
        .unwrap_or_else(|| panic!("there are no features {name}"));
    let of_row = active.iter().filter_map(|number| number.checked_sub(row.first));
    of_row.filter(|number| *number < row.domain.len()).collect()
}

/// The kinds whose feature of this row is active.
pub fn kinds(active: &[u16], name: &str) -> Vec<TileKind> {
    let numbers = numbers(active, name);
    TileKind::all().filter(|kind| numbers.contains(&u16::from(kind.number()))).collect()
}

/// The active features of a row of a batch, in order, and its scalars.
fn row(rows: &Rows, row: usize) -> (Vec<u16>, [f32; SparseV1::SCALARS]) {
    let counts: &[u16] = rows.array::<u16>("counts").expect("counts");
    let mut active = list(rows, row)[..usize::from(counts[row])].to_vec();
    active.sort_unstable();
    (active, rows.array::<f32>("scalars").expect("scalars").as_chunks().0[row])
}

/// The list of a row of a batch, including the places after its active features.
fn list(rows: &Rows, row: usize) -> [u16; SparseV1::MAX_ACTIVE] {
    rows.array::<u16>("active").expect("features").as_chunks().0[row]
}

/// Hidden tiles change no feature, no feature occurs twice, and numbers are within the table. What lay
/// in the place of a list before does not matter.
#[test]
fn features_are_a_set_that_hidden_tiles_do_not_change() {
    let (mut most, mut rows) = (0, Rows::new(SparseV1::ENCODER));
    play::decisions(|o, rng| {
        let (active, numbers) = encoded(o);
        rows.encode(&[o], |o| o);
        assert_eq!(row(&rows, 0), (active.clone(), numbers));
        let set: BTreeSet<u16> = active.iter().copied().collect();
        assert_eq!(set.len(), active.len(), "a feature occurs twice");
        assert!(active.iter().all(|number| *number < SparseV1::FEATURES));
        assert!(numbers.iter().all(|number| number.is_finite()));
        most = active.len().max(most);
        if o.phase() != Phase::End && rng.below(4) == 0 {
            let guess = o.determinize(rng);
            assert_eq!((active, numbers), encoded(&guess.observe(o.seat())));
        }
    });
    assert!(most < SparseV1::MAX_ACTIVE / 2, "{most} active features");
}

/// Features and planes agree where both say the same thing.
#[test]
fn features_agree_with_planes() {
    let same = [
        ("hand.at_least_1.own", "hand.at_least_1.own"),
        ("hand.at_least_3.own", "hand.at_least_3.own"),
        ("hand.red.own", "hand.red.own"),
        ("hand.drawn.own", "hand.drawn.own"),
        ("outlook.waits.own", "outlook.waits.own"),
        ("outlook.ukeire.own", "outlook.ukeire.own"),
        ("melds.chi.left", "melds.chi.left"),
        ("melds.pon.right", "melds.pon.right"),
        ("melds.ankan.own", "melds.ankan.own"),
        ("river.riichi.right", "river.riichi.right"),
        ("river.claimed.across", "river.claimed.across"),
        ("decision.offer.table", "decision.offer.table"),
        ("tiles.unseen_red.own", "unseen.red.own"),
    ];
    let held = [
        ("rival.held_genbutsu", "rival.genbutsu"),
        ("rival.held_passed", "rival.passed"),
        ("rival.held_suji", "rival.suji"),
    ];
    play::decisions(|o, rng| {
        if rng.below(4) > 0 {
            return;
        }
        let ((active, _), planes) = (encoded(o), Planes::of(o));
        let hand = o.hand_with_draw().kinds();
        let of_plane =
            |name: &str| TileKind::all().filter(|kind| planes.at(name, *kind) > 0).collect::<Vec<_>>();
        for (features, plane) in same {
            assert_eq!(kinds(&active, features), of_plane(plane), "{features}");
        }
        for (features, plane) in held {
            for view in ["right", "across", "left"] {
                let mut expected = of_plane(&format!("{plane}.{view}"));
                expected.retain(|kind| hand.contains(*kind));
                assert_eq!(kinds(&active, &format!("{features}.{view}")), expected, "{features} {view}");
            }
        }
        let legal = SparseV1::ENCODER.table().features.last().expect("the legal actions");
        let actions =
            active.iter().filter(|number| **number >= legal.first).map(|number| number - legal.first);
        assert!(actions.eq(o.legal().iter().map(|id| u16::from(id.number()))));
    });
}

/// Rows follow each other without gaps, and batches have the rows of their decisions.
#[test]
fn rows_follow_each_other() {
    let mut next = 0;
    for row in SparseV1::ENCODER.table().features {
        assert_eq!(row.first, next, "{}.{}", row.block, row.name);
        assert!(row.meaning.ends_with('.') && !row.domain.is_empty());
        next += row.domain.len();
    }
    assert_eq!(next, SparseV1::FEATURES);
    assert_eq!(SparseV1::ENCODER.table().features.last().map(|row| row.domain), Some(Domain::Actions));
    let game = jantaku_engine::Game::new(&jantaku_engine::Rules::default(), 1);
    let o = game.observe(jantaku_engine::Seat::FIRST);
    let (mut padded, mut plain) = (Rows::padded(SparseV1::ENCODER, 0), Rows::new(SparseV1::ENCODER));
    for rows in [&mut padded, &mut plain] {
        rows.encode(&[&o, &o], |o| o);
        assert_eq!([0, 1].map(|at| row(rows, at)), [encoded(&o), encoded(&o)]);
    }
    let count = encoded(&o).0.len();
    for row in 0..2 {
        assert_eq!(list(&padded, row)[..count], list(&plain, row)[..count]);
        assert!(list(&padded, row)[count..].iter().all(|number| *number == SparseV1::FEATURES));
    }
}
