//! Positions: what they say, and where they are wrong.

mod law;
