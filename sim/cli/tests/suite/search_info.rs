//! The tables hold what agents report with their decisions, and `verify` checks its form.

use std::sync::Arc;

use crate::common::tables::{file_of, replaced, rows, write};
use crate::thinker::{run_of_thinker, search_info};
use crate::verify::found_in;
use arrow_array::builder::{Float32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float32Array, RecordBatch};
use jantaku_agents::{Estimate, Greedy, NamedPolicy, Policy, Reply, SearchInfo};
use jantaku_engine::{Action, ActionId, ActionSet, Observation, Rng, Rules};
use jantaku_sim::dataset::TableKind;
use jantaku_sim::play::{Detail, Job, Players, RunError, Schedule};

type Numbers = Vec<Option<f32>>;

/// The columns of a run of decisions.
struct Decisions(RecordBatch);

impl Decisions {
    fn column(&self, name: &str) -> &ArrayRef {
        self.0.column_by_name(name).expect("a column")
    }

    fn legal(&self, row: usize) -> ActionSet {
        let words = ["legal_0", "legal_1", "legal_2"];
        ActionSet::from_words(words.map(|name| self.column(name).as_primitive::<UInt64Type>().value(row)))
    }

    fn number(&self, name: &str, row: usize) -> Option<f32> {
        let column = self.column(name).as_primitive::<Float32Type>();
        column.is_valid(row).then(|| column.value(row))
    }

    fn list(&self, name: &str, row: usize) -> Option<Numbers> {
        let column = self.column(name).as_list::<i32>();
        column.is_valid(row).then(|| column.value(row).as_primitive::<Float32Type>().iter().collect())
    }
}

#[test]
fn tables_hold_what_an_agent_reports() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let run = folder.path().join("run");
    run_of_thinker(&run, Detail::Decisions);
    let stored = Decisions(rows(&file_of(&run, TableKind::Decisions, 0)));
    let actions = stored.column("action").as_primitive::<UInt8Type>();
    let mut reported = [0; 5];
    for row in 0..stored.0.num_rows() {
        let action = ActionId::new(actions.value(row)).expect("an action");
        let said = search_info(stored.legal(row), action).unwrap_or_default();
        assert_eq!(stored.number("value", row), said.value, "row {row}");
        assert_eq!(stored.number("probability", row), said.probability, "row {row}");
        let policy = said.policy.map(|policy| policy.into_iter().map(Some).collect());
        assert_eq!(stored.list("policy", row), policy, "row {row}");
        let of_each = |part: fn(&Estimate) -> Option<f32>| -> Option<Numbers> {
            let estimates = said.action_values.as_ref()?;
            Some(estimates.iter().map(|estimate| part(estimate.as_ref()?)).collect())
        };
        let values = of_each(|estimate| Some(estimate.mean));
        let errors = of_each(|estimate| estimate.standard_error);
        // A list without any standard error is null.
        let errors = errors.filter(|errors| errors.iter().any(Option::is_some));
        assert_eq!(stored.list("action_values", row), values, "row {row}");
        assert_eq!(stored.list("action_errors", row), errors, "row {row}");
        let has = [said.value.is_some(), policy.is_some(), said.probability.is_some()];
        let has = has.into_iter().chain([values.is_some(), errors.is_some()]);
        reported.iter_mut().zip(has).for_each(|(count, has)| *count += usize::from(has));
    }
    assert!(reported.iter().all(|count| (1..stored.0.num_rows()).contains(count)), "{reported:?}");
    assert_eq!(found_in(&run), []);
}

/// Only an agent knows its search info, but some values cannot be true.
#[test]
fn impossible_search_info_are_found() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let run = folder.path().join("run");
    run_of_thinker(&run, Detail::Decisions);
    let file = file_of(&run, TableKind::Decisions, 0);
    let stored = Decisions(rows(&file));
    // A row whose agent reported everything.
    let names = ["value", "policy", "probability", "action_values", "action_errors"];
    let has_all = |row: &usize| names.iter().all(|name| stored.column(name).is_valid(*row));
    let row = (0..stored.0.num_rows()).find(has_all).expect("a row with all search info");
    let legal = stored.legal(row).len() as usize;
    let number = |number: f32| Arc::new([Some(number)].into_iter().collect::<Float32Array>());
    let list = |numbers: Numbers| -> ArrayRef {
        let mut lists = ListBuilder::new(Float32Builder::new());
        lists.append_value(numbers);
        Arc::new(lists.finish())
    };
    let entries = format!("{legal} entries, one for each legal action");
    let parallel = "a list as long as action_values, null where it is null";
    let mut sure = vec![Some(0.0); legal];
    sure[0] = Some(1.0);
    let mut negative = sure.clone();
    (negative[0], negative[1]) = (Some(1.5), Some(-0.5));
    let mut unknown = sure.clone();
    unknown[1] = None;
    let cases: [(&str, ArrayRef, &str); 11] = [
        ("value", number(f32::INFINITY), "a finite number"),
        ("probability", number(1.5), "a number from 0 to 1"),
        ("policy", list(vec![Some(1.0)]), &entries),
        ("policy", list(vec![Some(0.25); legal - 1]), &entries),
        ("policy", list(vec![Some(0.9 / legal as f32); legal]), "probabilities that add up to 1"),
        ("policy", list(negative), "probabilities from 0 to 1"),
        ("policy", list(unknown.clone()), "probabilities from 0 to 1"),
        ("action_values", list(vec![Some(f32::NAN); legal]), "finite numbers"),
        ("action_errors", list(vec![Some(-1.0); legal]), parallel),
        ("action_errors", list(vec![None; legal + 1]), parallel),
        ("action_values", list(vec![None; legal]), parallel),
    ];
    for (name, value, expected) in cases {
        write(&file, &replaced(&stored.0, name, row, &value).expect("another value"));
        let [found] = &found_in(&run)[..] else { panic!("one difference in {name}") };
        // Standard errors without values are found as standard errors.
        let column = if expected == parallel { "action_errors" } else { name };
        assert_eq!((found.table, found.row), (TableKind::Decisions, Some(row as u64)));
        assert_eq!((found.column.as_str(), found.expected.as_str()), (column, expected));
    }
    write(&file, &replaced(&stored.0, "policy", row, &list(sure)).expect("another value"));
    assert_eq!(found_in(&run), []);
}

/// Reports a policy that does not fit the decision.
#[derive(Clone)]
struct Confused;

impl Policy for Confused {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        Greedy::default().choose(o, rng)
    }

    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let search_info = SearchInfo { policy: Some(vec![1.0]), ..SearchInfo::default() };
        Reply { action: self.choose(o, rng), search_info: Some(Box::new(search_info)), took: None }
    }
}

/// Impossible search info stops a run that stores it. Other runs do not ask for search info.
#[test]
fn impossible_search_info_stop_a_run() {
    let rules = Rules::default();
    let schedule = Schedule::selfplay(1, 1);
    let played = |detail| {
        let mut players = Players::from(vec![NamedPolicy::new("confused", Confused); 4]);
        players.play(&Job::new(&rules, schedule, detail), &mut (), &mut ())
    };
    let error = played(Detail::Decisions).expect_err("every policy is wrong");
    assert!(matches!(error, RunError::Agent { game: 0, .. }));
    let said = error.to_string();
    let head = "game 0: agent `confused`: reports impossible search info: `policy`: expected ";
    assert!(
        said.starts_with(head) && said.ends_with(" entries, one for each legal action, found 1"),
        "{said}"
    );
    assert_eq!(played(Detail::Hands).expect("no search info is asked for").games, 1);
}
