//! Why an agent chose its action, in a few words.

use jantaku_agents::{Catalog, Heuristic, MonteCarlo, NamedAgent, Reply, Verdict};
use jantaku_engine::{Action, Observation, Phase};

use super::reasons::{CandidateReasons, percent};

/// The reason of this agent for its reply.
pub(super) fn of(
    agent: &NamedAgent,
    reply: &Reply,
    o: &Observation<'_>,
    candidates: &[CandidateReasons],
    verdicts: &[Verdict],
) -> String {
    if !o.legal().is_choice() {
        "it is the only legal action".to_owned()
    } else if let Some(heuristic) = agent.downcast::<Heuristic>() {
        of_heuristic(heuristic, reply.action, o, candidates, verdicts)
    } else if agent.downcast::<MonteCarlo>().is_some() {
        of_search(reply, o)
    } else {
        of_policy(reply, o).unwrap_or_else(|| of_rule(agent))
    }
}

fn of_heuristic(
    agent: &Heuristic,
    action: Action,
    o: &Observation<'_>,
    candidates: &[CandidateReasons],
    verdicts: &[Verdict],
) -> String {
    let verdict = verdicts.iter().find(|verdict| verdict.taken && verdict.action == action);
    match (action, o.phase(), verdict) {
        (Action::Tsumo | Action::Ron, ..) => "it wins whenever it can".to_owned(),
        (.., Some(verdict)) => format!("decided before it compares actions: {}", verdict.why),
        (Action::EndGame, ..) => "it ends the game when it is in first place".to_owned(),
        (_, Phase::End, _) => "it ends the game only when it is in first place".to_owned(),
        (Action::Pass, Phase::Claim, _) if !agent.calls => "it makes no calls with `calls=off`".to_owned(),
        _ if candidates.len() < 2 => "it compares no other action here".to_owned(),
        _ => format!("it has the highest value of {} actions", candidates.len()),
    }
}

fn of_search(reply: &Reply, o: &Observation<'_>) -> String {
    let values = reply.search_info.as_ref().and_then(|info| info.action_values.as_ref());
    let Some(values) = values else {
        return "the prior has no other candidate within `margin`, so nothing was searched".to_owned();
    };
    let mean = |at: usize| values.get(at).copied().flatten().map(|estimate| estimate.mean);
    let of_choice = o.legal().iter().position(|id| id == reply.action.id()).and_then(mean);
    let searched = values.iter().flatten().count();
    let best = values.iter().flatten().map(|estimate| estimate.mean).max_by(f32::total_cmp);
    if of_choice == best {
        format!("it has the highest value of {searched} candidates in the rollouts")
    } else {
        format!("the prior prefers it, and the rollouts of {searched} candidates do not clearly disagree")
    }
}

/// The reason of a policy with probabilities.
fn of_policy(reply: &Reply, o: &Observation<'_>) -> Option<String> {
    let policy = reply.search_info.as_ref()?.policy.as_ref()?;
    let at = o.legal().iter().position(|id| id == reply.action.id())?;
    let own = *policy.get(at)?;
    let is_highest = policy.iter().all(|other| *other <= own);
    let how = if is_highest { "it has the highest probability," } else { "it was drawn with probability" };
    Some(format!("{how} {}", percent(own)))
}

/// What an agent without values and probabilities does in every decision.
fn of_rule(agent: &NamedAgent) -> String {
    let catalog = Catalog::standard();
    let kind = agent.name().split(':').next().unwrap_or_default();
    match catalog.entries().iter().find(|entry| entry.name == kind) {
        Some(entry) if kind != "mjai" => format!("its rule: {}", entry.about),
        _ => "it reports no reason".to_owned(),
    }
}
