//! `jantaku agents`.

use jantaku_agents::{AgentOption, Catalog, OptionDefault};
use serde_json::json;

use super::output::{Ended, Output};
use super::print;

/// Lines of fewer columns have no room to indent options as far as the descriptions of agents.
const NARROW: usize = 60;

pub(super) fn run(output: Output) -> anyhow::Result<Ended> {
    let catalog = Catalog::standard();
    let agents = catalog.entries().iter().map(|agent| {
        let options: Vec<_> = agent.options.iter().map(as_json).collect();
        json!({ "name": agent.name, "about": agent.about, "options": options })
    });
    output.print(&json!({ "agents": agents.collect::<Vec<_>>() }), || text(&catalog))?;
    Ok(Ended::Done)
}

/// The agents and their options as text.
fn text(catalog: &Catalog) -> String {
    let mut text = String::new();
    // An option and its values stay in one line, for which narrow terminals need the space.
    let indent = if print::width() < NARROW { 2 } else { 13 };
    for agent in catalog.entries() {
        text += &print::wrapped(&format!("{:<10} {}", agent.name, agent.about), 11);
        for option in agent.options {
            let values = option.kind.values().join("|");
            let (name, about) = (option.name, option.about);
            let default = match option.default {
                OptionDefault::Required => "required".to_owned(),
                OptionDefault::Unset => "optional".to_owned(),
                OptionDefault::Value(value) => format!("default {value}"),
            };
            let line = format!("{:indent$}{}:{name}={values}  {about} ({default})", "", agent.name);
            text += &print::wrapped(&line, indent + 2);
        }
    }
    text
}

/// An option as JSON. The default is null if the option has none.
fn as_json(option: &AgentOption) -> serde_json::Value {
    let default = match option.default {
        OptionDefault::Value(value) => Some(value),
        OptionDefault::Required | OptionDefault::Unset => None,
    };
    json!({
        "name": option.name,
        "values": option.kind.values(),
        "default": default,
        "about": option.about,
    })
}
