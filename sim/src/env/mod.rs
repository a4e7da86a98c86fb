//! A vectorised environment for reinforcement learning: thousands of tables in one object.
//!
//! The files, each after those it uses:
//!
//! - `weighted`: random draws by weights
//! - `hands`: hands that ended
//! - `rewards`: the rewards of a game
//! - `starts`: the distribution of starts
//! - `config`: the tables and their players
//! - `error`: errors
//! - `lineup`: who plays the seats of a game
//! - `batch`: the rows that a learner receives
//! - `table`: one game, advanced to the next decision of a learner
//! - `vector`: all tables, with [`VecEnv::send`] and [`VecEnv::recv`]
//! - `state`: an environment's state as bytes
//!
//! # Examples
//!
//! A learner that plays at random in all seats:
//!
//! ```
//! use jantaku_engine::Rules;
//! use jantaku_sim::env::{Batch, EnvConfig, VecEnv};
//!
//! let mut env = VecEnv::new(EnvConfig::new(&Rules::default(), 8))?;
//! let (mut batch, mut actions) = (Batch::new(None, env.most_rows()), Vec::new());
//! for _ in 0..100 {
//!     let rows = env.recv(&mut batch.view_mut())?;
//!     assert!(rows > 0);
//!     env.random_actions(&mut actions);
//!     env.send(&actions)?;
//! }
//! # Ok::<(), jantaku_sim::env::EnvError>(())
//! ```
//!
//! # Why
//!
//! **Why are decisions at the same table returned together?** None of them depends on another one's
//! answer. Returned one by one, their order and number would show who could claim. The
//! `PettingZoo` AEC environment has to select one agent after another, and documents this.
//!
//! **Why does `env` have a loop of its own beside the batched runner?** In `env` the caller
//! controls the loop: it gets observations, returns actions when it likes, and a finished table
//! restarts at once. The batched runner calls its agents, keeps the order of a schedule and stops
//! at its end, records games, and has two groups that take turns. Both share the game, its
//! decisions and the policies. A common loop would need both orders of control, and a branch per
//! table and decision.

mod batch;
mod config;
mod error;
mod hands;
mod lineup;
mod rewards;
mod starts;
mod state;
mod table;
mod vector;
mod weighted;

pub use batch::{Batch, BatchMut, COLUMNS, Column, ColumnArrays, with_arrays};
pub use config::{EnvConfig, Lineup, Opponent, Player};
pub use error::{EnvError, WrongAction};
pub use hands::{Deal, EndedHand};
pub use rewards::Rewards;
pub use starts::Starts;
pub use vector::VecEnv;
