//! Agents by name and options, as given on command lines and in files.
//!
//! # Why
//!
//! **Why are named agents trait objects?** An agent is one entry of the catalog: a name, options,
//! help and a constructor. A new agent is one file and two lines, and a library user adds entries
//! without changing ours. The indirect call costs less than can be measured. Rejected: an enum of
//! all agents, because users cannot extend it and a new agent would change three places. Also
//! rejected: runners that are generic over the agents, because every function that plays would
//! exist twice.

use jantaku_engine::Known;

use crate::entry::{Entry, is_plain};
use crate::error::ParseAgentError;
use crate::text::{AgentText, label_of, parse_list};
use crate::{BUILT_IN, NamedAgent, NamedPolicy};

/// The agents that can be named.
///
/// ```
/// use jantaku_agents::Catalog;
///
/// let catalog = Catalog::standard();
/// let agents = catalog.agents("greedy:calls=off,random,tsumogiri,greedy:calls=on", 4)?;
/// assert_eq!(agents[0].name(), "greedy:calls=off");
/// assert_eq!(agents[3].name(), "greedy");
/// # Ok::<(), jantaku_agents::ParseAgentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    entries: Vec<Entry>,
}

impl Catalog {
    /// The built-in agents.
    pub fn standard() -> Catalog {
        BUILT_IN.iter().fold(Catalog { entries: Vec::new() }, |catalog, entry| catalog.with(*entry))
    }

    /// The catalog with one more agent.
    ///
    /// # Panics
    ///
    /// If another agent has the name, a name in the entry contains a separator, two options share a
    /// name, or a default is not valid.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Catalog {
        let is_new = self.entries.iter().all(|other| other.name != entry.name);
        assert!(is_new, "two agents are named `{}`", entry.name);
        entry.check();
        self.entries.push(entry);
        self
    }

    /// The agents, the built-in ones first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Builds the agent that a text such as `greedy` or `greedy:calls=off` names.
    ///
    /// # Errors
    ///
    /// If the text does not name one agent with valid options, or the agent cannot be built.
    pub fn agent(&self, text: &str) -> Result<NamedAgent, ParseAgentError> {
        match self.parse(text)?.as_slice() {
            [agent] => self.build(agent),
            agents => Err(ParseAgentError::Count { found: agents.len(), seats: 1 }),
        }
    }

    /// Builds the agents of a table from a comma-separated list: one agent for each seat, or one
    /// that plays all seats.
    ///
    /// A part such as `calls=off` is a further option of the agent before it. A switch right after
    /// the colon needs no value: `heuristic:fast` is `heuristic:fast=on`. Values may be quoted:
    /// commas, colons and equals signs inside quotation marks separate nothing.
    ///
    /// `mybot=greedy:calls=off` gives the agent a name of the user's choice
    /// ([`NamedAgent::label`]). If the agent before it has an option of this name, the part is that
    /// option.
    ///
    /// # Errors
    ///
    /// As [`Catalog::agent`], and if the list has neither one agent nor one for each seat.
    pub fn agents(&self, text: &str, seats: usize) -> Result<Vec<NamedAgent>, ParseAgentError> {
        let agents = self.list(text)?;
        match &agents[..] {
            [agent] => Ok(vec![agent.clone(); seats]),
            _ if agents.len() == seats => Ok(agents),
            _ => Err(ParseAgentError::Count { found: agents.len(), seats }),
        }
    }

    /// Builds the agents of a table as [`Catalog::agents`] does, for a runner that asks for one
    /// action at a time.
    ///
    /// # Errors
    ///
    /// As [`Catalog::agents`], and if an agent is not a policy.
    pub fn policies(&self, text: &str, seats: usize) -> Result<Vec<NamedPolicy>, ParseAgentError> {
        self.agents(text, seats)?.iter().map(NamedAgent::to_policy).collect()
    }

    /// Builds all agents of a comma-separated list as [`Catalog::agents`] describes it, however
    /// many there are. Equal texts give copies of one agent, so that its files are read once.
    ///
    /// # Errors
    ///
    /// As [`Catalog::agent`].
    pub fn list(&self, text: &str) -> Result<Vec<NamedAgent>, ParseAgentError> {
        self.build_all(&self.parse(text)?)
    }

    /// [`Catalog::list`], in which an agent of `known` may be given by its label alone: `mybot` is
    /// `mybot=greedy:calls=off` if `known` has this text. Names of the catalog take precedence over labels.
    ///
    /// # Errors
    ///
    /// As [`Catalog::agent`].
    pub fn list_with(&self, text: &str, known: &[String]) -> Result<Vec<NamedAgent>, ParseAgentError> {
        let mut texts = self.parse(text)?;
        for text in &mut texts {
            let is_bare = text.label.is_none() && text.options.is_empty() && self.entry(&text.name).is_none();
            let meant = known.iter().find(|known| is_bare && label_of(known) == text.name);
            if let Some([agent]) = meant.map(|meant| self.parse(meant)).transpose()?.as_deref() {
                *text = agent.clone();
            }
        }
        self.build_all(&texts)
    }

    /// Builds agents; equal texts give copies of one.
    fn build_all(&self, texts: &[AgentText]) -> Result<Vec<NamedAgent>, ParseAgentError> {
        let mut agents: Vec<NamedAgent> = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let same = texts[..at].iter().position(|earlier| earlier == text);
            agents.push(same.map_or_else(|| self.build(text), |same| Ok(agents[same].clone()))?);
        }
        Ok(agents)
    }

    /// Reads a list. A part such as `name=greedy` starts an agent if the agent before it has no such
    /// option.
    fn parse(&self, text: &str) -> Result<Vec<AgentText>, ParseAgentError> {
        let has_option = |agent: &str, key: &str| {
            self.entry(agent).is_some_and(|entry| entry.options.iter().any(|option| option.name == key))
        };
        let starts_agent = |before: &str, key: &str, word: &str| {
            is_plain(key) && self.entry(word).is_some() && !has_option(before, key)
        };
        parse_list(text, starts_agent).map_err(ParseAgentError::Wrong)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    fn build(&self, text: &AgentText) -> Result<NamedAgent, ParseAgentError> {
        let entry = self.entry(&text.name).ok_or_else(|| {
            let mut known = Known::new(&text.name, self.entries.iter().map(|entry| entry.name));
            // Pages call them `level-3`.
            let is_level = text.name.starts_with("level") || text.label.as_deref() == Some("level");
            known.closest = known.closest.or_else(|| is_level.then_some("graded:level=3"));
            ParseAgentError::UnknownAgent { agent: text.name.clone(), known }
        })?;
        let options = entry.read_options(text).map_err(ParseAgentError::Wrong)?;
        let name = entry.canonical_name(&options);
        let name = match text.label.as_deref() {
            None => name,
            Some(label) if is_plain(label) => format!("{label}={name}"),
            Some(label) => {
                return Err(ParseAgentError::Wrong(format!(
                    "`{label}` cannot be the name of an agent: expected a name without spaces or quotation marks"
                )));
            }
        };
        match (entry.build)(&options, &|text| self.agent(text)) {
            Ok(built) => Ok(NamedAgent::new(&name, built)),
            Err(error) => Err(ParseAgentError::Wrong(format!("agent `{name}`: {error}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::path::PathBuf;

    use super::*;
    use crate::{
        Agent, AgentError, AgentOption, AgentSpeed, Batched, Built, OptionDefault, OptionKind, Random, Setup,
        StartAgent, Tsumogiri,
    };

    const fn option(name: &'static str, kind: OptionKind, default: OptionDefault) -> AgentOption {
        AgentOption { name, kind, default, about: "" }
    }

    /// An agent with an option of each kind. Its constructor reads all of them.
    const MIXED: Entry = Entry {
        name: "mixed",
        about: "",
        options: &[
            option("model", OptionKind::File, OptionDefault::Required),
            option("rollouts", OptionKind::Integer(1..=300), OptionDefault::Value("64")),
            option("temperature", OptionKind::Number(0.0..=2.0), OptionDefault::Value("1")),
            option("device", OptionKind::Choice(&["cpu", "cuda:0"]), OptionDefault::Value("cpu")),
            option("command", OptionKind::Text, OptionDefault::Unset),
        ],
        build: |options, _| {
            let mut text = String::new();
            write!(text, "{:?} ", options.value::<PathBuf>("model"))?;
            write!(text, "{} ", options.value::<u16>("rollouts"))?;
            write!(text, "{} ", options.value::<f32>("temperature"))?;
            write!(text, "{} ", options.text("device"))?;
            write!(text, "{:?}", options.optional::<String>("command"))?;
            let is_file = options.value::<PathBuf>("model").is_file();
            if is_file { Ok(Built::policy(Random)) } else { Err(text.into()) }
        },
    };

    #[test]
    fn canonical_names_parse_back() {
        let catalog = Catalog::standard().with(MIXED);
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let mixed = |options: &str| format!("mixed:model={file}{options}");
        let cases = [
            ("random".to_owned(), "random".to_owned()),
            ("greedy:calls=on".to_owned(), "greedy".to_owned()),
            ("greedy:calls".to_owned(), "greedy".to_owned()),
            ("heuristic:fast".to_owned(), "heuristic:fast=on".to_owned()),
            ("greedy:calls=off".to_owned(), "greedy:calls=off".to_owned()),
            ("my-bot=greedy:calls=off".to_owned(), "my-bot=greedy:calls=off".to_owned()),
            ("g=greedy:calls=on".to_owned(), "g=greedy".to_owned()),
            (mixed(",temperature=1.0,rollouts=064"), mixed("")),
            (
                mixed(r#",command="./bot 0, x:y=z",rollouts=65,device=cuda:0,temperature=0.50"#),
                mixed(r#",rollouts=65,temperature=0.5,device=cuda:0,command="./bot 0, x:y=z""#),
            ),
            (mixed(r#",command="""#), mixed(r#",command="""#)),
        ];
        for (text, name) in cases {
            let agent = catalog.agent(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(agent.name(), name);
            assert_eq!(catalog.agent(&name).expect("a canonical name").name(), name);
        }
    }

    #[test]
    fn known_agents_are_given_by_their_names() {
        let known = ["mine=greedy:calls=off", "greedy=random", "tsumogiri"].map(str::to_owned);
        let list = |text: &str| {
            let agents = Catalog::standard().list_with(text, &known);
            agents.map(|agents| agents.iter().map(|agent| agent.name().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(list("mine,greedy").expect("agents"), ["mine=greedy:calls=off", "greedy"]);
        assert_eq!(list("mine=random").expect("an agent"), ["mine=random"]);
        assert!(list("mine:calls=on").is_err() && list("other").is_err());
    }

    #[test]
    fn constructors_read_typed_values() {
        let catalog = Catalog::standard().with(MIXED);
        let error = |text: &str| catalog.agent(text).unwrap_err().to_string();
        let defaults = r#"agent `mixed:model=no.pt`: "no.pt" 64 1 cpu None"#;
        assert_eq!(error("mixed:model=no.pt"), defaults);
        let text = "mixed:model=no.pt,rollouts=300,temperature=0.25,device=cuda:0,command=./bot";
        assert_eq!(error(text), format!(r#"agent `{text}`: "no.pt" 300 0.25 cuda:0 Some("./bot")"#));
    }

    #[test]
    fn errors_name_what_is_expected() {
        let cases = [
            (
                "gredy",
                "unknown agent `gredy`, did you mean `greedy`? Expected one of random, tsumogiri, greedy, heuristic, mc, noisy, graded, neural, residual, mjai, mixed",
            ),
            (
                "",
                "unknown agent ``, expected one of random, tsumogiri, greedy, heuristic, mc, noisy, graded, neural, residual, mjai, mixed",
            ),
            (
                "greedy:call=off",
                "agent `greedy` has no option `call`, did you mean `calls`? Expected one of calls",
            ),
            ("random:calls=on", "agent `random` has no option `calls`, there are none"),
            ("greedy:calls=no", "option `calls` of agent `greedy` is `no`, expected one of on, off"),
            ("mixed:model", "option `model` of agent `mixed` has no value, expected `model=…`"),
            (
                "greedy:calls=off,calls=on",
                "option `calls` of agent `greedy` is given twice, as `off` and as `on`",
            ),
            ("mixed", "agent `mixed` needs the option `model`, the path of a file"),
            (
                "mixed:model=x,rollouts=301",
                "option `rollouts` of agent `mixed` is `301`, expected a whole number from 1 to 300",
            ),
            (
                "mixed:model=x,temperature=NaN",
                "option `temperature` of agent `mixed` is `NaN`, expected a number from 0 to 2",
            ),
            ("mixed:model=\"x,y", "`mixed:model=\"x,y`: the closing quotation mark is missing"),
            ("random,random", "2 agents for 4 seats: expected 1 or 4"),
        ];
        let catalog = Catalog::standard().with(MIXED);
        for (text, message) in cases {
            assert_eq!(catalog.agents(text, 4).unwrap_err().to_string(), message, "{text}");
        }
        let message = "2 agents for 1 seat: expected 1";
        assert_eq!(catalog.agent("random,random").unwrap_err().to_string(), message);
    }

    #[test]
    fn users_name_agents() {
        let list = |text: &str| Catalog::standard().list(text);
        let agents = list("greedy:calls=off,a=greedy, b=noisy:p=0.1,base=random,random").expect("agents");
        let labels: Vec<&str> = agents.iter().map(NamedAgent::label).collect();
        assert_eq!(labels, ["greedy:calls=off", "a", "b", "random"]);
        // `base` is an option of `noisy`, whose default is left out.
        assert_eq!(agents[2].name(), "b=noisy:base=random,p=0.1");
        for (text, message) in [
            ("a=gredy", "unknown agent `gredy`, did you mean `greedy`?"),
            ("greedy,a=gredy", "agent `greedy` has no option `a`"),
            ("level-3", "unknown agent `level-3`, did you mean `graded:level=3`?"),
            ("level=3", "unknown agent `3`, did you mean `graded:level=3`?"),
            ("a b=greedy", "`a b` cannot be the name of an agent"),
            ("=greedy", "`` cannot be the name of an agent"),
        ] {
            let error = list(text).expect_err("a wrong text").to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn one_agent_plays_all_seats() {
        let names = |text: &str, seats| {
            let agents = Catalog::standard().agents(text, seats).expect("valid agents");
            agents.iter().map(NamedAgent::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names("greedy", 3), ["greedy"; 3]);
        let mixed = "greedy:calls=off,random, tsumogiri,greedy";
        assert_eq!(names(mixed, 4), ["greedy:calls=off", "random", "tsumogiri", "greedy"]);
    }

    #[test]
    fn an_agent_is_what_its_parts_are() {
        let properties = |text: &str| {
            let agent = Catalog::standard().agent(text).unwrap_or_else(|error| panic!("{error}"));
            (agent.is_deterministic(), agent.speed())
        };
        assert_eq!(properties("noisy:base=greedy,p=0.1"), (true, AgentSpeed::Fast));
        assert_eq!(properties("noisy:base=\"mc:rollouts=2\",p=0.1"), (true, AgentSpeed::Slow));
        assert_eq!(properties("noisy:base=\"mc:ms=20\",p=0.1"), (false, AgentSpeed::Slow));
    }

    /// Starts `tsumogiri` as an agent that follows whole games.
    struct Follower;

    impl StartAgent for Follower {
        fn start(&self, _: &str, _: &Setup) -> Result<Box<dyn Agent>, AgentError> {
            Ok(Box::new(Batched(Tsumogiri)))
        }

        fn is_deterministic(&self) -> bool {
            false
        }
    }

    const FOLLOWER: Entry =
        Entry { name: "follower", build: |_, _| Ok(Built::agent(Follower)), ..crate::random::ENTRY };

    #[test]
    fn an_agent_that_follows_games_is_no_policy() {
        let catalog = Catalog::standard().with(FOLLOWER);
        let agents = catalog.agents("follower,greedy", 2).expect("agents");
        assert_eq!([0, 1].map(|at: usize| agents[at].policy().is_some()), [false, true]);
        assert_eq!([0, 1].map(|at: usize| agents[at].is_deterministic()), [false, true]);
        for agent in agents {
            assert!(agent.start(&Setup::default()).is_ok_and(|started| started.faults().total() == 0));
        }
        let error = |text| catalog.policies(text, 2).unwrap_err().to_string();
        let needs = "agent `follower` answers batches or follows whole games; expected an agent that decides \
                     one action at a time, such as `greedy`";
        assert_eq!(error("greedy,follower"), needs);
        let noisy = "agent `noisy:base=follower,p=0.5`: ".to_owned() + needs;
        assert_eq!(error("noisy:base=follower,p=0.5"), noisy);
    }

    #[test]
    #[should_panic(expected = "two agents are named `random`")]
    fn a_name_is_taken_once() {
        let _ = Catalog::standard().with(crate::random::ENTRY);
    }

    #[test]
    #[should_panic(
        expected = "agent `broken`: the default of `n` is `3`, expected a whole number from 0 to 2"
    )]
    fn a_default_is_a_valid_value() {
        const BROKEN: Entry = Entry {
            name: "broken",
            options: &[option("n", OptionKind::Integer(0..=2), OptionDefault::Value("3"))],
            ..crate::random::ENTRY
        };
        let _ = Catalog::standard().with(BROKEN);
    }
}
