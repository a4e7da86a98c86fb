//! `jantaku actions`.

use jantaku_engine::{Action, ActionId};
use serde_json::json;

use super::output::{Ended, Output, say, say_json};
use super::print;

pub(super) fn run(output: Output) -> anyhow::Result<Ended> {
    let actions = ActionId::all().map(|id| (id.number(), id.action()));
    if output.json {
        let actions = actions.map(|(number, action)| {
            json!({ "number": number, "text": action.to_string(), "meaning": action.meaning() })
        });
        say_json(&json!({ "actions": actions.collect::<Vec<_>>() }))?;
        return Ok(Ended::Done);
    }
    let line = |(number, action): (u8, Action)| {
        print::wrapped(&format!("{number:>3}  {:<24}  {}", action.to_string(), action.meaning()), 31)
    };
    say(&actions.map(line).collect::<String>())?;
    Ok(Ended::Done)
}
