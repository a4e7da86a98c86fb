//! The Python package `jantaku`: glue between Python and the crates of Jantaku.
//!
//! In the order in which the parts build on each other:
//!
//! - `methods`: the macro for the methods of classes
//! - `errors`: the exceptions of the package
//! - `json`: values of rule files, and results, as Python objects
//! - `threads`: threads for work in parallel, also after a fork
//! - `pickle`: pickles of values
//! - `tiles`: tiles and seats as texts and numbers
//! - `rules`: `Rules`
//! - `action`: `Action`
//! - `table`: parts of the table, standings, results
//! - `arrays`: encoded rows as arrays of numpy
//! - `encoder`: `Encoder`
//! - `residual`: the compiled part of the training of `residual`
//! - `observation`: `Observation`
//! - `outcome`: how hands ended
//! - `hand`: `Hand`
//! - `shanten`: the shanten of many hands at once
//! - `ragged`: lists of features without padding
//! - `evaluate`: the outputs of a network for encoded decisions
//! - `agent`: `Agent`
//! - `agent_batch`: `AgentBatch`
//! - `callable`: `FunctionAgent`
//! - `log`: recorded games
//! - `game`: `Game`
//! - `vec_env`: the compiled part of `VecEnv`
//! - `dataset`: the compiled part of `Dataset`
//! - `session`: games that are played while the interpreter stays responsive
//! - `arguments`: keyword arguments as the requests of the library
//! - `number`: whole numbers as arguments
//! - `runs`: the compiled part of `selfplay`, `info`, `merge` and `label`
//! - `matches`: the compiled part of `match`
//! - `plan`: the compiled part of `plan`
//! - `league`: the compiled part of `league`
//! - `review`: the compiled part of `analyse` and `ask`
//! - `verify`: the compiled part of `verify`
//! - `statistics`: the compiled part of `stats` and `sweep`
//! - `counts`: statistics and sweeps whose games several processes play
//! - `page`: results as text, and as pages for the browser
//! - `program`: the program `jantaku`, which the package installs as a command
//!
//! All logic is in the crates that the package stands on, from `jantaku-engine` to
//! `jantaku-measure`, and that of the command in `jantaku`.
//!
//! # Why
//!
//! **How does the wheel contain the program?** In this module: the command that the package installs calls
//! the library of the program with the command line of the process (`program`). The price: each start
//! imports Python and numpy, a tenth of a second, and Python's handler of interrupts must be taken out.
//! Rejected: a program beside the module. It started at once, but the wheel had all code twice, 30 MB
//! instead of 17.
//!
//! **What is in `python/`?** Glue. All logic is in the crates and has its tests there, so that a
//! Rust program can use it as well: `Snapshot` and `GameHistory` in the engine, pictures in
//! `sim/pages/src/draw`.

// Methods of Python classes take `&self`, and arguments as Python passes them.
#![allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::unused_self,
    clippy::wrong_self_convention
)]
// PyO3 generates unsafe code for the methods of a class. None of it relies on the values of the fields.
#![allow(clippy::unsafe_derive_deserialize)]
// Documentation of the Python API follows numpydoc.
#![allow(clippy::doc_markdown)]

#[macro_use]
mod methods;

mod action;
mod agent;
mod agent_batch;
mod arguments;
mod arrays;
mod callable;
mod counts;
mod dataset;
mod encoder;
mod errors;
mod evaluate;
mod game;
mod hand;
mod json;
mod league;
mod log;
mod matches;
mod number;
mod observation;
mod outcome;
mod page;
mod pickle;
mod plan;
mod program;
mod ragged;
mod residual;
mod review;
mod rules;
mod runs;
mod session;
mod shanten;
mod statistics;
mod table;
mod threads;
mod tiles;
mod vec_env;
mod verify;

/// Threads of environments and loaders come and go, and glibc keeps more and more free memory for
/// them. After 150 s of `benches/soak.py` with short environments and a run, memory was 157 MiB and
/// had grown by 8.7 % since the warm-up. With this allocator, it was 70 MiB and had grown by 0.8 %.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _jantaku {
    use pyo3::prelude::*;

    #[pymodule_init]
    #[expect(clippy::unnecessary_wraps, reason = "PyO3 expects a result")]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        jantaku_sim::set_commit(jantaku_commit::COMMIT);
        jantaku_cloud::connect();
        crate::threads::remember_process();
        Ok(())
    }

    #[pymodule_export]
    use crate::{
        action::PyAction,
        agent::PyAgent,
        agent_batch::PyAgentBatch,
        callable::PyFunctionAgent,
        counts::{Gathering, simulate_share, sweep_share},
        dataset::PyLoader,
        encoder::{_encoder, PyEncoder},
        errors::{AgentError, IllegalActionError, LogError, RulesError, RunError},
        game::PyGame,
        hand::{PyDiscardChoice, PyHand, PyScore},
        league::{plan_league, play_league, play_league_share, report_league},
        log::{PyLogs, PyRecordedGame, parse_log, read_log},
        matches::{match_shape, match_shard, play_match},
        observation::PyObservation,
        outcome::{PyOutcome, PyWin},
        page::{result_page, result_text},
        plan::{plan_match, plan_stats},
        program::program,
        ragged::flat_features,
        residual::{_candidate_shape, _residual_manifest},
        review::{analyse, ask},
        rules::PyRules,
        runs::{
            entries, info, is_locked, label, merge, remove_folder, run_state, run_toml, selfplay, share_state,
        },
        shanten::shanten,
        statistics::{cases, stats, sweep},
        table::{PyDiscard, PyMeld, PyOffer, PyResultOfGame, PyStanding},
        vec_env::PyTables,
        verify::{verify, verify_again},
    };

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
