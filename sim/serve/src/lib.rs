//! Pages for the browser on this machine: games of runs and logs, and tables to play at.
//!
//! In the order in which the files build on each other:
//!
//! - `error`: what can go wrong
//! - `http`: requests and responses
//! - `guard`: which requests are answered
//! - `table_config`: the choices of a person, and the players and rules of a table
//! - `table_form`: the form of a new table, as a browser sends it
//! - `clock`: the time of a person
//! - `decisions`: the decisions of a game on disk
//! - `opponents`: the agents at a table
//! - `play`: the game at a table, and the news for its page
//! - `result`: the result so far of a run, a match or a league
//! - `live_game`: the game in play of a run
//! - `start`: where a table continues a game
//! - `source`: the games of a run, a log or a league, or a position
//! - `save_game`: the finished game as a run, as a log and as a page with advice
//! - `table`: a table, its player and its agents
//! - `sources`: the runs, logs, leagues and positions that a server shows
//! - `words`, `pages`: the lists and the form
//! - `tables`: the tables of a folder
//! - `router`: what a server offers, and its answers to requests
//! - `server`: the server itself
//!
//! `sim/docs/serve.md` describes what a user sees, and how requests are checked.

mod clock;
mod decisions;
mod error;
mod guard;
mod http;
mod live_game;
mod opponents;
mod pages;
mod play;
mod result;
mod router;
mod save_game;
mod server;
mod source;
mod sources;
mod start;
mod table;
mod table_config;
mod table_form;
mod tables;
mod words;

pub use error::ServeError;
pub use router::Site;
pub use server::Server;
pub use table_config::{Offer, PERSON, TableSetup, TimeLimit};
