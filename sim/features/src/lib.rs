//! No code: `Cargo.toml` has the features of dependencies that several builds share.
