//! Networks: backends, wrappers, model files, and the agent that plays them.

mod agent;
mod backends;
mod broken;
mod model;
mod wrappers;
