//! Networks: backends, model files, and the agent that plays them.

mod backends;
mod model;
