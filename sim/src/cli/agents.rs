//! `jantaku agents`.

use jantaku_agents::KNOWN;
use serde_json::json;

use super::{Ended, Output, say, say_json};

pub(super) fn run(output: Output) -> anyhow::Result<Ended> {
    if output.json {
        let agents = KNOWN.iter().map(|agent| {
            let options = agent.options.iter().map(|option| {
                json!({
                    "name": option.name,
                    "values": option.values,
                    "default": option.values[0],
                    "about": option.about,
                })
            });
            json!({ "name": agent.name, "about": agent.about, "options": options.collect::<Vec<_>>() })
        });
        say_json(&json!({ "agents": agents.collect::<Vec<_>>() }))?;
        return Ok(Ended::Done);
    }
    let mut text = String::new();
    for agent in KNOWN {
        text += &format!("{:<10} {}\n", agent.name, agent.about);
        for option in agent.options {
            let values = option.values.join("|");
            let default = option.values[0];
            text += &format!(
                "{:<10}   {}:{}={values}  {} (default {default})\n",
                "", agent.name, option.name, option.about
            );
        }
    }
    say(&text)?;
    Ok(Ended::Done)
}
