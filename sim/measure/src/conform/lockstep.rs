//! A hand that both engines play, answer by answer.

use std::collections::BTreeMap;

use jantaku_agents::mjai::{Event as Mjai, Translator};
use jantaku_engine::{Action, ActionSet, Event, FinalResult, Game, Phase, Seat, perft};
use serde::Deserialize;
use serde_json::{Value, json};

use super::peer::{Difference, Peer, ToldRules, cut};

/// The most forced answers in a row without an event: each seat may be asked about ron, pon and chi.
const MAX_FORCED: u32 = 12;

/// What the other engine says about the table after the answers so far.
#[derive(Debug, Deserialize)]
struct State {
    /// The legal actions of each seat that must decide.
    #[serde(default)]
    legal: BTreeMap<u8, Vec<String>>,
    /// The events since the last answer, in mjai.
    events: Vec<Mjai>,
    /// After the hand: the standing of the next one.
    #[serde(default)]
    next: Option<Value>,
    /// After the game: placements, points and results by seat.
    #[serde(default)]
    results: Option<Value>,
}

/// A hand that both engines play.
pub(super) struct Lockstep<'a, 'p> {
    peer: &'a mut Peer<'p>,
    game: &'a mut Game,
    translator: Translator,
    /// This engine's events that are not yet translated. After the hand: the events that follow it.
    fresh: Vec<Event>,
    /// The question that deals the hand.
    pub question: Value,
    /// The events of the hand.
    pub events: Vec<Mjai>,
    /// The number of these events that the other engine has stated.
    stated: usize,
    /// The answers so far, as in a file of perft positions.
    pub moves: Vec<String>,
    is_over: bool,
}

impl<'a, 'p> Lockstep<'a, 'p> {
    /// A hand that has just been dealt, with its events.
    pub fn new(peer: &'a mut Peer<'p>, game: &'a mut Game, dealt: Vec<Event>) -> Lockstep<'a, 'p> {
        let translator = Translator::new(game.rules(), *game.scores());
        let (question, events, moves) =
            (start(game, &dealt, peer.told(game.rules())), Vec::new(), Vec::new());
        Lockstep { peer, game, translator, fresh: dealt, question, events, stated: 0, moves, is_over: false }
    }

    /// Plays the hand. `choose` gives the next answer of the current decision. If it gives none, the hand
    /// stops, unless another seat has answered this decision: then the next seat that must answer passes.
    ///
    /// Returns the events that follow the hand; none if it stopped before its end.
    pub fn play(
        &mut self,
        choose: &mut dyn FnMut(&Game) -> Option<(Seat, Action)>,
    ) -> Result<Vec<Event>, Difference> {
        let mut state: State = self.peer.ask(&self.question)?;
        loop {
            self.translate();
            state = self.catch_up(state)?;
            if self.is_over {
                self.compare_after_hand(&state)?;
                return Ok(std::mem::take(&mut self.fresh));
            }
            self.compare_legal(&mut state.legal)?;
            let asked = self.game.decisions().count();
            let mut answers: BTreeMap<u8, String> = singles(&state.legal);
            for answered in 0..asked {
                let Some((seat, action)) = choose(self.game).or_else(|| (answered > 0).then(|| self.idle()))
                else {
                    return Ok(Vec::new());
                };
                let view = self.game.observe(seat);
                self.moves.push(perft::move_text(&view, action.id()));
                answers.insert(seat.number(), view.describe(action));
                self.game.submit_seen(seat, action, &mut self.fresh).expect("a legal action");
            }
            state = self.act(&answers)?;
        }
    }

    fn act(&mut self, answers: &BTreeMap<u8, String>) -> Result<State, Difference> {
        self.peer.ask(&json!({ "ask": "act", "actions": answers }))
    }

    /// Pass, or the first action, for the first seat that must answer.
    fn idle(&self) -> (Seat, Action) {
        let (seat, legal) = self.game.decisions().next().expect("a seat must answer");
        let pass = Some(Action::Pass).filter(|pass| legal.contains(pass.id()));
        (seat, pass.unwrap_or_else(|| legal.first().expect("a legal action").action()))
    }

    /// Translates the fresh events up to the end of the hand.
    fn translate(&mut self) {
        let ends = |event: &Event| matches!(event, Event::HandEnd(_));
        let end = self.fresh.iter().position(ends).map_or(self.fresh.len(), |at| at + 1);
        for event in self.fresh.drain(..end) {
            self.is_over |= ends(&event);
            self.translator.translate(&event, &mut self.events);
        }
        self.events.retain(|event| *event != Mjai::EndKyoku);
    }

    /// Compares the events, and makes moves without an alternative until the other engine has all of them.
    fn catch_up(&mut self, mut state: State) -> Result<State, Difference> {
        let mut waiting = 0;
        loop {
            let before = self.stated;
            for found in state.events.drain(..).filter(is_of_hand) {
                self.compare_event(&found)?;
            }
            let Some(next) = self.events.get(self.stated) else { return Ok(state) };
            let forced = singles(&state.legal);
            if forced.is_empty() || forced.len() < state.legal.len() {
                return Err(Difference::new(as_text(next), legal_text(&state.legal)));
            }
            waiting = if self.stated == before { waiting + 1 } else { 0 };
            if waiting > MAX_FORCED {
                let found = format!("no event after {MAX_FORCED} answers to {}", legal_text(&state.legal));
                return Err(Difference::new(as_text(next), found));
            }
            state = self.act(&forced)?;
        }
    }

    fn compare_event(&mut self, found: &Mjai) -> Result<(), Difference> {
        let Some(expected) = self.events.get(self.stated) else {
            let no_more = format!("no event before {}", legal_text(&self.legal()));
            return Err(Difference::new(no_more, as_text(found)));
        };
        let has_deltas = |value: &Value| value["deltas"].is_array();
        let (ours, theirs) = (comparable(expected), comparable(found));
        let is_end = matches!(expected, Mjai::Hora(_) | Mjai::Ryukyoku { .. });
        if !agree(&ours, &theirs) || (is_end && !has_deltas(&theirs)) {
            return Err(Difference::new(as_text(expected), as_text(found)));
        }
        self.stated += 1;
        Ok(())
    }

    /// The legal actions of this engine. Empty after the hand.
    fn legal(&self) -> BTreeMap<u8, Vec<String>> {
        let text = |seat, id| self.game.observe(seat).describe(jantaku_engine::ActionId::action(id));
        let of_seat = |(seat, legal): (Seat, ActionSet)| {
            (seat.number(), legal.iter().map(|id| text(seat, id)).collect())
        };
        if self.is_over { BTreeMap::new() } else { self.game.decisions().map(of_seat).collect() }
    }

    /// Compares the legal actions. A single action of a seat that this engine does not ask is no decision.
    fn compare_legal(&self, found: &mut BTreeMap<u8, Vec<String>>) -> Result<(), Difference> {
        let expected = self.legal();
        let is_decision = |seat: &u8, legal: &Vec<String>| legal.len() > 1 || expected.contains_key(seat);
        let decisions = found.iter().filter(|(seat, legal)| is_decision(seat, legal));
        let decisions = decisions.map(|(seat, legal)| (*seat, legal.clone())).collect();
        let missing = without(&expected, &decisions);
        let surplus = without(&decisions, &expected);
        if missing.is_empty() && surplus.is_empty() {
            return Ok(());
        }
        let list = |found: &[String]| if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        let expected = format!("{}; left out: {}", legal_text(&expected), list(&missing));
        Err(Difference::new(expected, format!("{}; not legal: {}", legal_text(&decisions), list(&surplus))))
    }

    /// Compares what follows the hand: the standing of the next one, or the results of the game.
    fn compare_after_hand(&self, state: &State) -> Result<(), Difference> {
        let compare = |name: &str, ours: Value, theirs: &Option<Value>| match theirs {
            Some(theirs) if !agree(&ours, theirs) => {
                Err(Difference::new(format!("{name} {ours}"), format!("{name} {theirs}")))
            }
            _ => Ok(()),
        };
        if !state.legal.is_empty() {
            return Err(Difference::new("the end of the hand", legal_text(&state.legal)));
        }
        // While the dealer may still end the game, nothing has followed.
        for event in self.fresh.iter().filter(|_| self.game.table().phase() != Phase::End) {
            match event {
                Event::Deal { round, honba, sticks, scores, .. } => {
                    let next = json!({ "round": round, "honba": honba, "sticks": sticks, "scores": scores });
                    compare("next", next, &state.next)?;
                    compare("results", Value::Null, &state.results)?;
                }
                Event::GameEnd { results, .. } => {
                    let results: Vec<&FinalResult> = results.iter().collect();
                    compare("results", json!(results), &state.results)?;
                    compare("next", Value::Null, &state.next)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The question that deals the hand: the rules, the standing and all tiles.
fn start(game: &Game, dealt: &[Event], ToldRules { base, set }: ToldRules) -> Value {
    let (table, wall) = (game.table(), game.round().wall());
    let (players, all) = (usize::from(table.rules().players.count()), wall.tiles());
    let hands = dealt.iter().find_map(|event| match event {
        Event::Deal { hands, .. } => Some(hands),
        _ => None,
    });
    json!({
        "ask": "start", "rules": base, "set": set,
        "round": table.round(), "honba": table.honba(), "sticks": table.sticks(), "dealer": table.dealer(),
        "scores": table.scores(), "hands": hands.expect("a hand was dealt"),
        "wall": all, "draws": all[13 * players..all.len() - 14],
        "replacements": wall.replacement_tiles().collect::<Vec<_>>(),
        "dora": (0..5).map(|k| wall.indicator(k)).collect::<Vec<_>>(),
        "ura": (0..5).map(|k| wall.ura_indicator(k)).collect::<Vec<_>>(),
    })
}

/// Whether an event belongs to a hand.
fn is_of_hand(event: &Mjai) -> bool {
    !matches!(event, Mjai::StartGame { .. } | Mjai::EndKyoku | Mjai::EndGame { .. } | Mjai::None)
}

/// An event with the tiles of each meld and hand sorted, because their order has no meaning.
fn comparable(event: &Mjai) -> Value {
    let mut value = json!(event);
    let sort = |list: &mut Value| {
        if let Some(tiles) = list.as_array_mut() {
            tiles.sort_by_key(Value::to_string);
        }
    };
    sort(&mut value["consumed"]);
    value["tehais"].as_array_mut().into_iter().flatten().for_each(sort);
    value
}

/// Whether two values agree in all keys that both have. A null counts as a missing key.
pub(super) fn agree(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let other = |key: &String| theirs.get(key).filter(|value| !value.is_null());
            ours.iter()
                .all(|(key, value)| value.is_null() || other(key).is_none_or(|found| agree(value, found)))
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| agree(ours, theirs))
        }
        _ => ours == theirs,
    }
}

/// The seats with a single action, and it.
fn singles(legal: &BTreeMap<u8, Vec<String>>) -> BTreeMap<u8, String> {
    let single = |(seat, legal): (&u8, &Vec<String>)| match legal.as_slice() {
        [only] => Some((*seat, only.clone())),
        _ => None,
    };
    legal.iter().filter_map(single).collect()
}

/// The actions of `legal` that `other` does not have.
fn without(legal: &BTreeMap<u8, Vec<String>>, other: &BTreeMap<u8, Vec<String>>) -> Vec<String> {
    let is_new = |seat: &u8, action: &String| !other.get(seat).is_some_and(|known| known.contains(action));
    let actions = legal.iter().flat_map(|(seat, actions)| actions.iter().map(move |action| (seat, action)));
    actions
        .filter(|(seat, action)| is_new(seat, action))
        .map(|(seat, action)| format!("{seat} {action}"))
        .collect()
}

fn legal_text(legal: &BTreeMap<u8, Vec<String>>) -> String {
    let of_seat = |(seat, legal): (&u8, &Vec<String>)| format!("seat {seat}: {}", legal.join(", "));
    if legal.is_empty() {
        "no decision".to_owned()
    } else {
        legal.iter().map(of_seat).collect::<Vec<_>>().join("; ")
    }
}

fn as_text(event: &Mjai) -> String {
    cut(&json!(event).to_string())
}
