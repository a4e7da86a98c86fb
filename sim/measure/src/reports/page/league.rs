//! The report of a league.

use jantaku_agents::argument;
use jantaku_pages::report::{Cell, Column, Fact, Interval, Report, Table};
use jantaku_show::numbers::{decimal, many, signed, speed, thousands};

use super::origin::{Origin, rules_facts};
use super::{RATINGS, Reported, data};
use crate::arena::{AgentPair, LeagueFit, LeagueReport, RatedAgent};
use crate::reports::faults::fault_lines;
use crate::reports::names::AgentNames;
use jantaku_sim::play::{By, SharedCount};

/// The most agents whose pairs are shown as tables.
const MAX_IN_PAIRS: usize = 40;

impl Reported for LeagueReport {
    fn report(&self, _: &[By]) -> Report {
        let names = &AgentNames::new(self.agents.iter().map(|one| (one.agent.clone(), one.text.clone())));
        let mut sections = vec![self.ratings(names).into()];
        let mut notes = vec![format!(
            "Ratings are on the Elo scale, relative to {}. Intervals have 95 % confidence, over sets of games \
             on the same walls.",
            names.shown(&self.anchor)
        )];
        if self.agents.len() <= MAX_IN_PAIRS {
            let share = |pair: &AgentPair| (pair.games > 0).then(|| pair.ahead.0 / pair.games as f64);
            let ahead =
                format!("Share of games in which the row's agent finished ahead, of {}", self.pair_games());
            sections.push(self.pairs(names, "LOS, row over column", |pair| los(pair.los)).into());
            sections.push(self.pairs(names, &ahead, |pair| Cell::percent(share(pair))).into());
        } else {
            notes.push(format!(
                "Tables of pairs are left out for more than {MAX_IN_PAIRS} agents: the result as JSON has them."
            ));
        }
        notes.extend(fault_lines(&self.faults, names));
        Report {
            title: format!("League of {}", many(self.agents.len() as u64, "agent")),
            findings: self.fit.iter().map(|fit| format!("Goodness of fit: {}.", fit.sentence())).collect(),
            facts: self.facts(names),
            notes,
            sections,
            ..Report::default()
        }
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let mut report = Report { data: data(self), ..self.report(&[]) };
        report.facts.extend(origin.facts());
        report.fit("pairs", "the result as JSON has all.", |_| false);
        report
    }
}

impl LeagueFit {
    /// The figures of the goodness of fit.
    pub fn sentence(&self) -> String {
        let p =
            if self.p_value < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {:.4}", self.p_value) };
        format!("{p}, excess RMS {:.2} percentage points", 100.0 * self.excess_rms)
    }
}

impl LeagueReport {
    fn facts(&self, names: &AgentNames) -> Vec<Fact> {
        let mut facts = names.facts("agent");
        facts.extend(rules_facts(&self.rules, Some(&self.rules_hash), Some(&self.rules_toml)));
        facts.push(Fact::new("seed", self.seed.to_string()));
        let (tables, sets) = (many(self.tables as u64, "table"), many(self.sets, "set"));
        let seatings = self.seatings.name();
        facts.push(Fact::new(
            "games",
            format!("{tables} of {sets} ({seatings}), {}", many(self.games, "game")),
        ));
        if !self.complete {
            let (games, all) = (thousands(self.games), thousands(self.games_asked));
            let end = match self.out {
                Some(_) => format!("are kept; {} plays the rest", argument("resume", "")),
                None => "were played".to_owned(),
            };
            facts.push(Fact::new("interrupted", format!("{games} of {all} games {end}")));
        }
        if self.played > 0 {
            let LeagueReport { played, seconds, threads, .. } = *self;
            let (threads, speed) = (many(threads as u64, "thread"), speed(played, seconds, "game"));
            let text = format!("{} in {seconds:.1} s on {threads}: {speed}", many(played, "game"));
            facts.push(Fact::new("speed", text));
        } else if self.complete {
            facts.push(Fact::new("speed", "nothing was left to play"));
        }
        facts.extend(self.out.as_ref().map(|out| Fact::new("folder", out)));
        facts
    }

    fn ratings(&self, names: &AgentNames) -> Table {
        let places = self.agents.first().map_or(0, |agent| agent.placements.len().min(4));
        let anchor = self.agents.iter().find(|one| one.agent == self.anchor).and_then(|one| one.rating);
        let columns = ["agent".into(), Column::with_picture("Elo", anchor), "games".into(), "place".into()];
        let places = ["1st", "2nd", "3rd", "4th"][..places].iter().map(|place| Column::new(*place));
        let row = |(number, agent): (usize, &RatedAgent)| {
            let share = |count: &SharedCount| (agent.games > 0).then(|| count.0 / agent.games as f64);
            let shares = agent.placements.iter().map(move |count| Cell::percent(share(count)));
            let (games, place) = (Cell::count(agent.games), Cell::number(agent.placement, 3));
            let cells = [label(number, agent, names), self.rating(agent).into(), games, place];
            cells.into_iter().chain(shares).collect::<Vec<Cell>>()
        };
        Table::new(RATINGS, columns.into_iter().chain(places)).rows((1..).zip(&self.agents).map(row))
    }

    /// A rating with its interval or bound.
    fn rating(&self, agent: &RatedAgent) -> Interval {
        let RatedAgent { rating, low, high, .. } = *agent;
        let interval = Interval::open(rating, low, high).signed();
        match rating {
            Some(value) if agent.agent == self.anchor => {
                interval.shown_as(format!("{} (anchor)", signed(value, 1)))
            }
            _ => interval,
        }
    }

    /// A table with a row and a column for each agent.
    fn pairs(&self, names: &AgentNames, heading: &str, cell: impl Fn(&AgentPair) -> Cell) -> Table {
        let row = |(number, agent): (usize, &RatedAgent)| {
            let find = |other: &RatedAgent| {
                self.pairs.iter().find(|pair| pair.agent == agent.agent && pair.other == other.agent)
            };
            let cells = self.agents.iter().map(|other| find(other).map_or(Cell::Empty, &cell));
            std::iter::once(label(number, agent, names)).chain(cells).collect::<Vec<Cell>>()
        };
        let numbers = (1..=self.agents.len()).map(|number: usize| number.to_string());
        let columns = std::iter::once("agent".to_owned()).chain(numbers);
        Table::new(heading, columns).rows((1..).zip(&self.agents).map(row))
    }

    /// How many games two agents have played against each other.
    fn pair_games(&self) -> String {
        let counts = || self.pairs.iter().map(|pair| pair.games);
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        let most_games = many(most, "game");
        if least == most { most_games } else { format!("{} to {most_games}", thousands(least)) }
    }
}

fn label(number: usize, agent: &RatedAgent, names: &AgentNames) -> Cell {
    Cell::Name(format!("{number} {}", names.shown(&agent.agent)))
}

/// A likelihood in percent that never looks certain.
fn los(likelihood: Option<f64>) -> Cell {
    let Some(exact) = likelihood else { return Cell::none() };
    let shown = match 100.0 * exact {
        percent if percent < 0.05 => "< 0.1 %".to_owned(),
        percent if percent >= 99.95 => "> 99.9 %".to_owned(),
        percent => format!("{} %", decimal(percent, 1)),
    };
    Cell::Number(shown, exact)
}
