//! A game as text: a line for each event or decision.

use jantaku_engine::replay::Spectator;
use jantaku_engine::{
    Action, BySeat, Concealed, Event, FinalResult, Observation, Observer, Rules, Seat, Tile,
};

use crate::numbers::{many, signed};
use crate::{HandChoice, HandFilter, text};

/// Adds lines below the decisions of a [`Transcript`].
pub trait Annotator {
    /// Called with each event of the game, before the decisions that follow it.
    fn event(&mut self, _: &Event) {}

    /// The lines below a decision that the transcript shows. `step` is its number in the game, from 0;
    /// `hand` that of its hand, from 1.
    fn lines(&mut self, o: &Observation<'_>, step: usize, hand: usize) -> Vec<String>;
}

impl Annotator for () {
    fn lines(&mut self, _: &Observation<'_>, _: usize, _: usize) -> Vec<String> {
        Vec::new()
    }
}

/// The part of a game that a transcript shows: all of it by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TranscriptScope {
    /// The only hand to show. None for all.
    pub hand: Option<HandChoice>,
    /// The number of the only decision to show, from 0 in the game. None for all.
    pub step: Option<usize>,
}

/// Follows a game and writes it as text.
#[derive(Debug)]
pub struct Transcript<A> {
    lines: Vec<String>,
    scope: TranscriptScope,
    annotator: A,
    hands: HandFilter,
    /// The number of decisions so far.
    decisions: usize,
    /// The number of the hand with the decision of the scope, from 0.
    hand_of_step: Option<usize>,
    /// How the player who acts got their last tile. None after their decision.
    taken: Option<Taken>,
    rules: Rules,
    dealer: Seat,
}

/// How a player gets a tile.
#[derive(Clone, Copy, Debug)]
enum Taken {
    Drawn,
    Claimed,
}

impl<A: Annotator> Transcript<A> {
    /// A transcript of a game under these rules. Nothing has happened yet.
    pub const fn new(rules: Rules, scope: TranscriptScope, annotator: A) -> Transcript<A> {
        Transcript {
            lines: Vec::new(),
            scope,
            annotator,
            hands: HandFilter::new(scope.hand),
            decisions: 0,
            hand_of_step: None,
            taken: None,
            rules,
            dealer: Seat::FIRST,
        }
    }

    /// The filter, which has counted the hands dealt so far.
    pub const fn hands(&self) -> &HandFilter {
        &self.hands
    }

    /// The number of the hand with the only decision that is shown, from 0. None if all are shown, or the
    /// game has not reached it.
    pub const fn hand_of_step(&self) -> Option<usize> {
        self.hand_of_step
    }

    /// The number of decisions so far, shown or not.
    pub const fn decisions(&self) -> usize {
        self.decisions
    }

    /// Whether there are no lines yet.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines so far.
    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }

    /// Adds a line about the latest hand, if the scope includes it.
    fn push(&mut self, line: String) {
        if self.scope.step.is_none() && self.hands.is_chosen() {
            self.lines.push(line);
        }
    }

    fn name(&self, seat: Seat) -> String {
        format!("{} {seat:?}", seat.wind(self.dealer, self.rules.players).letter())
    }

    fn deal(&mut self, heading: String, scores: &BySeat<i32>, hands: &BySeat<[Option<Tile>; 13]>) {
        self.push(String::new());
        self.push(heading);
        self.push(format!("  points {}", text::list(scores.iter().map(|points| text::points(*points)))));
        for (seat, tiles) in hands.enumerate() {
            let hand: Concealed = tiles.iter().flatten().copied().collect();
            let line = format!("      {}  {hand}", self.name(seat));
            self.push(line);
        }
    }

    /// The line of a forced discard, which is not a decision. None after a decision, which has a line.
    fn forced_discard(&mut self, seat: Seat, tile: Tile) -> Option<String> {
        let name = self.name(seat);
        self.taken.take().map(|taken| match taken {
            Taken::Drawn => format!("      {name}  draws and discards {tile}"),
            Taken::Claimed => format!("      {name}  discards {tile}"),
        })
    }

    fn results(&mut self, results: &BySeat<FinalResult>) {
        self.push(String::new());
        for (seat, result) in results.enumerate() {
            self.push(format!(
                "{seat:?}: placement {}, {} points, result {}",
                result.placement,
                text::points(result.points),
                signed(result.result.into(), 0)
            ));
        }
    }
}

/// The other actions of a decision if they are few, otherwise their number.
fn others(o: &Observation<'_>, action: Action) -> String {
    let n = o.legal().len();
    if n > 6 {
        return format!("{} more", n - 1);
    }
    let others = o.legal().iter().filter(|id| *id != action.id());
    others.map(|id| o.describe(id.action())).collect::<Vec<_>>().join(", ")
}

impl<A: Annotator> Spectator for Transcript<A> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.taken = None;
        let step = self.decisions;
        self.decisions += 1;
        if self.scope.step == Some(step) {
            self.hand_of_step = self.hands.latest();
        }
        if !self.hands.is_chosen() || self.scope.step.is_some_and(|only| only != step) {
            return;
        }
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        let hand = format!("{}{drawn}{}", o.hand(), o.melds());
        let offered = o.offer().map_or_else(String::new, |offer| format!(" on {}", offer.tile));
        let number = format!("#{step}");
        self.lines.push(format!(
            "{number:>5} {}  {hand:<24} {}{offered}  (or {})",
            self.name(o.seat()),
            o.describe(action),
            others(o, action)
        ));
        self.lines.extend(self.annotator.lines(o, step, self.hands.hands()));
    }

    fn undealt_hand(&mut self) {
        self.hands.skip();
    }
}

impl<A: Annotator> Observer for Transcript<A> {
    fn event(&mut self, event: &Event) {
        self.annotator.event(event);
        let line = match event {
            Event::Deal { round, honba, sticks, dealer, scores, indicator, hands } => {
                self.hands.deal(*round, *honba, &self.rules);
                self.dealer = *dealer;
                let indicator = indicator.map_or_else(|| "none".to_owned(), |tile| tile.to_string());
                let name = text::hand_name(*round, *honba, &self.rules);
                let sticks = many((*sticks).into(), "riichi stick");
                let heading = format!("{name}, {sticks}, dora indicator {indicator}");
                return self.deal(heading, scores, hands);
            }
            Event::Draw { .. } => {
                self.taken = Some(Taken::Drawn);
                return;
            }
            Event::Call { .. } => {
                self.taken = Some(Taken::Claimed);
                return;
            }
            Event::Discard { seat, tile, .. } => match self.forced_discard(*seat, *tile) {
                Some(line) => line,
                None => return,
            },
            Event::RiichiAccepted { seat } => format!("      {}  riichi accepted", self.name(*seat)),
            Event::Indicator { tile } => format!("      dora indicator {tile}"),
            Event::DeadHand { seat } => format!("      {}  has a dead hand", self.name(*seat)),
            Event::HandEnd(outcome) => text::outcome(outcome, &self.rules).trim_end().to_owned(),
            Event::GameEnd { results, .. } => return self.results(results),
            Event::Ankan { .. } | Event::Kakan { .. } | Event::Kita { .. } => return,
        };
        self.push(line);
    }
}
