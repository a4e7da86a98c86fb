//! The answers of agents, with the question.

use jantaku_engine::Action;
use jantaku_show::Opinion;
use serde::Serialize;

use jantaku_sim::replay::decision_ref::DecisionRef;
use jantaku_sim::replay::source::{DecisionContext, GameSource};

/// A decision with the answers of agents. Tiles and actions are texts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DecisionReport {
    /// The position, or the decision of a run or log.
    pub place: String,
    /// The values missing in a position, with the assumed ones.
    pub assumed: Vec<String>,
    /// The seat that decides.
    pub seat: u8,
    /// Its concealed tiles without the drawn one.
    pub hand: String,
    /// Its melds.
    pub melds: String,
    /// The tile just drawn. None for a claim and after a call.
    pub drawn: Option<String>,
    /// The tile that it can claim. None in its turn.
    pub offered: Option<String>,
    /// The live tiles left.
    pub live: u8,
    /// Whether it is furiten.
    pub furiten: bool,
    /// Its legal actions.
    pub legal: Vec<String>,
    /// What the player did in the run or log. None for a position.
    pub chosen: Option<String>,
    /// The answers, one for each agent.
    pub answers: Vec<Opinion>,
}

impl DecisionReport {
    /// The decision of this game or position with these answers.
    pub fn new(
        (decision, source): (&DecisionRef, &GameSource),
        context: &DecisionContext<'_>,
        chosen: Option<Action>,
        answers: Vec<Opinion>,
    ) -> DecisionReport {
        let o = &context.observation;
        DecisionReport {
            place: decision.name(source),
            assumed: source.assumed(),
            seat: o.seat().number(),
            hand: o.hand().to_string(),
            melds: o.melds().to_string(),
            drawn: o.drawn().map(|tile| tile.to_string()),
            offered: o.offer().map(|offer| offer.tile.to_string()),
            live: o.live(),
            furiten: o.is_furiten(),
            legal: o.legal().iter().map(|id| o.describe(id.action())).collect(),
            chosen: chosen.map(|action| o.describe(action)),
            answers,
        }
    }
}
