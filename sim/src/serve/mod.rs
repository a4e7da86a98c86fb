//! Pages for the browser on this machine: games of runs and logs, and tables to sit down at.
//!
//! In the order in which the files build on each other:
//!
//! - `error`: what can go wrong
//! - `http`: requests and responses
//! - `guard`: which requests are answered
//! - `setup`: the choices of a person, and the players and rules of a table
//! - `form`: the form of a new table, as a browser sends it
//! - `clock`: the time of a person
//! - `decisions`: the decisions of a game on disk
//! - `opponents`: the agents at a table
//! - `play`: the game at a table, and the news for its page
//! - `keep`: the finished game as a run, as a log and as a page with advice
//! - `table`: a table, its player and its agents
//! - `result`: the result so far of a run, a match or a league
//! - `in_play`: the game in play of a run
//! - `start`: where a table continues a game
//! - `source`: the games of a run, a log or a league, or a position
//! - `sources`: the runs, logs, leagues and positions that a server shows
//! - `words`, `pages`: the lists and the form
//! - `site`: what a server offers, and its answers to requests
//! - `server`: the server itself
//!
//! `sim/docs/serve.md` describes what a user sees, and how requests are checked.

mod clock;
mod decisions;
mod error;
mod form;
mod guard;
mod http;
mod in_play;
mod keep;
mod opponents;
mod pages;
mod play;
mod result;
mod server;
mod setup;
mod site;
mod source;
mod sources;
mod start;
mod table;
mod words;

pub use error::ServeError;
pub use server::Server;
pub use setup::{Offer, PERSON, TableSetup, TimeLimit};
pub use site::Site;
