//! The groups of players and of hands that have figures of their own.
//!
//! # Why
//!
//! **Why are dealers and round winds not counted while a game is played?** The dealer is the player
//! with the wind East, and a round wind is the sum of its rounds. So only seats, winds, agents and
//! rounds are counted, and the other groups are sums of these at the end of a game.

use std::ops::Range;

use jantaku_agents::label_of;
use jantaku_engine::rules::options::Extension;
use jantaku_engine::{Players, Rules, Seat, Wind, named_enum};

named_enum! {
    /// How players or hands are divided into groups.
    By {
        /// Not divided.
        All = "all",
        /// Players by seat; seat 0 is the first dealer.
        Seat = "seat",
        /// Players by their wind in the hand.
        Wind = "wind",
        /// Players into dealers and others.
        Dealer = "dealer",
        /// Players by agent.
        Agent = "agent",
        /// Hands by round wind.
        RoundWind = "round-wind",
        /// Hands by round, such as East 1.
        Round = "round",
    }
}

impl By {
    /// All divisions into several groups.
    pub const DIVISIONS: [By; 6] = [By::Seat, By::Wind, By::Dealer, By::Agent, By::RoundWind, By::Round];

    /// The division that a group belongs to, by its name in [`Groups::names`].
    pub fn of_group(name: &str) -> By {
        match name.split(' ').next() {
            Some("dealer" | "non-dealer") => By::Dealer,
            first => first.and_then(By::named).unwrap_or(By::All),
        }
    }
}

/// The groups that have figures of their own. Players: all, each seat, each wind, dealers and
/// others, each agent. Hands: all, each round wind, each round.
///
/// All players and all hands are one group, `all`. It comes first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups {
    agents: Vec<String>,
}

/// The group of each agent, or of the agent in each seat; none if the player is not an agent.
pub type AgentGroups = [Option<usize>; 4];

impl Groups {
    /// The groups of every table, and these agents, by their labels. Equal agents are one group. If
    /// different agents have the same label, as those of several runs may, their groups have the whole
    /// texts.
    pub fn new(agents: impl IntoIterator<Item: AsRef<str>>) -> Groups {
        let agents: Vec<_> = agents.into_iter().collect();
        let mut found: Vec<String> = Vec::new();
        for agent in &agents {
            let name = unique_name(agent.as_ref(), &agents);
            if found.iter().all(|known| known != name) {
                found.push(name.to_owned());
            }
        }
        Groups { agents: found }
    }

    /// The names in order: `all`, `seat 0`, …, `wind East`, …, `dealer`, `non-dealer`,
    /// `agent greedy`, …, `round-wind East`, …, `round East 1`, ….
    pub fn names(&self) -> Vec<String> {
        let seats = (0..4).map(|seat| format!("seat {seat}"));
        let winds = Wind::ALL.iter().map(|wind| format!("wind {wind}"));
        let dealers = ["dealer", "non-dealer"].map(str::to_owned);
        let agents = self.agents.iter().map(|agent| format!("agent {agent}"));
        let round_winds = Wind::ALL.iter().map(|wind| format!("round-wind {wind}"));
        let rounds =
            Wind::ALL.iter().flat_map(|wind| (1..=4).map(move |round| format!("round {wind} {round}")));
        let of_players = std::iter::once("all".to_owned()).chain(seats).chain(winds).chain(dealers);
        of_players.chain(agents).chain(round_winds).chain(rounds).collect()
    }

    /// The division that a group belongs to, by its index in [`Groups::names`].
    pub fn by(&self, index: usize) -> By {
        const FIRST_WIND: usize = wind_group(Wind::East);
        match index {
            ALL_GROUP => By::All,
            1..FIRST_WIND => By::Seat,
            FIRST_WIND..DEALER_GROUP => By::Wind,
            DEALER_GROUP..FIRST_AGENT_GROUP => By::Dealer,
            index if index < self.player_groups() => By::Agent,
            index if index < self.player_groups() + Wind::ALL.len() => By::RoundWind,
            _ => By::Round,
        }
    }

    /// Whether games under these rules can have a group, by its index in [`Groups::names`].
    pub fn are_in_games(&self, index: usize, rules: &Rules) -> bool {
        let players = usize::from(rules.players.count());
        let winds = Wind::ALL.len();
        match self.by(index) {
            By::All | By::Dealer | By::Agent => true,
            By::Seat => index - seat_group(Seat::FIRST) < players,
            By::Wind => index - wind_group(Wind::East) < players,
            By::RoundWind => index - self.player_groups() < rounds_of_winds(rules),
            By::Round => {
                let round = index - self.player_groups() - winds;
                let last = if rules.wind_rounds == 0 { 1 } else { players };
                round / winds < rounds_of_winds(rules) && round % winds < last
            }
        }
    }

    /// Whether one agent plays all seats, so that its group has the figures of all players.
    pub fn has_one_agent(&self) -> bool {
        self.agents.len() == 1
    }

    /// The group of each of these agents; none for names that are not agents of these groups.
    pub fn agent_groups(&self, agents: impl IntoIterator<Item: AsRef<str>>) -> AgentGroups {
        let index = |agent: &str| self.agents.iter().position(|own| own == agent);
        let mut groups = AgentGroups::default();
        for (group, agent) in groups.iter_mut().zip(agents) {
            let agent = agent.as_ref();
            let found = index(agent).or_else(|| index(label_of(agent)));
            *group = found.map(|index| FIRST_AGENT_GROUP + index);
        }
        groups
    }

    /// The number of groups of players. Their names come first.
    pub const fn player_groups(&self) -> usize {
        FIRST_AGENT_GROUP + self.agents.len()
    }

    /// The index in [`Groups::names`] of a group of hands.
    pub const fn name_of_hands(&self, group: usize) -> usize {
        if group == ALL_GROUP { ALL_GROUP } else { self.player_groups() + group - 1 }
    }
}

/// The label of one of these agents, or its whole text if another one has the same label.
pub fn unique_name<'a>(agent: &'a str, agents: &[impl AsRef<str>]) -> &'a str {
    let label = label_of(agent);
    let shares_label = |other: &str| other != agent && label_of(other) == label;
    if agents.iter().any(|other| shares_label(other.as_ref())) { agent } else { label }
}

/// The maximum number of wind rounds in a game. A game of a single hand counts as one.
fn rounds_of_winds(rules: &Rules) -> usize {
    let more = match rules.extension {
        Extension::None => 0,
        _ => rules.extension_rounds.0.map_or(Wind::ALL.len(), |rounds| rounds as usize),
    };
    usize::from(rules.wind_rounds.max(1)) + more
}

// Groups of players: 0 all, 1–4 seats, 5–8 winds, 9 dealers, 10 other players, from 11 on agents.
// Groups of hands: 0 all, 1–4 round winds, then the four rounds of each wind.

/// The groups of all players and of all hands.
pub const ALL_GROUP: usize = 0;
/// The group of dealers, after those of seats and winds. The group of the other players is next.
const DEALER_GROUP: usize = wind_group(Wind::North) + 1;
/// The group of the first agent.
const FIRST_AGENT_GROUP: usize = DEALER_GROUP + 2;
/// The number of groups of hands: all, four round winds, four rounds of each.
pub const HAND_GROUPS: usize = 1 + 4 + 16;

/// The group of a seat.
pub const fn seat_group(seat: Seat) -> usize {
    1 + seat.index()
}

/// The group of the seats with this wind.
pub(crate) const fn wind_group(wind: Wind) -> usize {
    5 + wind as usize
}

/// The group of the hands of a round, counted by dealers: 0 is East 1. A fifth wind counts as East again.
pub(crate) fn round_group(round: u16, players: Players) -> usize {
    let players = u16::from(players.count());
    let wind = Wind::of_round(u32::from(round / players));
    5 + 4 * wind as usize + usize::from(round % players)
}

/// The groups of players that make up a group; the group itself if it is counted directly.
pub const fn player_parts(group: usize) -> Range<usize> {
    const FIRST_WIND: usize = wind_group(Wind::East);
    match group {
        ALL_GROUP => 1..FIRST_WIND,
        DEALER_GROUP => FIRST_WIND..FIRST_WIND + 1,
        group if group == DEALER_GROUP + 1 => FIRST_WIND + 1..DEALER_GROUP,
        group => group..group + 1,
    }
}

/// The groups of hands that make up a group; the group itself if it is counted directly.
pub(crate) const fn hand_parts(group: usize) -> Range<usize> {
    match group {
        ALL_GROUP => 5..HAND_GROUPS,
        1..5 => 1 + 4 * group..5 + 4 * group,
        group => group..group + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_names_match_group_indexes() {
        let agents = ["a", "b", "a", "b"].map(str::to_owned);
        let groups = Groups::new(&agents);
        let names = groups.names();
        let seat = Seat::new(3).expect("a seat");
        let agent = groups.agent_groups(&agents)[seat.index()].expect("an agent");
        let of_seat = [
            (ALL_GROUP, "all", By::All),
            (seat_group(seat), "seat 3", By::Seat),
            (wind_group(Wind::West), "wind West", By::Wind),
            (DEALER_GROUP, "dealer", By::Dealer),
            (DEALER_GROUP + 1, "non-dealer", By::Dealer),
            (agent, "agent b", By::Agent),
            (groups.name_of_hands(2), "round-wind South", By::RoundWind),
            (groups.name_of_hands(round_group(5, Players::Four)), "round South 2", By::Round),
            (groups.name_of_hands(round_group(5, Players::Three)), "round South 3", By::Round),
            (groups.name_of_hands(round_group(16, Players::Four)), "round East 1", By::Round),
        ];
        for (group, name, by) in of_seat {
            assert_eq!((names[group].as_str(), groups.by(group)), (name, by));
        }
        assert_eq!(names.len(), groups.name_of_hands(HAND_GROUPS));
    }

    #[test]
    fn agents_of_one_name_have_groups_of_their_own() {
        let agents = ["a=random", "b=greedy", "a=greedy", "a=random"];
        let groups = Groups::new(agents);
        let names = groups.names();
        let found = groups.agent_groups(agents).map(|group| names[group.expect("an agent")].clone());
        assert_eq!(found, ["agent a=random", "agent b", "agent a=greedy", "agent a=random"]);
        // An agent without a name of its own has its text as its label.
        let groups = Groups::new(["greedy", "greedy=random"]);
        let found = groups.agent_groups(["greedy=random", "greedy"]);
        assert!(found[0] > found[1] && found[1].is_some());
    }

    /// A group is made up of the groups with the narrower names.
    #[test]
    fn parts_have_the_names_of_their_group() {
        let groups = Groups::default();
        let names = groups.names();
        let parts = |group| names[player_parts(group)].to_vec();
        assert_eq!(parts(ALL_GROUP), ["seat 0", "seat 1", "seat 2", "seat 3"]);
        assert_eq!(parts(DEALER_GROUP), ["wind East"]);
        assert_eq!(parts(DEALER_GROUP + 1), ["wind South", "wind West", "wind North"]);
        let hands = |group| hand_parts(group).map(|part| names[groups.name_of_hands(part)].clone());
        assert!(hands(2).eq((1..=4).map(|round| format!("round South {round}"))));
        assert_eq!(hands(ALL_GROUP).count(), 16);
    }
}
