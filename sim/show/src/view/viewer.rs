//! Follows a game and makes its view.

use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Declare, Event, Observation, Observer, Round, Rules, Seat, Tile};
use serde_json::Value;

use super::advice::Advisor;
use super::changes::changes;
use super::frame::Frame;
use super::result::{ShownResult, shown_hands};
use super::{GameView, HandView, SeatSums, ShownDecision, ShownEvent, StepView, readable};
use crate::text::hand_number;
use crate::{HandChoice, HandFilter, Sentence};

/// Follows a game and makes its view.
#[derive(Debug)]
pub struct Viewer<A = ()> {
    view: GameView,
    rules: Rules,
    advisor: A,
    hands: HandFilter,
    /// The table now. None before the first deal.
    frame: Option<Frame>,
    /// The table before the last step, as an object.
    before: Value,
    decisions: usize,
    /// The player through whose eyes the game is seen. None if all hands are shown.
    eyes: Option<Eyes>,
}

/// The eyes of a player at the table.
#[derive(Debug)]
struct Eyes {
    seat: Seat,
    /// The table with all tiles, for the hands that are shown at the end of a hand.
    whole: Option<Frame>,
}

impl<A: Advisor> Viewer<A> {
    /// A viewer of a game under these rules that looks for this hand. Nothing has happened yet.
    pub fn new(rules: &Rules, hand: Option<HandChoice>, advisor: A) -> Viewer<A> {
        Viewer {
            view: GameView { players: rules.players.count(), ..GameView::default() },
            rules: *rules,
            advisor,
            hands: HandFilter::new(hand),
            frame: None,
            before: Value::Null,
            decisions: 0,
            eyes: None,
        }
    }

    /// The view so far. Sources and names are empty.
    pub const fn view(&self) -> &GameView {
        &self.view
    }

    /// The hands dealt so far, and the one that was looked for.
    pub const fn hands(&self) -> &HandFilter {
        &self.hands
    }

    /// The number of decisions so far.
    pub const fn decisions(&self) -> usize {
        self.decisions
    }

    /// The view so far, with where the game comes from, its players, and the sums of what decisions cost.
    pub fn into_view(self, source: &str, rules: &str, names: &[String]) -> GameView {
        let names = names.iter().map(|name| readable(name)).collect();
        let decisions = self.view.hands.iter().flat_map(|hand| &hand.steps).flat_map(|step| &step.decisions);
        let agents = decisions.map(|one| one.advice.len()).max().unwrap_or(0);
        let hands = &self.view.hands;
        let of_seats = |agent| self.rules.players.seats().map(move |seat| SeatSums::of(hands, agent, seat));
        let sums = (0..agents).map(|agent| of_seats(agent).collect()).collect();
        GameView { source: readable(source), rules: readable(rules), names, sums, ..self.view }
    }

    /// Begins a hand with its deal. Ignores other events.
    fn deal(&mut self, event: &Event) {
        let Event::Deal { round, honba, dealer, .. } = event else { return };
        self.hands.deal(*round, *honba, &self.rules);
        self.frame = Frame::deal(event, &self.rules);
        let start = self.frame.as_ref().map_or(Value::Null, Frame::to_json);
        self.view.hands.push(HandView::new((*round, *honba), *dealer, &self.rules, start));
    }

    /// Applies an event after the deal, and adds it with its changes of the table. `shown` is its caption.
    fn step(&mut self, event: &Event, shown: ShownEvent) {
        let (Some(frame), Some(hand)) = (&mut self.frame, self.view.hands.last_mut()) else { return };
        self.before = frame.to_json();
        frame.apply(event);
        if let (Event::HandEnd(outcome), Some(Eyes { whole: Some(whole), .. })) = (event, &self.eyes) {
            shown_hands(outcome).iter().for_each(|seat| frame.show_hand(seat, whole));
        }
        if let Event::HandEnd(outcome) = event {
            hand.result = Some(ShownResult::of(outcome, |seat| frame.paid_for_riichi(seat), &self.rules));
        }
        let changes = changes(&self.before, &frame.to_json());
        hand.steps.push(StepView { event: shown, changes, decisions: Vec::new() });
    }
}

impl Viewer {
    /// A viewer that shows a game as the player in this seat sees it.
    ///
    /// Before the end of a hand, the view follows from the events as the player sees them
    /// ([`Event::seen_by`]), and holds no other tile. At the end it shows the hands of winners and of
    /// players who show that they are tenpai. Decisions are left out: their numbers would reveal
    /// who else could call a tile.
    pub fn for_player(rules: &Rules, seat: Seat) -> Viewer {
        Viewer { eyes: Some(Eyes { seat, whole: None }), ..Viewer::new(rules, None, ()) }
    }
}

impl GameView {
    /// A position: the table as one player sees it.
    pub fn from_position(o: &Observation<'_>, source: &str, rules: &str) -> GameView {
        let frame = Frame::seen(o).to_json();
        let hand = HandView::new((o.round(), o.honba()), o.dealer(), o.rules(), frame);
        let (source, rules, players) = (readable(source), readable(rules), o.rules().players.count());
        GameView { source, rules, players, hands: vec![hand], ..GameView::default() }
    }

    /// The number of the hand with this decision, from 0.
    pub fn hand_of(&self, decision: usize) -> Option<usize> {
        let has = |step: &StepView| step.decisions.iter().any(|one| one.number == decision);
        self.hands.iter().position(|hand| hand.steps.iter().any(has))
    }

    /// Adds notes for the reader.
    pub fn note(&mut self, notes: impl IntoIterator<Item = impl Into<Sentence>>) {
        let clean = |one: Sentence| if one.key().is_some() { one } else { readable(&one.to_string()).into() };
        self.notes.extend(notes.into_iter().map(|note| clean(note.into())));
    }
}

impl HandView {
    fn new((round, honba): (u16, u16), dealer: Seat, rules: &Rules, start: Value) -> HandView {
        let (wind, number) = hand_number(round, rules.players.count());
        HandView { wind: wind.letter(), number, honba, dealer, start, steps: Vec::new(), result: None }
    }
}

impl<A: Advisor> Observer for Viewer<A> {
    fn event(&mut self, event: &Event) {
        self.advisor.event(event);
        match &mut self.eyes {
            None => self.show(event),
            Some(eyes) => {
                let seen = eyes.see(event, &self.rules);
                self.show(&seen);
            }
        }
    }
}

impl Eyes {
    /// Notes the event on the whole table, and returns it as the player sees it.
    fn see(&mut self, event: &Event, rules: &Rules) -> Event {
        if let Event::Deal { .. } = event {
            self.whole = Frame::deal(event, rules);
        } else if let Some(whole) = &mut self.whole {
            whole.apply(event);
        }
        event.seen_by(self.seat)
    }
}

impl<A: Advisor> Viewer<A> {
    /// Adds an event to the view.
    fn show(&mut self, event: &Event) {
        match shown(event) {
            Some(shown) => self.step(event, shown),
            None => self.deal(event),
        }
        if let Event::GameEnd { results, .. } = event {
            self.view.results = Some(results.iter().copied().collect());
        }
    }
}

impl<A: Advisor> Spectator for Viewer<A> {
    fn round(&mut self, round: &Round) {
        let (Some(frame), Some(hand)) = (&mut self.frame, self.view.hands.last_mut()) else { return };
        frame.note_furiten(round);
        if let Some(last) = hand.steps.last_mut() {
            last.changes = changes(&self.before, &frame.to_json());
        }
    }

    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        let (number, seat) = (self.decisions, o.seat());
        self.decisions += 1;
        if self.eyes.is_some() {
            return;
        }
        let mut advice = self.advisor.advice(o, action, number, self.hands.hands());
        for opinion in advice.iter_mut().flatten() {
            // The list of advisors names the agents.
            (opinion.agent, opinion.text) = (String::new(), String::new());
            opinion.shorten(&o.describe(action));
        }
        let mut legal = Vec::new();
        if advice.iter().all(Option::is_none) {
            advice.clear();
        } else {
            let has = |name: &String| advice.iter().flatten().any(|opinion| opinion.option(name).is_some());
            legal.extend(o.legal().iter().map(|id| o.describe(id.action())).filter(|name| !has(name)));
        }
        let last = self.view.hands.last_mut().and_then(|hand| hand.steps.last_mut());
        if let Some(step) = last {
            step.decisions.push(ShownDecision { number, seat, action: o.describe(action), advice, legal });
        }
    }

    fn undealt_hand(&mut self) {
        self.hands.skip();
    }
}

/// An event of a hand for its caption. None for the deal.
fn shown(event: &Event) -> Option<ShownEvent> {
    Some(match *event {
        Event::Draw { seat, tile, replacement } => ShownEvent::Draw { seat, tile, replacement },
        Event::Discard { seat, tile, tsumogiri, declare } => {
            ShownEvent::Discard { seat, tile, tsumogiri, riichi: declare != Declare::Nothing }
        }
        Event::RiichiAccepted { seat } => ShownEvent::RiichiAccepted { seat },
        Event::Call { seat, meld } => {
            let (call, claimed) = meld.call().zip(meld.claimed())?;
            ShownEvent::Call { seat, call: call.word(), tile: claimed.tile, from: claimed.from }
        }
        Event::Ankan { seat, meld } => ShownEvent::Ankan { seat, tile: Tile::plain(meld.low()) },
        Event::Kakan { seat, tile } => ShownEvent::Kakan { seat, tile },
        Event::Kita { seat } => ShownEvent::Kita { seat },
        Event::DeadHand { seat } => ShownEvent::DeadHand { seat },
        Event::Indicator { tile } => ShownEvent::Indicator { tile },
        Event::HandEnd(_) => ShownEvent::HandEnd,
        Event::GameEnd { .. } => ShownEvent::GameEnd,
        Event::Deal { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use jantaku_engine::replay::{GameStart, Script, replay_game_from};
    use jantaku_engine::rules::PRESETS;
    use jantaku_engine::{ActionId, Game, Phase, Rng};

    use super::*;

    /// Plays at random, and compares the view with the player's observation at each decision.
    struct Compared {
        rng: Rng,
        viewer: Viewer,
        furiten: usize,
        kakans: usize,
    }

    /// A value with the changes of a step, as the page applies them.
    fn merged(value: &mut Value, changes: &Value) {
        match (value, changes) {
            (Value::Object(value), Value::Object(changes)) => {
                for (name, change) in changes {
                    merged(value.get_mut(name).expect("a known value"), change);
                }
            }
            (value, change) => *value = change.clone(),
        }
    }

    /// The table of the latest hand as the page draws it.
    fn drawn(view: &GameView) -> Value {
        drawn_hand(view.hands.last().expect("a hand"), usize::MAX)
    }

    /// The table of a hand after up to this many steps, as the page draws it.
    fn drawn_hand(hand: &HandView, steps: usize) -> Value {
        let mut frame = hand.start.clone();
        hand.steps.iter().take(steps).for_each(|step| merged(&mut frame, &step.changes));
        frame
    }

    impl Observer for Compared {
        fn event(&mut self, event: &Event) {
            self.kakans += usize::from(matches!(event, Event::Kakan { .. }));
            self.viewer.event(event);
        }
    }

    impl Spectator for Compared {
        fn round(&mut self, round: &Round) {
            self.viewer.round(round);
        }

        fn decision(&mut self, o: &Observation<'_>, action: Action) {
            // Merging all steps of a hand takes far longer than a decision.
            if self.rng.below(4) == 0 {
                self.compare(o);
            }
            self.viewer.decision(o, action);
        }
    }

    impl Compared {
        fn compare(&mut self, o: &Observation<'_>) {
            let (found, expected) = (drawn(&self.viewer.view), Frame::seen(o).to_json());
            let own = o.seat().to_string();
            self.furiten += usize::from(found["seats"][&own]["furiten"] == true);
            let place = format!("decision {} of {own} in {:?}", self.viewer.decisions, o.phase());
            for name in ["live", "sticks", "indicators"] {
                assert_eq!(found[name], expected[name], "{name}: {place}");
            }
            if o.phase() == Phase::Turn {
                assert_eq!(found["turn"], expected["turn"], "{place}");
            }
            for seat in o.rules().players.seats().map(|seat| seat.to_string()) {
                let (found, expected) = (&found["seats"][&seat], &expected["seats"][&seat]);
                for name in ["river", "norths", "score", "riichi", "dead"] {
                    assert_eq!(found[name], expected[name], "{name} of {seat}: {place}");
                }
                // The events seen do not show whether the red five of a kakan was the added tile.
                let plain = |value: &Value| value["melds"].to_string().replace('0', "5");
                assert_eq!(plain(found), plain(expected), "{place}");
                for name in ["hand", "drawn", "shanten", "waits", "furiten"].iter().filter(|_| seat == own) {
                    assert_eq!(found[name], expected[name], "{name} of {seat}: {place}");
                }
            }
        }
    }

    impl Script for Compared {
        type Stop = ();

        fn answer(&mut self, _: &Game, o: &Observation<'_>) -> Result<Action, ()> {
            let legal: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
            let is_rare = |action: &&Action| {
                !matches!(action, Action::Discard { .. } | Action::Tsumogiri { .. } | Action::Pass)
            };
            // Riichi, calls and kans are rare among the actions of random play.
            let rare = legal.iter().find(|action| is_rare(action) && self.rng.below(3) > 0);
            Ok(rare.copied().unwrap_or_else(|| legal[self.rng.below(legal.len())]))
        }
    }

    #[test]
    fn the_drawn_table_is_what_players_see() {
        let (mut furiten, mut kakans) = (0, 0);
        for (seed, preset) in (0..).zip(PRESETS) {
            let rules = preset.rules();
            let viewer = Viewer::new(&rules, None, ());
            let mut script = Compared { rng: Rng::new(seed), viewer, furiten: 0, kakans: 0 };
            replay_game_from(&rules, seed, &GameStart::of_game(&rules), &mut script).expect("legal answers");
            furiten += script.furiten;
            kakans += script.kakans;
            let view = script.viewer.into_view("a game", preset.name, &[]);
            let results = view.results.as_ref().expect("the game ends");
            let last = drawn(&view);
            for (seat, result) in results.iter().enumerate() {
                assert_eq!(last["seats"][seat.to_string()]["score"], result.points, "{}", preset.name);
            }
            for hand in &view.hands {
                let of_hand = hand.result.as_ref().expect("each hand ends");
                let end = hand.steps.iter().position(|step| matches!(step.event, ShownEvent::HandEnd));
                let (before, after) = (&hand.start, drawn_hand(hand, end.expect("its end") + 1));
                for (seat, change) in of_hand.changes.enumerate() {
                    let score = |frame: &Value| frame["seats"][seat.to_string()]["score"].as_i64();
                    let gained = score(&after).zip(score(before)).map(|(after, before)| after - before);
                    assert_eq!(gained, Some(i64::from(*change)), "{seat}: {}", preset.name);
                }
            }
        }
        assert!(furiten > 0 && kakans > 0, "{furiten} times furiten, {kakans} kakans");
    }

    /// Plays at random, and compares the view of a player with a view from visible events alone.
    struct Eyed {
        rng: Rng,
        seat: Seat,
        viewer: Viewer,
        /// Sees the events of the hand without hidden tiles. Each hand has a new one.
        told: Viewer,
        shown: usize,
    }

    impl Eyed {
        /// The latest hand of a view.
        fn latest(viewer: &Viewer) -> Value {
            serde_json::to_value(viewer.view.hands.last()).expect("a hand has a JSON form")
        }
    }

    impl Observer for Eyed {
        fn event(&mut self, event: &Event) {
            self.viewer.event(event);
            if matches!(event, Event::Deal { .. }) {
                self.told = Viewer::for_player(&self.viewer.rules, self.seat);
            }
            self.told.event(&event.seen_by(self.seat));
            if let Event::HandEnd(_) = event {
                let hand = self.viewer.view.hands.last().expect("a hand");
                let open = hand.result.as_ref().map(|result| result.open).expect("a result");
                let last = drawn(&self.viewer.view);
                for seat in self.viewer.rules.players.seats() {
                    let side = &last["seats"][seat.number().to_string()];
                    let is_shown = seat == self.seat || open.contains(seat);
                    let is_hidden = side["hand"].as_str().is_some_and(|hand| hand.contains("xx"));
                    assert_eq!(is_hidden, !is_shown, "{seat:?}: {side}");
                    self.shown += usize::from(is_shown && seat != self.seat);
                }
            } else if !matches!(event, Event::GameEnd { .. }) && self.rng.below(8) == 0 {
                // As in `Compared`, the comparison takes far longer than an event.
                assert_eq!(Eyed::latest(&self.viewer), Eyed::latest(&self.told), "{event}");
            }
        }
    }

    impl Spectator for Eyed {
        fn round(&mut self, round: &Round) {
            self.viewer.round(round);
            self.told.round(round);
        }

        fn decision(&mut self, o: &Observation<'_>, action: Action) {
            self.viewer.decision(o, action);
            if o.seat() != self.seat || !matches!(o.phase(), Phase::Turn | Phase::Claim | Phase::KanClaim) {
                return;
            }
            let (found, expected) = (drawn(&self.viewer.view), Frame::seen(o).to_json());
            for seat in o.rules().players.seats().map(|seat| seat.number().to_string()) {
                let tiles = |frame: &Value| {
                    let side = &frame["seats"][&seat];
                    let text = format!("{} {}", side["hand"], side["drawn"]).replace('"', "");
                    text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
                };
                assert_eq!(tiles(&found), tiles(&expected), "{seat} as {:?} sees it", self.seat);
            }
        }
    }

    impl Script for Eyed {
        type Stop = ();

        fn answer(&mut self, _: &Game, o: &Observation<'_>) -> Result<Action, ()> {
            let legal: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
            let wins = legal.iter().find(|action| matches!(action, Action::Ron | Action::Tsumo));
            Ok(wins.copied().unwrap_or_else(|| legal[self.rng.below(legal.len())]))
        }
    }

    /// No hidden tile changes the view of a player at the table before the end of a hand.
    #[test]
    fn players_are_shown_what_they_see() {
        let mut shown = 0;
        for (seed, preset) in (0..).zip(PRESETS) {
            let rules = preset.rules();
            let seat = rules.players.seats().nth(seed as usize % 2).expect("a seat");
            let [viewer, told] = [(); 2].map(|()| Viewer::for_player(&rules, seat));
            let mut script = Eyed { rng: Rng::new(seed), seat, viewer, told, shown: 0 };
            replay_game_from(&rules, seed, &GameStart::of_game(&rules), &mut script).expect("legal answers");
            shown += script.shown;
            let view = script.viewer.into_view("a game", preset.name, &[]);
            assert!(view.hands.iter().all(|hand| hand.steps.iter().all(|step| step.decisions.is_empty())));
        }
        assert!(shown > 0, "some hands are shown at their end");
    }
}
