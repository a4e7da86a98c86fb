//! `jantaku actions`.

use jantaku_engine::{Action, ActionId};
use serde_json::json;

use super::output::{Ended, Output};
use super::print;

pub(super) fn run(output: Output) -> anyhow::Result<Ended> {
    let actions = || ActionId::all().map(|id| (id.number(), id.action()));
    let value = |(number, action): (u8, Action)| json!({ "number": number, "text": action.to_string(), "meaning": action.meaning() });
    let line = |(number, action): (u8, Action)| {
        print::wrapped(&format!("{number:>3}  {:<24}  {}", action.to_string(), action.meaning()), 31)
    };
    let values: Vec<_> = actions().map(value).collect();
    output.print(&json!({ "actions": values }), || actions().map(line).collect())?;
    Ok(Ended::Done)
}
