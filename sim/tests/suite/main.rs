//! Tests of the library and the program, in one binary.
//!
//! - `runs`: runs of the library whose agents and stores fail
//! - `cohort`, `news`: games at many tables in lockstep, and what their agents receive
//! - `example`: the example of a resumed run
//! - `program`: output, exit statuses and error messages of the program; `keys`: its JSON
//! - `version`: the commit that the build script finds
//! - `kept`: runs that are killed or lose their disk, and resume
//! - `stopped`: runs that end by a signal or a full disk
//! - `damaged`: runs with lost or damaged files
//! - `shards`: shards and merged runs
//! - `parameters`: runs whose agents read parameters from files
//! - `columns`, `dataset`, `recorded`, `verify`, `edited`: tables, and what `verify` finds in them
//! - `logs`, `mjlog`, `log_rules`, `mutated`: recorded games of other programs
//! - `models`: commands that play networks
//! - `mjai`: agents as bots of other programs; `hidden`: what a bot is not told
//! - `thoughts`, `oracle`: what agents report, and what no player sees
//! - `house`: runs under rules that stop games, and with a referee
//! - `python`: games that the tests of the Python package play again
//! - `hand`, `hand_odd`: analysis of hands, and answers to odd questions
//! - `hand_game`, `hand_law`: analysis of hands compared with the game
//! - `ask`: what agents do in positions
//! - `matches`: matches between agents; `luck`: their results without luck
//! - `stats`, `figures`: statistics, and what they print
//! - `ratings`, `league_coverage`: simulated leagues; `league`: leagues of the program
//! - `intervals`, `precision`: the coverage of intervals, and games that are played until an
//!   interval is narrow

mod analyse;
mod ask;
mod cohort;
mod columns;
mod common;
mod damaged;
mod dataset;
mod edited;
#[path = "../../examples/resume.rs"]
mod example;
mod figures;
mod hand;
mod hand_game;
mod hand_law;
mod hand_odd;
mod hidden;
mod house;
mod intervals;
mod kept;
mod keys;
mod league;
#[path = "../../examples/league_coverage/model.rs"]
mod league_coverage;
mod log_rules;
mod logs;
mod luck;
mod matches;
mod mjai;
mod mjlog;
mod models;
mod mutated;
mod news;
mod oracle;
mod parameters;
mod precision;
mod program;
mod python;
mod ratings;
mod recorded;
mod runs;
mod shards;
mod stats;
mod stopped;
mod thoughts;
mod verify;
mod version;
