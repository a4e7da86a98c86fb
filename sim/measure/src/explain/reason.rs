//! Why an agent chose its action, in a few words.

use jantaku_agents::residual::{Corrected, Residual};
use jantaku_agents::{Candidate, Catalog, Heuristic, MonteCarlo, NamedAgent, Reply, Verdict, without_label};
use jantaku_engine::{Action, Observation, Phase};
use jantaku_show::Sentence;
use serde_json::json;

use super::opinion::NO_VALUE;

/// The reason of this agent for its reply. `corrected` is the comparison of `residual`.
pub(super) fn explain(
    agent: &NamedAgent,
    reply: &Reply,
    o: &Observation<'_>,
    corrected: Option<&Corrected>,
    verdicts: &[Verdict],
) -> Sentence {
    if !o.legal().is_choice() {
        Sentence::new("only-action", ())
    } else if let Some(heuristic) = agent.downcast::<Heuristic>() {
        explain_heuristic(heuristic, reply.action, o, verdicts)
    } else if let Some(residual) = agent.downcast::<Residual>() {
        let of_network = corrected.and_then(|corrected| explain_network(corrected, o));
        of_network.unwrap_or_else(|| explain_base(residual, reply.action, o, verdicts))
    } else if agent.downcast::<MonteCarlo>().is_some() {
        explain_search(reply, o)
    } else {
        explain_policy(reply, o).unwrap_or_else(|| explain_rule(agent))
    }
}

fn explain_heuristic(agent: &Heuristic, action: Action, o: &Observation<'_>, judged: &[Verdict]) -> Sentence {
    let verdict = judged.iter().find(|verdict| verdict.taken && verdict.action == action);
    match (action, o.phase(), verdict) {
        (Action::Tsumo | Action::Ron, ..) => Sentence::new("always-wins", ()),
        (.., Some(verdict)) => Sentence::new("by-rule", json!({ "why": Sentence::new(verdict.why, ()) })),
        (Action::EndGame, ..) => Sentence::new("ends-game", ()),
        (_, Phase::End, _) => Sentence::new("plays-on", ()),
        (Action::Pass, Phase::Claim, _) if !agent.calls => Sentence::new("no-calls", ()),
        _ => explain_estimates(&agent.best_estimates(o), agent.value_unit(o), o),
    }
}

/// The reason of `heuristic` where it compares candidates, which come best first. Their values count in
/// units of `unit` points of the result of the game.
fn explain_estimates(candidates: &[Candidate], unit: f32, o: &Observation<'_>) -> Sentence {
    let [best, next, ..] = candidates else { return Sentence::new("no-other", ()) };
    let actions = candidates.len();
    if best.value <= NO_VALUE {
        return Sentence::new("cannot-win", json!({ "actions": actions }));
    }
    let name = o.describe(next.action);
    let lead = match whole(unit * (best.value - next.value)) {
        _ if next.value <= NO_VALUE => Sentence::new("others-cannot-win", ()),
        0 => Sentence::new("as-much", json!({ "action": name })),
        lead => Sentence::new("more", json!({ "points": lead, "action": name })),
    };
    let (value, risk) = (whole(unit * best.value), whole(unit * best.risk));
    let win = match 100.0 * best.win {
        percent if percent > 0.0 && percent < 0.5 => Sentence::new("under-one-percent", ()),
        percent => Sentence::new("percent", json!({ "n": whole(percent.round_ties_even()) })),
    };
    let key = if risk > 0 { "highest-value-risk" } else { "highest-value" };
    Sentence::new(key, json!({ "actions": actions, "value": value, "lead": lead, "win": win, "risk": risk }))
}

/// Points without decimals.
const fn whole(points: f32) -> i32 {
    points.round() as i32
}

/// The reason of `residual` where its network compares actions. None if `heuristic` decides by rule.
fn explain_network(corrected: &Corrected, o: &Observation<'_>) -> Option<Sentence> {
    let candidates = &corrected.comparison.candidates;
    let (chosen, others) = (corrected.chosen(), 1..candidates.len());
    let gains = others.filter_map(|at| Some((at, corrected.gain(at)?)));
    let (other, gain) = match chosen {
        0 => gains.max_by(|(_, a), (_, b)| a.total_cmp(b))?,
        _ => (0, corrected.gain(chosen)?),
    };
    let key = match chosen {
        0 if gain > 0.0 => "network-least",
        0 => "network-same",
        _ => "network-other",
    };
    let [action, other_action] = [chosen, other].map(|at| o.describe(candidates[at].action));
    let [value, other_value] = [corrected.value(chosen)?, corrected.value(other)?].map(whole);
    let mut values = json!({ "action": action, "value": value, "least": whole(corrected.least) });
    (values["other"], values["other_value"]) = (other_action.into(), other_value.into());
    Some(Sentence::new(key, values))
}

/// The reason of `residual` where it plays like `heuristic`.
fn explain_base(agent: &Residual, action: Action, o: &Observation<'_>, verdicts: &[Verdict]) -> Sentence {
    let (why, players) = (explain_heuristic(agent.base(), action, o, verdicts), o.rules().players);
    let key = if agent.model(players).is_some() { "like-heuristic" } else { "no-network" };
    Sentence::new(key, json!({ "players": players.count(), "why": why }))
}

fn explain_search(reply: &Reply, o: &Observation<'_>) -> Sentence {
    let values = reply.search_info.as_ref().and_then(|info| info.action_values.as_ref());
    let Some(values) = values else { return Sentence::new("nothing-searched", ()) };
    let mean = |at: usize| values.get(at).copied().flatten().map(|estimate| estimate.mean);
    let of_choice = o.legal().iter().position(|id| id == reply.action.id()).and_then(mean);
    let best = values.iter().flatten().map(|estimate| estimate.mean).max_by(f32::total_cmp);
    let key = if of_choice == best { "best-rollouts" } else { "prior" };
    Sentence::new(key, json!({ "candidates": values.iter().flatten().count() }))
}

/// The reason of a policy that reported probabilities. None without them.
fn explain_policy(reply: &Reply, o: &Observation<'_>) -> Option<Sentence> {
    let policy = reply.search_info.as_ref()?.policy.as_ref()?;
    let at = o.legal().iter().position(|id| id == reply.action.id())?;
    let own = *policy.get(at)?;
    let is_highest = policy.iter().all(|other| *other <= own);
    let key = if is_highest { "highest-probability" } else { "drawn-by-probability" };
    Some(Sentence::new(key, json!({ "percent": (1000.0 * f64::from(own)).round() / 10.0 })))
}

/// What an agent without values and probabilities does in every decision.
fn explain_rule(agent: &NamedAgent) -> Sentence {
    let kind = without_label(agent.name()).split(':').next().unwrap_or_default();
    let is_known = kind != "mjai" && Catalog::standard().entries().iter().any(|entry| entry.name == kind);
    if is_known { Sentence::new(&format!("rule-{kind}"), ()) } else { Sentence::new("no-reason", ()) }
}

#[cfg(test)]
mod tests {
    use jantaku_agents::WinMode;
    use jantaku_engine::{ActionId, Game, Rules};

    use super::*;

    /// The reason for the first of two discards with these values, in units of 2 points, and this risk
    /// and win chance of the first. The second one is `{}`.
    fn reason(values: [f32; 2], risk: f32, win: f32) -> String {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer must discard");
        let o = game.observe(seat);
        let actions = o.legal().iter().map(ActionId::action).zip(values);
        let candidates: Vec<Candidate> = actions
            .map(|(action, value)| {
                let (points, mode, shanten, ukeire) = (3900.0, WinMode::Riichi, 1, 8.0);
                Candidate { action, value, risk, win, points, mode, shanten, ukeire }
            })
            .collect();
        explain_estimates(&candidates, 2.0, &o).to_string().replace(&o.describe(candidates[1].action), "{}")
    }

    /// The others compare actions, or are other programs.
    #[test]
    fn agents_of_rules_say_what_the_catalog_does() {
        let compare = ["heuristic", "residual", "mc", "mjai"];
        let catalog = Catalog::standard();
        for entry in catalog.entries().iter().filter(|entry| !compare.contains(&entry.name)) {
            let said = Sentence::new(&format!("rule-{}", entry.name), ()).to_string();
            assert_eq!(said, format!("its rule: {}", entry.about));
        }
    }

    #[test]
    fn estimates_have_points_and_shares() {
        let found = reason([1250.2, 1100.0], 75.3, 0.234);
        let expected = "it has the highest value of 2 actions: 2,500 points, 300 more than {}; it wins 23 % of hands \
                        and risks 151 points by dealing in";
        assert_eq!(found, expected);
        let found = reason([0.5, 0.4], 0.0, 0.003);
        let expected =
            "it has the highest value of 2 actions: 1 point, as much as {}; it wins less than 1 % of hands";
        assert_eq!(found, expected);
        let found = reason([-40.0, 10.0 * NO_VALUE], 0.1, 0.0);
        let expected = "it has the highest value of 2 actions: -80 points, the hand cannot win after the others; it \
                        wins 0 % of hands";
        assert_eq!(found, expected);
        assert_eq!(reason([10.0 * NO_VALUE; 2], 0.0, 0.0), "the hand cannot win after any of 2 actions");
    }
}
