//! Laws of the rows of every encoder.

use std::collections::BTreeSet;

use jantaku_agents::encode::{ArrayKind, CHUNK, Encoder, Inputs, Rows, Slice, SuitOrder};
use jantaku_engine::{ActionId, Game, Observation, Rules};

use super::play;

/// Games in their first turn.
fn games(count: usize) -> Vec<Game> {
    (0..count as u64).map(|seed| Game::new(&Rules::default(), seed)).collect()
}

fn first_turns(games: &[Game]) -> Vec<Observation<'_>> {
    games.iter().map(|game| game.observe(game.table().dealer())).collect()
}

/// The bits of the elements of an array.
fn bits(slice: Slice<'_>) -> Vec<u32> {
    match slice {
        Slice::U8(bytes) => bytes.iter().copied().map(u32::from).collect(),
        Slice::U16(numbers) => numbers.iter().copied().map(u32::from).collect(),
        Slice::F32(numbers) => numbers.iter().map(|number| number.to_bits()).collect(),
    }
}

fn all_bits(inputs: Inputs<'_>) -> Vec<Vec<u32>> {
    inputs.arrays().map(|(_, slice)| bits(slice)).collect()
}

#[test]
fn encoders_and_arrays_have_names_of_their_own() {
    let names: BTreeSet<&str> = Encoder::ALL.iter().map(|encoder| encoder.name()).collect();
    assert_eq!(names.len(), Encoder::ALL.len());
    for encoder in Encoder::ALL {
        assert_eq!(Encoder::named(encoder.name()), Some(*encoder));
        let names: BTreeSet<&str> = encoder.arrays().iter().map(|array| array.name).collect();
        assert_eq!(names.len(), encoder.arrays().len());
        assert!(!names.contains("mask") && !names.is_empty());
        let lists = encoder.arrays().windows(2);
        assert!(lists.into_iter().all(|arrays| {
            let [list, counts] = arrays else { return true };
            matches!(list.kind, ArrayKind::Features(_)) == (counts.kind == ArrayKind::Counts)
        }));
    }
    assert_eq!(Encoder::named("planes-v9"), None);
}

/// Rows are the same in one piece, in pieces of any length, and in a part of the batch.
#[test]
fn pieces_have_the_rows_of_the_batch() {
    let games = games(CHUNK + 9);
    let seen = first_turns(&games);
    for encoder in Encoder::ALL {
        let mut whole = Rows::with_masks(*encoder, 0);
        whole.encode(&seen, |o| o);
        let mut pieces = Rows::with_masks(*encoder, seen.len());
        for (mut rows, seen) in pieces.view_mut().chunks(7).zip(seen.chunks(7)) {
            assert_eq!(rows.rows(), seen.len());
            seen.iter().enumerate().for_each(|(row, o)| rows.encode(row, o));
        }
        assert_eq!(all_bits(whole.inputs()), all_bits(pieces.inputs()), "{encoder}");
        assert_eq!(whole.masks(), pieces.masks());
        for (mask, o) in whole.masks().iter().zip(&seen) {
            assert!(
                ActionId::all().all(|id| mask[usize::from(id.number())] == u8::from(o.legal().contains(id)))
            );
        }
        let part = whole.inputs().slice(CHUNK..CHUNK + 2);
        let mut two = Rows::padded(*encoder, 0);
        two.encode(&seen[CHUNK..CHUNK + 2], |o| o);
        assert_eq!(all_bits(part), all_bits(two.inputs()), "{encoder}");
    }
}

#[test]
fn a_cleared_row_is_empty() {
    let games = games(2);
    let seen = first_turns(&games);
    for encoder in Encoder::ALL {
        let mut rows = Rows::with_masks(*encoder, 2);
        rows.encode(&seen, |o| o);
        let before = all_bits(rows.inputs().slice(1..2));
        rows.view_mut().clear(0);
        assert!(rows.masks()[0].iter().all(|legal| *legal == 0));
        for (spec, slice) in rows.inputs().slice(0..1).arrays() {
            assert!(
                bits(slice).iter().all(|bits| *bits == u32::from(spec.empty())),
                "{encoder} {}",
                spec.name
            );
        }
        assert_eq!(all_bits(rows.inputs().slice(1..2)), before, "{encoder}");
    }
}

/// A permutation of suits and its inverse undo each other, in a copy and in place.
#[test]
fn a_permutation_and_its_inverse_keep_the_rows() {
    let mut rows = Encoder::ALL.iter().map(|encoder| Rows::with_masks(*encoder, 1)).collect::<Vec<_>>();
    play::decisions(|o, rng| {
        if rng.below(8) > 0 {
            return;
        }
        let order = SuitOrder::ALL[rng.below(6)];
        for rows in &mut rows {
            rows.encode(&[o], |o| o);
            let (before, masks) = (all_bits(rows.inputs()), rows.masks().to_vec());
            let mut copy = Rows::new(rows.encoder());
            copy.copy_permuted(rows.inputs(), order);
            rows.view_mut().permute(0, order);
            assert_eq!(all_bits(rows.inputs()), all_bits(copy.inputs()), "{order}");
            assert_eq!(rows.masks()[0], order.policy(&masks[0]));
            rows.view_mut().permute(0, order.inverse());
            assert_eq!((all_bits(rows.inputs()), rows.masks().to_vec()), (before, masks), "{order}");
        }
    });
}

/// Without an encoder, rows have nothing but the legal actions.
#[test]
fn rows_without_an_encoder_have_legal_actions() {
    let games = games(1);
    let (mut nothing, mut masks) = (Rows::new(None::<Encoder>), Rows::with_masks(None::<Encoder>, 0));
    for rows in [&mut nothing, &mut masks] {
        rows.encode(&first_turns(&games), |o| o);
        assert_eq!((rows.rows(), rows.inputs().arrays().count()), (1, 0));
    }
    assert_eq!((nothing.masks().len(), masks.masks().len()), (0, 1));
}
