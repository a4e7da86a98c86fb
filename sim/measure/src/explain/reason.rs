//! Why an agent chose its action, in a few words.

use jantaku_agents::residual::{Corrected, Residual};
use jantaku_agents::{Candidate, Catalog, Heuristic, MonteCarlo, NamedAgent, Reply, Verdict, without_label};
use jantaku_engine::{Action, Observation, Phase};
use jantaku_show::text::points;

use super::opinion::{NO_VALUE, percent};

/// The reason of this agent for its reply. `corrected` is the comparison of `residual`.
pub(super) fn explain(
    agent: &NamedAgent,
    reply: &Reply,
    o: &Observation<'_>,
    corrected: Option<&Corrected>,
    verdicts: &[Verdict],
) -> String {
    if !o.legal().is_choice() {
        "it is the only legal action".to_owned()
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

fn explain_heuristic(agent: &Heuristic, action: Action, o: &Observation<'_>, verdicts: &[Verdict]) -> String {
    let verdict = verdicts.iter().find(|verdict| verdict.taken && verdict.action == action);
    match (action, o.phase(), verdict) {
        (Action::Tsumo | Action::Ron, ..) => "it wins whenever it can".to_owned(),
        (.., Some(verdict)) => format!("decided before it compares actions: {}", verdict.why),
        (Action::EndGame, ..) => "it ends the game when it is in first place".to_owned(),
        (_, Phase::End, _) => "it ends the game only when it is in first place".to_owned(),
        (Action::Pass, Phase::Claim, _) if !agent.calls => {
            "it makes no calls: its option calls is off".to_owned()
        }
        _ => explain_estimates(&agent.best_estimates(o), agent.value_unit(o), o),
    }
}

/// The reason of `heuristic` where it compares candidates: the first has the highest value. A unit of
/// their values is this many points of the result of the game.
fn explain_estimates(candidates: &[Candidate], unit: f32, o: &Observation<'_>) -> String {
    let [best, next, ..] = candidates else { return "it compares no other action here".to_owned() };
    let actions = candidates.len();
    if best.value <= NO_VALUE {
        return format!("the hand cannot win after any of {actions} actions");
    }
    let name = o.describe(next.action);
    let lead = match whole(unit * (best.value - next.value)) {
        _ if next.value <= NO_VALUE => "the hand cannot win after the others".to_owned(),
        0 => format!("as much as {name}"),
        lead => format!("{} more than {name}", points(lead)),
    };
    let value = in_points(unit * best.value);
    let risk = match whole(unit * best.risk) {
        ..=0 => String::new(),
        risk => format!(" and risks {} by dealing in", in_points(risk as f32)),
    };
    let win = whole_percent(best.win);
    format!("it has the highest value of {actions} actions: {value}, {lead}; it wins {win} of hands{risk}")
}

/// Points without decimals.
const fn whole(points: f32) -> i32 {
    points.round() as i32
}

/// Whole points with their unit.
fn in_points(value: f32) -> String {
    let value = whole(value);
    format!("{} {}", points(value), if value.abs() == 1 { "point" } else { "points" })
}

/// A share in whole percent.
fn whole_percent(share: f32) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 0.5 => "less than 1 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

/// The reason of `residual` where its network compares actions. None if `heuristic` decides by rule.
fn explain_network(corrected: &Corrected, o: &Observation<'_>) -> Option<String> {
    let candidates = &corrected.comparison.candidates;
    let name = |at: usize| o.describe(candidates[at].action);
    let (chosen, others) = (corrected.chosen(), 1..candidates.len());
    let gains = others.filter_map(|at| Some((at, corrected.gain(at)?)));
    let (other, gain) = match chosen {
        0 => gains.max_by(|(_, a), (_, b)| a.total_cmp(b))?,
        _ => (chosen, corrected.gain(chosen)?),
    };
    let choice = if chosen == 0 { "do the same".to_owned() } else { name(0) };
    let too_few = if chosen == 0 && gain > 0.0 {
        format!("; a change needs more than {}", in_points(corrected.least))
    } else {
        String::new()
    };
    let worth = |at: usize| Some(format!("{} is worth {}", name(at), in_points(corrected.value(at)?)));
    let mut both = [worth(0)?, worth(other)?];
    both.rotate_left(usize::from(chosen > 0));
    let both = both.join(", and ");
    Some(format!("heuristic would {choice}; with the network {both}{too_few}"))
}

/// The reason of `residual` where it plays like `heuristic`.
fn explain_base(agent: &Residual, action: Action, o: &Observation<'_>, verdicts: &[Verdict]) -> String {
    let own = explain_heuristic(agent.base(), action, o, verdicts);
    let players = o.rules().players;
    if agent.model(players).is_some() {
        format!("like heuristic: {own}")
    } else {
        let players = players.count();
        format!("like heuristic, because it has no network for games of {players} players: {own}")
    }
}

fn explain_search(reply: &Reply, o: &Observation<'_>) -> String {
    let values = reply.search_info.as_ref().and_then(|info| info.action_values.as_ref());
    let Some(values) = values else {
        return "the prior has no other candidate within its margin, so nothing was searched".to_owned();
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
fn explain_policy(reply: &Reply, o: &Observation<'_>) -> Option<String> {
    let policy = reply.search_info.as_ref()?.policy.as_ref()?;
    let at = o.legal().iter().position(|id| id == reply.action.id())?;
    let own = *policy.get(at)?;
    let is_highest = policy.iter().all(|other| *other <= own);
    let how = if is_highest { "it has the highest probability," } else { "it was drawn with probability" };
    Some(format!("{how} {}", percent(own)))
}

/// What an agent without values and probabilities does in every decision.
fn explain_rule(agent: &NamedAgent) -> String {
    let catalog = Catalog::standard();
    let kind = without_label(agent.name()).split(':').next().unwrap_or_default();
    match catalog.entries().iter().find(|entry| entry.name == kind) {
        Some(entry) if kind != "mjai" => format!("its rule: {}", entry.about),
        _ => "it reports no reason".to_owned(),
    }
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
        explain_estimates(&candidates, 2.0, &o).replace(&o.describe(candidates[1].action), "{}")
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
