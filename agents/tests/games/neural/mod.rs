//! Networks: backends, wrappers, model files, and the agent that plays them.

mod agent;
mod arithmetic;
mod backends;
mod broken;
mod model;
mod residual;
mod wrappers;
