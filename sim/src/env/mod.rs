//! Thousands of tables in one object, for programs that learn to play.
//!
//! In the order in which the files build on each other:
//!
//! - `rewards`: how games are rewarded
//! - `starts`: where games start
//! - `config`: the tables, and who plays at them
//! - `error`: why the tables cannot move on
//! - `batch`: the rows that a learner receives
//! - `table`: one game, moved on to the next decision of a learner
//! - `vector`: all tables, with [`VecEnv::send`] and [`VecEnv::recv`]
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

mod batch;
mod config;
mod error;
mod rewards;
mod starts;
mod table;
mod vector;

pub use batch::{Batch, BatchMut};
pub use config::{EnvConfig, Opponent, Player};
pub use error::{EnvError, WrongAction};
pub use rewards::Rewards;
pub use starts::Starts;
pub use vector::VecEnv;
