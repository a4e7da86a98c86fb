//! What tables call agents.

use jantaku_agents::{label_of, without_label};

use jantaku_pages::report::width::{columns, cut, left};
use jantaku_pages::report::{Fact, MAX_LETTERS};
use jantaku_sim::play::{Seatings, unique_name};

/// The agents with their seats: `greedy` if one plays all seats, else such as `greedy (seats 0, 2),
/// random (seats 1, 3)`.
pub fn agents(of_seats: &[String]) -> String {
    let found = by_key(of_seats.iter().enumerate(), |(_, agent)| *agent);
    if let [(agent, _)] = &found[..] {
        return (*agent).clone();
    }
    let named = found.iter().map(|(agent, seats)| {
        let numbers: Vec<String> = seats.iter().map(|(seat, _)| seat.to_string()).collect();
        format!("{agent} (seat{} {})", if seats.len() == 1 { "" } else { "s" }, numbers.join(", "))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The items with each key, in the order of first appearance.
pub(super) fn by_key<K: PartialEq, T>(
    items: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut found: Vec<(K, Vec<T>)> = Vec::new();
    for item in items {
        let own = key(&item);
        match found.iter_mut().rev().find(|(key, _)| *key == own) {
            Some((_, items)) => items.push(item),
            None => found.push((own, vec![item])),
        }
    }
    found
}

/// The different items in the order of their first appearance.
pub(super) fn distinct<T: Clone + PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    by_key(items, T::clone).into_iter().map(|(item, _)| item).collect()
}

/// What tables call agents, and the legend.
#[derive(Clone, Debug)]
#[must_use]
pub struct AgentNames {
    /// Each agent's label, its name in tables, and its whole text.
    agents: Vec<(String, String, String)>,
}

impl AgentNames {
    /// Agents by their labels, with their texts. A label that is too long for a table is shown as a
    /// number with the beginning of the user's name, or with the kind of an agent without such a
    /// name. The legend then has the name with the text.
    pub fn new(agents: impl IntoIterator<Item = (String, String)>) -> AgentNames {
        AgentNames::within(agents, MAX_LETTERS)
    }

    /// [`AgentNames::new`] for a table with room for names of this width.
    pub fn within(agents: impl IntoIterator<Item = (String, String)>, letters: usize) -> AgentNames {
        let short = |(number, (label, text)): (usize, (String, String))| {
            let kind = text.split(':').next().unwrap_or_default();
            let is_short = |name: &str| columns(name) <= letters;
            let number = format!("[{number}] ");
            let numbered = |name: &str| number.clone() + &cut(name, letters.saturating_sub(columns(&number)));
            let is_named = label != text && !label.starts_with(&format!("{text} #"));
            match () {
                () if is_short(&label) => (label.clone(), label, text),
                () if is_named => {
                    let (shown, text) = (numbered(&label), format!("{label}={text}"));
                    (label, shown, text)
                }
                () if is_short(kind) => (label, number.clone() + kind, text),
                () => (label, numbered(kind), text),
            }
        };
        AgentNames { agents: (1..).zip(agents).map(short).collect() }
    }

    /// The agents with these names, each once.
    pub fn of<'a>(agents: impl IntoIterator<Item = &'a String>) -> AgentNames {
        let found = distinct(agents.into_iter());
        AgentNames::new(found.iter().map(|agent| match unique_name(agent, &found) {
            name if name == *agent => (name.to_owned(), name.to_owned()),
            label => (label.to_owned(), without_label(agent).to_owned()),
        }))
    }

    /// What tables call the agents of the seats.
    pub fn seat_names(&self, names: &[String]) -> Vec<String> {
        let is_known = |name: &String| self.agents.iter().any(|(own, ..)| own == name);
        let shown = |name: &String| self.shown(if is_known(name) { name } else { label_of(name) }).to_owned();
        names.iter().map(shown).collect()
    }

    /// The agents of a run: those of the seats, or those that change seats, such as `greedy, random
    /// (1-v-rest)`.
    pub fn players(&self, names: &[String], seatings: Seatings) -> String {
        let shown = self.seat_names(names);
        match seatings {
            Seatings::Fixed => agents(&shown),
            _ => format!("{} ({})", shown.join(", "), seatings.name()),
        }
    }

    /// What tables call a group of players or hands, such as `agent greedy`.
    pub fn group(&self, group: &str) -> String {
        match group.strip_prefix("agent ") {
            Some(label) => format!("agent {}", self.shown(label)),
            None => group.to_owned(),
        }
    }

    /// What tables call the agent with this label.
    pub fn shown<'a>(&'a self, label: &'a str) -> &'a str {
        self.agents.iter().find(|(own, ..)| own == label).map_or(label, |(_, shown, _)| shown)
    }

    /// The agents as tables call them.
    pub fn all(&self) -> String {
        self.agents.iter().map(|(_, shown, _)| shown.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The agents whose name in tables is not their whole text, with that text.
    fn others(&self) -> Vec<(&str, &str)> {
        // Equal agents have a number.
        let is_other =
            |(shown, text): &(&str, &str)| shown != text && !shown.starts_with(&format!("{text} #"));
        self.agents.iter().map(|(_, shown, text)| (shown.as_str(), text.as_str())).filter(is_other).collect()
    }

    /// Facts with the whole text of each agent whose name in tables differs from it. `what` says what the
    /// names are of: agents or variants.
    pub fn facts(&self, what: &str) -> Vec<Fact> {
        let fact = |(shown, text): (&str, &str)| Fact::code(format!("{what} {shown}"), text);
        self.others().into_iter().map(fact).collect()
    }

    /// The whole text of each agent whose name in tables differs from it, beside that name. If a line
    /// would have more than `most` columns, the texts are on lines of their own. They are never broken,
    /// because users copy them.
    pub fn legend(&self, most: usize) -> String {
        let others = self.others();
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(columns).max().unwrap_or(0);
        let names = widest(&mut others.iter().map(|(shown, _)| *shown));
        let texts = widest(&mut others.iter().map(|(_, text)| *text));
        let is_beside = 2 + names + 2 + texts <= most;
        let entry = |(shown, text): &(&str, &str)| {
            if is_beside {
                format!("  {}  {text}\n", left(shown, names))
            } else {
                format!("  {shown}\n    {text}\n")
            }
        };
        others.iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_have_their_seats() {
        let shown = |names: &str| agents(&names.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(shown("greedy greedy greedy"), "greedy");
        assert_eq!(shown("a b a c"), "a (seats 0, 2), b (seat 1), c (seat 3)");
    }

    #[test]
    fn long_agents_have_a_number_and_a_legend() {
        let long = "mjai:command=\"./a-very-long-command with words\"";
        let agents = [("greedy", "greedy"), ("greedy #2", "greedy"), ("mine", long), (long, long)];
        let names = AgentNames::new(agents.map(|(label, text)| (label.to_owned(), text.to_owned())));
        assert_eq!(names.all(), "greedy, greedy #2, mine, [4] mjai");
        assert_eq!([names.shown(long), names.shown("other")], ["[4] mjai", "other"]);
        assert_eq!(names.legend(80), format!("  mine      {long}\n  [4] mjai  {long}\n"));
    }

    /// A number alone would not say what plays.
    #[test]
    fn long_kinds_are_cut() {
        let named = |agent: &str| (agent.to_owned(), agent.to_owned());
        let names = AgentNames::within(["heuristic", "greedy"].map(named), 8);
        assert_eq!(names.all(), "[1] heu…, greedy");
        assert_eq!(names.legend(80), "  [1] heu…  heuristic\n");
        assert_eq!(names.legend(20), "  [1] heu…\n    heuristic\n");
        let wide = ("雀士一号二号".to_owned(), "greedy".to_owned());
        let names = AgentNames::within([wide], 10);
        assert_eq!(names.legend(80), "  [1] 雀士…  雀士一号二号=greedy\n");
    }

    #[test]
    fn long_names_of_the_user_stay() {
        let name = "the-bot-that-I-trained-in-October";
        let agents = [format!("{name}=greedy:calls=off"), "random".to_owned()];
        let names = AgentNames::of(&agents);
        assert_eq!(names.all(), "[1] the-bot-that-I-trai…, random");
        assert_eq!(names.group(&format!("agent {name}")), "agent [1] the-bot-that-I-trai…");
        assert_eq!(names.legend(80), format!("  [1] the-bot-that-I-trai…  {name}=greedy:calls=off\n"));
    }

    #[test]
    fn runs_name_each_agent_once() {
        let agents = ["mine=greedy:calls=off", "random", "mine=greedy:calls=off"].map(str::to_owned);
        let names = AgentNames::of(&agents);
        assert_eq!(names.players(&agents, Seatings::Fixed), "mine (seats 0, 2), random (seat 1)");
        assert_eq!(names.players(&agents[..2], Seatings::OneVersusRest), "mine, random (1-v-rest)");
        assert_eq!([names.group("agent mine"), names.group("seat 0")], ["agent mine", "seat 0"]);
        assert_eq!(names.legend(80), "  mine  greedy:calls=off\n");
        let agents = ["a=random", "a=greedy", "b=greedy"].map(str::to_owned);
        let names = AgentNames::of(&agents);
        assert_eq!(names.seat_names(&agents), ["a=random", "a=greedy", "b"]);
        assert_eq!(names.legend(80), "  b  greedy\n");
    }
}
