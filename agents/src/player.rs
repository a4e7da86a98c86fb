//! Agents by name and options, as command lines and files give them.

use std::fmt;
use std::str::FromStr;

use jantaku_engine::{Action, Observation, Rng};

use crate::{Greedy, Policy, Random, Tsumogiri};

/// An agent that can be named.
#[derive(Debug)]
pub struct AgentInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
}

/// An option of an agent.
#[derive(Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// The values, the default first.
    pub values: &'static [&'static str],
    /// What it decides.
    pub about: &'static str,
}

/// All agents that can be named.
pub static KNOWN: &[AgentInfo] = &[
    AgentInfo { name: "random", about: "any legal action, each as likely as the others", options: &[] },
    AgentInfo {
        name: "tsumogiri",
        about: "discards every tile that it draws, and never wins or calls",
        options: &[],
    },
    AgentInfo {
        name: "greedy",
        about: "the nearest win: least shanten, then most useful tiles; riichi and wins whenever it can",
        options: &[OptionInfo {
            name: "calls",
            values: &["on", "off"],
            about: "chi and pon that bring the hand nearer and leave a yaku possible",
        }],
    },
];

/// A named agent: dispatch without a pointer, one branch a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// [`Random`].
    Random(Random),
    /// [`Tsumogiri`].
    Tsumogiri(Tsumogiri),
    /// [`Greedy`].
    Greedy(Greedy),
}

impl Policy for Player {
    #[inline]
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        match self {
            Player::Random(policy) => policy.choose(o, rng),
            Player::Tsumogiri(policy) => policy.choose(o, rng),
            Player::Greedy(policy) => policy.choose(o, rng),
        }
    }
}

/// The text names no agent, or gives it an option that it does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseAgentError(String);

/// `name` or `name:option=value,option=value`.
impl FromStr for Player {
    type Err = ParseAgentError;

    fn from_str(text: &str) -> Result<Player, ParseAgentError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let list = |names: &mut dyn Iterator<Item = &str>| names.collect::<Vec<_>>().join(", ");
        let info = KNOWN.iter().find(|info| info.name == name).ok_or_else(|| {
            let known = list(&mut KNOWN.iter().map(|info| info.name));
            ParseAgentError(format!("unknown agent `{name}`, expected one of {known}"))
        })?;
        let mut values: Vec<&str> = info.options.iter().map(|option| option.values[0]).collect();
        let mut given = vec![None; values.len()];
        for option in options.split_terminator(',') {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let place = info.options.iter().position(|known| known.name == key).ok_or_else(|| {
                let known = match info.options {
                    [] => "it has none".to_owned(),
                    options => format!("expected one of {}", list(&mut options.iter().map(|o| o.name))),
                };
                ParseAgentError(format!("agent `{name}` has no option `{key}`: {known}"))
            })?;
            if let Some(first) = given[place].replace(value) {
                return Err(ParseAgentError(format!(
                    "option `{key}` of agent `{name}` is given twice, as `{first}` and as `{value}`"
                )));
            }
            let known = &info.options[place];
            values[place] = known.values.iter().find(|known| **known == value).ok_or_else(|| {
                let allowed = list(&mut known.values.iter().copied());
                ParseAgentError(format!(
                    "option `{key}` of agent `{name}` is `{value}`, expected one of {allowed}"
                ))
            })?;
        }
        Ok(match name {
            "random" => Player::Random(Random),
            "tsumogiri" => Player::Tsumogiri(Tsumogiri),
            _ => Player::Greedy(Greedy { calls: values[0] == "on" }),
        })
    }
}

/// The name with the options that are not the default, as it can be parsed again.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Random(_) => "random",
            Player::Tsumogiri(_) => "tsumogiri",
            Player::Greedy(Greedy { calls: true }) => "greedy",
            Player::Greedy(Greedy { calls: false }) => "greedy:calls=off",
        })
    }
}

/// Reads a list such as `greedy` or `greedy:calls=off,random,random,tsumogiri`: one agent for all seats, or one for each.
///
/// A part with `=` that does not begin with an agent's name and a colon is a further option of the agent before it.
///
/// # Errors
///
/// If an agent cannot be read, or there are neither one nor as many as seats.
pub fn parse_players(text: &str, seats: usize) -> Result<Vec<Player>, ParseAgentError> {
    let mut agents: Vec<String> = Vec::new();
    for part in text.split(',') {
        let is_option = part.find('=').is_some_and(|at| part.find(':').is_none_or(|colon| at < colon));
        match agents.last_mut() {
            Some(agent) if is_option => {
                agent.push(',');
                agent.push_str(part);
            }
            _ => agents.push(part.to_owned()),
        }
    }
    let players: Vec<Player> = agents.iter().map(|agent| agent.trim().parse()).collect::<Result<_, _>>()?;
    match players.len() {
        1 => Ok(vec![players[0]; seats]),
        n if n == seats => Ok(players),
        n => Err(ParseAgentError(format!("{n} agents for {seats} seats: expected 1 or {seats}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_print_as_they_are_read() {
        for text in ["random", "tsumogiri", "greedy", "greedy:calls=off"] {
            assert_eq!(text.parse::<Player>().map(|p| p.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("greedy:calls=on".parse::<Player>(), "greedy".parse::<Player>());
    }

    #[test]
    fn errors_list_what_is_known() {
        let cases = [
            ("gredy", "unknown agent `gredy`, expected one of random, tsumogiri, greedy"),
            ("greedy:call=off", "agent `greedy` has no option `call`: expected one of calls"),
            ("greedy:calls=no", "option `calls` of agent `greedy` is `no`, expected one of on, off"),
            ("random:calls=on", "agent `random` has no option `calls`: it has none"),
            (
                "greedy:calls=off,calls=on",
                "option `calls` of agent `greedy` is given twice, as `off` and as `on`",
            ),
            ("random,random", "2 agents for 4 seats: expected 1 or 4"),
            ("", "unknown agent ``, expected one of random, tsumogiri, greedy"),
        ];
        for (text, message) in cases {
            assert_eq!(parse_players(text, 4).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn one_agent_plays_all_seats() {
        let players = parse_players("greedy", 3).expect("an agent");
        assert_eq!(players.len(), 3);
        let mixed = parse_players("greedy:calls=off,random,tsumogiri,greedy", 4).expect("four agents");
        assert_eq!(mixed[0].to_string(), "greedy:calls=off");
        assert_eq!(mixed[3].to_string(), "greedy");
    }
}
