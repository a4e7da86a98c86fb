//! `jantaku agents`.

use jantaku_agents::KNOWN;
use serde_json::json;

use super::{Output, print_json};

pub(super) fn run(output: Output) {
    if output.json {
        let agents = KNOWN.iter().map(|agent| {
            let options = agent.options.iter().map(|option| {
                json!({ "name": option.name, "values": option.values, "default": option.values[0], "about": option.about })
            });
            json!({ "name": agent.name, "about": agent.about, "options": options.collect::<Vec<_>>() })
        });
        print_json(&json!({ "agents": agents.collect::<Vec<_>>() }));
        return;
    }
    for agent in KNOWN {
        println!("{:<10} {}", agent.name, agent.about);
        for option in agent.options {
            println!(
                "{:<10}   {}:{}={}  {} (default {})",
                "",
                agent.name,
                option.name,
                option.values.join("|"),
                option.about,
                option.values[0]
            );
        }
    }
}
