//! Asks agents for one decision, with their reasons.

use jantaku_agents::{
    Agent, Candidate, Estimate, Heuristic, NamedAgent, News, Policy as _, Reply, Request, Setup, TableId,
    Thoughts, Update, Verdict, WinMode,
};
use jantaku_engine::{Action, Event, Observation, Rng};
use serde_json::{Value, json};

use crate::print;

/// A decision, and what agents may know of it.
pub(crate) struct Decision<'a> {
    pub observation: Observation<'a>,
    /// The events of the game, or of a position's hand, with all tiles.
    pub events: &'a [Event],
    /// The seed of the game.
    pub seed: u64,
    /// The number of the hand, from 1.
    pub hand: u32,
}

/// Agents that are asked for single decisions.
pub(crate) struct Asker {
    agents: Vec<NamedAgent>,
}

/// The table at which agents are asked. Each decision starts them anew.
const TABLE: TableId = TableId(0);

/// An agent's choice and its reasons.
pub(crate) struct Answer {
    agent: String,
    action: Action,
    thoughts: Option<Box<Thoughts>>,
    /// The best candidate of each action, best first. None for agents without candidates.
    candidates: Option<Vec<Candidate>>,
    /// What the agent makes of actions that it decides before it compares candidates.
    verdicts: Vec<Verdict>,
}

impl Asker {
    pub(crate) const fn new(agents: Vec<NamedAgent>) -> Asker {
        Asker { agents }
    }

    /// Asks every agent.
    pub(crate) fn ask(&self, decision: &Decision<'_>) -> anyhow::Result<Vec<Answer>> {
        self.agents.iter().map(|agent| ask(agent, decision)).collect()
    }
}

fn ask(agent: &NamedAgent, decision: &Decision<'_>) -> anyhow::Result<Answer> {
    let Decision { observation: o, seed, hand, .. } = *decision;
    let rng = |salt| Rng::of_decision(seed, hand, o.seat(), o.decision_count(), salt);
    let reply = match agent.policy() {
        Some(policy) => policy.reply(&o, &mut rng(policy.salt())),
        None => {
            let mut started = agent.start(&Setup { thoughts: true, ..Setup::default() })?;
            let rng = rng(started.salt());
            reply_of(&mut *started, decision, rng)?
        }
    };
    if !o.legal().contains(reply.action.id()) {
        anyhow::bail!("agent `{}` chose {}, which is not legal", agent.name(), o.describe(reply.action));
    }
    let heuristic = agent.downcast::<Heuristic>();
    Ok(Answer {
        agent: agent.name().to_owned(),
        action: reply.action,
        thoughts: reply.thoughts,
        candidates: heuristic.map(|heuristic| best_of(heuristic.explain(&o))),
        verdicts: heuristic.map(|heuristic| heuristic.verdicts(&o)).unwrap_or_default(),
    })
}

/// The answer of a started agent, which first hears what has happened.
fn reply_of(agent: &mut dyn Agent, decision: &Decision<'_>, rng: Rng) -> anyhow::Result<Reply> {
    let (table, observation) = (TABLE, decision.observation);
    let seat = observation.seat();
    if agent.wants_updates() {
        let news = News::GameStart { rules: observation.rules() };
        agent.update(Update { table, seat, news })?;
        for event in decision.events {
            let seen = event.seen_by(seat);
            agent.update(Update { table, seat, news: News::Event(&seen) })?;
        }
    }
    let mut requests = [Request { table, observation, rng }];
    let mut replies = Vec::new();
    agent.begin(&requests)?;
    agent.decide(&mut requests, &mut replies)?;
    replies.pop().ok_or_else(|| anyhow::anyhow!("the agent gave no answer"))
}

/// The best candidate of each action, best first.
fn best_of(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
    let mut best: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if best.iter().all(|other| other.action != candidate.action) {
            best.push(candidate);
        }
    }
    best
}

/// Below this, a worth means that the hand cannot win.
const NO_WORTH: f32 = -1e9;

/// The name of a mode in tables and JSON.
fn mode_name(mode: WinMode) -> String {
    format!("{mode:?}").to_lowercase()
}

impl Answer {
    /// The choice and its reasons as text.
    pub(crate) fn text(&self, o: &Observation<'_>) -> String {
        let mut text = format!("{}: {}\n", self.agent, o.describe(self.action));
        if let Some(thoughts) = &self.thoughts {
            text += &thoughts_text(thoughts, o);
        }
        match &self.candidates {
            Some(candidates) if candidates.is_empty() => {
                text += "  It compares no candidates for this decision.\n";
            }
            Some(candidates) => text += &table(candidates, o),
            None => {}
        }
        for Verdict { action, taken, why } in &self.verdicts {
            let answer = if *taken { "yes" } else { "no" };
            text += &format!("  {}: {answer}, {why}\n", o.describe(*action));
        }
        text
    }

    /// The choice and its reasons as JSON.
    pub(crate) fn as_json(&self, o: &Observation<'_>) -> Value {
        let thoughts = self.thoughts.as_deref().cloned().unwrap_or_default();
        let by_action = |entries: Vec<Value>| -> Value {
            let names = o.legal().iter().map(|id| o.describe(id.action()));
            let entries =
                names.zip(entries).map(|(action, value)| json!({ "action": action, "value": value }));
            entries.collect()
        };
        let estimates = |estimates: Vec<Option<Estimate>>| -> Value {
            let entries = o.legal().iter().zip(estimates).map(|(id, estimate)| {
                json!({
                    "action": o.describe(id.action()),
                    "value": estimate.map(|estimate| estimate.mean),
                    "standard_error": estimate.and_then(|estimate| estimate.standard_error),
                })
            });
            entries.collect()
        };
        json!({
            "agent": self.agent,
            "action": o.describe(self.action),
            "value": thoughts.value,
            "probability": thoughts.probability,
            "policy": thoughts.policy.map(|policy| by_action(policy.into_iter().map(Value::from).collect())),
            "action_values": thoughts.action_values.map(estimates),
            "candidates": self.candidates.as_ref().map(|candidates| {
                candidates.iter().map(|candidate| candidate_json(candidate, o)).collect::<Vec<_>>()
            }),
            "verdicts": self.verdicts.iter().map(|Verdict { action, taken, why }| {
                json!({ "action": o.describe(*action), "taken": taken, "why": why })
            }).collect::<Vec<_>>(),
        })
    }
}

fn candidate_json(candidate: &Candidate, o: &Observation<'_>) -> Value {
    let Candidate { action, value: worth, risk, win, points, mode, shanten, ukeire } = *candidate;
    json!({
        "action": o.describe(action),
        "worth": (worth > NO_WORTH).then_some(worth),
        "risk": risk,
        "win": win,
        "points": points,
        "shanten": shanten,
        "ukeire": ukeire,
        "mode": mode_name(mode),
    })
}

fn table(candidates: &[Candidate], o: &Observation<'_>) -> String {
    let heads = ["action", "worth", "risk", "win", "points", "shanten", "ukeire", "mode"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for candidate in candidates {
        let Candidate { action, value: worth, risk, win, points, mode, shanten, ukeire } = *candidate;
        rows.push(vec![
            o.describe(action),
            if worth > NO_WORTH { print::signed(worth.into(), 0) } else { "–".to_owned() },
            print::decimal(risk.into(), 0),
            format!("{} %", print::decimal(f64::from(win) * 100.0, 1)),
            print::decimal(points.into(), 0),
            shanten.to_string(),
            print::decimal(ukeire.into(), 0),
            mode_name(mode),
        ]);
    }
    print::table(&rows)
}

/// How many actions a list of probabilities or values shows.
const SHOWN: usize = 8;

/// A value with its standard error: whole points, or three decimals of a smaller unit.
fn estimate_text(estimate: &Estimate) -> String {
    let decimals = if estimate.mean.abs() < 100.0 && estimate.standard_error.is_none_or(|error| error < 10.0)
    {
        3
    } else {
        0
    };
    let mean = print::signed(estimate.mean.into(), decimals);
    match estimate.standard_error {
        Some(error) => format!("{mean} ± {}", print::decimal(error.into(), decimals)),
        None => mean,
    }
}

/// The actions with the largest probabilities, largest first, with those as text.
fn probabilities(thoughts: &Thoughts, o: &Observation<'_>) -> Vec<(String, String)> {
    let policy = thoughts.policy.as_deref().unwrap_or_default();
    let mut rows: Vec<_> = o.legal().iter().zip(policy).collect();
    rows.sort_by(|a, b| b.1.total_cmp(a.1));
    let shown = rows.into_iter().take(SHOWN);
    shown
        .map(|(id, probability)| {
            let percent = print::decimal(f64::from(*probability) * 100.0, 1);
            (o.describe(id.action()), format!("{percent} %"))
        })
        .collect()
}

/// The actions with the largest values, largest first, with those as text.
fn values(thoughts: &Thoughts, o: &Observation<'_>) -> Vec<(String, String)> {
    let estimates = thoughts.action_values.as_deref().unwrap_or_default();
    let known = o.legal().iter().zip(estimates).filter_map(|(id, estimate)| Some((id, (*estimate)?)));
    let mut rows: Vec<_> = known.collect();
    rows.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    let shown = rows.into_iter().take(SHOWN);
    shown.map(|(id, estimate)| (o.describe(id.action()), estimate_text(&estimate))).collect()
}

fn thoughts_text(thoughts: &Thoughts, o: &Observation<'_>) -> String {
    let mut text = String::new();
    if let Some(value) = thoughts.value {
        text += &format!("  value {value}\n");
    }
    for (action, probability) in probabilities(thoughts, o) {
        text += &format!("  {probability:>8}  {action}\n");
    }
    for (action, value) in values(thoughts, o) {
        text += &format!("  {value:>16}  {action}\n");
    }
    text
}

/// Thoughts in one line: the value, the largest probabilities, the largest values of actions.
pub(crate) fn thoughts_line(thoughts: &Thoughts, o: &Observation<'_>) -> String {
    let value = thoughts.value.map(|mean| {
        let estimate = Estimate { mean, standard_error: None };
        format!("value {}", estimate_text(&estimate))
    });
    let lists = [probabilities(thoughts, o), values(thoughts, o)].map(|rows| {
        let shown: Vec<String> = rows.into_iter().map(|(action, text)| format!("{action} {text}")).collect();
        shown.join(", ")
    });
    let parts: Vec<String> = value.into_iter().chain(lists).filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}
