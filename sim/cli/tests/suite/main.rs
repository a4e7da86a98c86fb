//! Tests of the program, and of runs that it writes, in one binary.
//!
//! - `cmd`: pages of commands with their output; `options`: the page of the program's options; `keys`: its
//!   JSON; `program`: its version and rules
//! - `version`: the commit that the build script finds
//! - `batched`: games at many tables, with agents that answer batches; their faults and results
//! - `kept`: runs that are killed or lose their disk, and resume
//! - `stopped`: runs that end by a signal
//! - `damaged`: runs with damaged files
//! - `columns`, `dataset`, `recorded`, `verify`: tables, and what `verify` finds in them
//! - `models`: commands that play networks; `network_file`: a network for them
//! - `mjai`: agents as bots of other programs; `hidden`: tiles hidden from bots
//! - `search_info`, `oracle`: reports of agents, such as `thinker`, and tables of hidden tiles
//! - `house`: runs with a referee
//! - `hand`: the stream of `hand --jsonl`; `hand_law`: analysis of hands compared with the game; `hand_possible`: what
//!   it accepts is played; `hand_game`: questions about hands in a game
//! - `analyse`: reviews of games
//! - `view`, `html`: pages for the browser; `serve`: tables to play at
//! - `matches`: matches between agents; `aivat`: their variance-reduced results
//! - `stats`: statistics, and their output
//! - `precision`: games that are played until an interval is narrow; `tallies`: by several processes
//! - `league`: leagues of agents
//! - `conform`: other engines behind the protocol of `conform`
//! - `sizes`: the sizes of the long checks; `level`: how `JANTAKU_TESTS` chooses them

mod aivat;
mod analyse;
mod batched;
mod cmd;
mod columns;
mod common;
mod conform;
mod damaged;
mod dataset;
mod hand;
mod hand_game;
mod hand_law;
mod hand_possible;
mod hidden;
mod house;
mod html;
mod kept;
mod keys;
mod league;
#[path = "../../../../engine/tests/suite/level.rs"]
mod level;
mod matches;
mod mjai;
mod models;
#[path = "../../../tests/suite/network_file.rs"]
mod network_file;
mod options;
mod oracle;
mod precision;
mod program;
mod python_options;
mod recorded;
mod search_info;
mod serve;
mod sizes;
mod stats;
mod stopped;
mod tallies;
#[path = "../../../tests/suite/thinker.rs"]
mod thinker;
mod verify;
mod version;
mod view;
