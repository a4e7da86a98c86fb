//! The table of labels by rollouts.

use jantaku_agents::Candidate;
use jantaku_agents::labels::{Label, LabelledAction};

use super::statement::{PlayedGame, table};
use crate::dataset::column::Storage;
use crate::dataset::types::{F32, List, Nullable, NumberedWord, U8, U16, U32, U64};
use crate::play::Decision;

table! {
    /// One row per labelled decision, only in runs with labels: values of some actions, measured by
    /// rollouts from the true hands with fresh walls. They are for training only: no player sees
    /// the hands behind them. The lists have one entry for each candidate; the first is the choice
    /// of the base agent. Values are results of the game with uma and oka, in points, expected at
    /// the end of the hand.
    Labels, from Row { game, index, d, label },

    game: U64 [storage: Storage::Delta, since: 3] = *game
        => "Number of the game in its run.";
    hand: U16 [storage: Storage::Delta, since: 3] = d.hand
        => "Number of the hand in its game, from 0.";
    step: U16 [since: 3] = d.step
        => "Number of events of the hand before the decision, as in decisions.";
    seat: U8 [since: 3] = d.seat.number()
        => "Seat that decides.";
    decision: U32 [storage: Storage::Delta, since: 3] = *index
        => "Number of the decision in its game, from 0.";
    kind: NumberedWord [since: 3] = (label.kind as usize, || label.kind.name().to_owned())
        => "What the candidates differ in: kan, abort (kyuushu kyuuhai), riichi, call, danger (the choice is more dangerous than the safest discard), discard.";
    unit: F32 [storage: Storage::Plain, since: 3] = label.unit
        => "Points of the game's result for one unit of the base's estimates in this decision.";
    deals: U16 [since: 3] = label.deals
        => "Number of deals. Each candidate was played once in each.";
    actions: List<U8> [since: 3] = each(label, |action| action.compared.action.id().number())
        => "Numbers of the candidates.";
    value_sums: List<F32> [storage: Storage::Plain, since: 3] = each(label, |action| action.values.sum)
        => "Sum of the values of each candidate.";
    value_squares: List<F32> [storage: Storage::Plain, since: 3] = each(label, |action| action.values.squares)
        => "Sum of their squares.";
    difference_sums: List<F32> [storage: Storage::Plain, since: 3] = each(label, |action| action.differences.sum)
        => "Sum of the differences between each candidate and the first in the same deals.";
    difference_squares: List<F32> [storage: Storage::Plain, since: 3] = each(label, |action| action.differences.squares)
        => "Sum of the squares of the differences.";
    gaps: List<Nullable<F32>> [storage: Storage::Plain, since: 3] = each(label, |action| action.compared.gap)
        => "Value of each candidate minus that of the first, by the base's estimate, in points; null if the base decides on it by rule.";
    doubts: List<F32> [storage: Storage::Plain, since: 3] = each(label, |action| action.doubt)
        => "Standard deviation of the true difference around the gap, in points, as measured for such decisions.";
    estimates: List<Nullable<F32>> [storage: Storage::Plain, since: 3] = estimates(label, |estimate| estimate.value)
        => "Value of each candidate by the base's estimate, in units; null if it decides on it by rule.";
    risks: List<Nullable<F32>> [storage: Storage::Plain, since: 3] = estimates(label, |estimate| estimate.risk)
        => "Expected loss by dealing in with the discard, in units.";
    wins: List<Nullable<F32>> [storage: Storage::Plain, since: 3] = estimates(label, |estimate| estimate.win)
        => "Win probability.";
    win_points: List<Nullable<F32>> [storage: Storage::Plain, since: 3] = estimates(label, |estimate| estimate.points)
        => "Expected points of a win.";
    modes: List<Nullable<F32>> [since: 3] = estimates(label, |estimate| f32::from(estimate.mode as u8))
        => "How the best plan wins: 0 with riichi, 1 without, 2 with an open hand, 3 by tsumo only, 4 not at all.";
    plan_shanten: List<Nullable<F32>> [since: 3] = estimates(label, |estimate| f32::from(estimate.shanten))
        => "Shanten of this plan.";
    ukeire: List<Nullable<F32>> [storage: Storage::Plain, since: 3] = estimates(label, |estimate| estimate.ukeire)
        => "Number of unseen tiles that lower it.";
}

/// A labelled decision with the number of its game.
struct Row<'a> {
    game: u64,
    index: u32,
    d: &'a Decision,
    label: &'a Label,
}

fn rows_of<'a>(game: &PlayedGame<'a>) -> impl Iterator<Item = Row<'a>> {
    let record = game.record;
    record.labels.iter().map(|(index, label)| {
        let d = &record.decisions[*index as usize];
        Row { game: record.game, index: *index, d, label }
    })
}

/// What `of` returns for each candidate.
fn each<T>(label: &Label, of: impl Fn(&LabelledAction) -> T) -> impl Iterator<Item = T> {
    label.actions.iter().map(of)
}

/// What `of` returns for the base's estimate of each candidate. None if the base decides on it by rule.
fn estimates(label: &Label, of: impl Fn(&Candidate) -> f32) -> impl Iterator<Item = Option<f32>> {
    each(label, move |action| action.compared.estimate.as_ref().map(&of))
}
