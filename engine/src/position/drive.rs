//! Plays a hand up to a position.

use super::order::{self, Order, Step};
use super::text::meld_text;
use super::{Declared, Dropped, Position, many};
use crate::event::{Event, Observer};
use crate::game::Game;
use crate::game_state::Standing;
use crate::outcome::HandEnd;
use crate::random::{Rng, hash};
use crate::replay::{GameHistory, GameStart};
use crate::rules::FieldProblem;
use crate::table::Phase;
use crate::wall::Wall;
use crate::{Action, BySeat, Declare, Meld, MeldKind, Seat, Tile};

/// Names the stream of the hidden tiles.
const STREAM: u64 = u64::from_le_bytes(*b"position");
/// How many random deals of the hidden tiles are tried for one order of turns.
const DEALS: u64 = 8;

impl Position {
    /// Plays a position whose rivers are whole.
    pub(super) fn play_whole(&self, seed: u64) -> Result<GameHistory, FieldProblem> {
        order::find(self, |order| self.play_order(order, seed))
    }

    /// Plays an order of turns.
    fn play_order(&self, order: Order<'_>, seed: u64) -> Result<GameHistory, FieldProblem> {
        let mut refused = None;
        for deal in 0..DEALS {
            let mut rng = Rng::new(hash(&[seed, STREAM, deal]));
            match self.wall(order, &mut rng).and_then(|wall| Drive::run(self, order, wall, seed)) {
                Ok(played) => {
                    // Other hidden tiles would not change what all players see, so they are not tried.
                    self.check_played(&played, order.phase)?;
                    return Ok(played.history);
                }
                Err(problem) => refused.get_or_insert(problem),
            };
        }
        Err(refused.unwrap_or_else(|| FieldProblem::new("seat", "no deal leads here")))
    }

    /// The points before the riichi sticks of this hand were paid.
    fn first_scores(&self, order: Order<'_>) -> BySeat<i32> {
        let stated = |seat: Seat| self.players[seat].score;
        let mut scores =
            BySeat::from_fn(self.rules.players, |seat| stated(seat).unwrap_or(self.rules.start_points));
        // A riichi in the last step is not accepted yet, so its stick is not paid.
        let last = order.steps.len().saturating_sub(1);
        for (index, step) in order.steps.iter().enumerate() {
            if let Step::Discard { seat, dropped, .. } = step
                && dropped.riichi
                && index < last
                && stated(*seat).is_some()
            {
                scores[*seat] = scores[*seat].saturating_add(self.rules.riichi_stick);
            }
        }
        scores
    }

    /// Checks that the seat has to decide, and that the table matches the position.
    fn check_played(&self, played: &Drive<'_>, phase: Phase) -> Result<(), FieldProblem> {
        let (seat, table) = (self.seat, played.game().table());
        let o = played.game().observe(seat);
        if let Some(end) = &played.end.0 {
            let what = format!("the hand has ended with {end}, so there is nothing to decide");
            return Err(FieldProblem::new("seat", what));
        }
        // If the table has more discards, the engine has already made the only legal one of this turn.
        let is_open = table.discards().len() == played.discards;
        if !is_open || table.phase() != phase || o.legal().is_empty() {
            let why = match (phase, self.has_drawn()) {
                (Phase::Turn, true) => "has only one legal action",
                (Phase::Turn, false) => "can discard only one tile",
                _ => "cannot claim the last tile",
            };
            let what = format!("{} {why}, so there is nothing to decide", self.name(seat));
            return Err(FieldProblem::new("seat", what));
        }
        if table.indicators() != self.indicators {
            let what = format!(
                "found {}, expected {} after {}",
                many(self.indicators.len(), "dora indicator"),
                table.indicators().len(),
                many(usize::from(table.kans()), "kan")
            );
            return Err(FieldProblem::new("indicators", what));
        }
        match self.live {
            Some(live) if live != table.live() => {
                let what = format!("found {live}, expected {} after these discards", table.live());
                Err(FieldProblem::new("live", what))
            }
            _ => Ok(()),
        }
    }
}

/// A hand in play.
struct Drive<'a> {
    position: &'a Position,
    history: GameHistory,
    end: HandEnded,
    /// The number of discards among the steps so far. The table may have more: forced ones.
    discards: usize,
}

/// How the first hand ended, if it did.
#[derive(Default)]
struct HandEnded(Option<String>);

impl Observer for HandEnded {
    fn event(&mut self, event: &Event) {
        if let Event::HandEnd(outcome) = event {
            self.0.get_or_insert_with(|| match &outcome.end {
                HandEnd::Win(_) => "a win".to_owned(),
                HandEnd::Draw { reason, .. } => format!("a draw ({reason})"),
            });
        }
    }
}

impl<'a> Drive<'a> {
    fn run(
        position: &'a Position,
        order: Order<'_>,
        wall: Wall,
        seed: u64,
    ) -> Result<Drive<'a>, FieldProblem> {
        let Position { round, honba, sticks, .. } = *position;
        let standing = Standing::at_deal(round, [honba, sticks], position.first_scores(order));
        let (start, mut end) = (GameStart { standing, wall: Some(wall) }, HandEnded::default());
        let history = GameHistory::new_seen(&position.rules, seed, &start, &mut end);
        let history = history.map_err(|error| FieldProblem::new("round", error.to_string()))?;
        let mut drive = Drive { position, history, end, discards: 0 };
        for (index, step) in order.steps.iter().enumerate() {
            let is_last = index + 1 == order.steps.len();
            drive.step(*step, is_last && order.phase != Phase::Turn)?;
        }
        Ok(drive)
    }

    const fn game(&self) -> &Game {
        self.history.game()
    }

    /// Applies a step. Before any step but a call, all players pass. `asks_about_it`: the position asks who
    /// claims the tile of this step.
    fn step(&mut self, step: Step, asks_about_it: bool) -> Result<(), FieldProblem> {
        match step {
            Step::Draw { .. } => {
                self.pass_all()?;
                return self.check_continues(step);
            }
            Step::Discard { seat, dropped, entry } => self.discard(seat, dropped, entry)?,
            Step::Call { seat, declared } => self.call(seat, declared)?,
            Step::Kan { seat, declared } => {
                let kind = declared.meld.low();
                self.act(seat, Action::Kan { kind }, "melds", &declared.meld.to_string())?;
            }
            Step::Kita { seat } => self.act(seat, Action::Kita, "kita", "a kita")?,
        }
        if asks_about_it { Ok(()) } else { self.check_continues(step) }
    }

    /// Checks that the hand continues after a step.
    fn check_continues(&self, step: Step) -> Result<(), FieldProblem> {
        let Some(end) = &self.end.0 else { return Ok(()) };
        let (seat, what) = match step {
            Step::Draw { seat, .. } => (seat, "this draw".to_owned()),
            Step::Discard { seat, entry, .. } => (seat, self.position.entry_name(seat, entry)),
            Step::Call { seat, declared } => (seat, format!("the call `{}`", declared.meld)),
            Step::Kan { seat, declared } => (seat, format!("the kan `{}`", declared.meld)),
            Step::Kita { seat } => (seat, "a kita".to_owned()),
        };
        Err(self.position.wrong(seat, "river", format!("{what}: the hand has ended with {end}")))
    }

    /// Every player passes the offered tile, unless it is a forced discard of a later step.
    fn pass_all(&mut self) -> Result<(), FieldProblem> {
        while self.offers_an_earlier_tile() {
            let Some(seat) = self.game().pending().iter().next() else { break };
            self.submit(seat, Action::Pass, "river", "the pass")?;
        }
        Ok(())
    }

    /// Whether the tile on offer belongs to the steps so far, and the hand continues.
    fn offers_an_earlier_tile(&self) -> bool {
        let table = self.game().table();
        let is_offer = matches!(table.phase(), Phase::Claim | Phase::KanClaim);
        is_offer && self.end.0.is_none() && table.discards().len() == self.discards
    }

    fn submit(&mut self, seat: Seat, action: Action, field: &str, what: &str) -> Result<(), FieldProblem> {
        let legal = self.game().observe(seat).legal();
        if !legal.contains(action.id()) {
            let why = self.why_not(seat, action);
            let action = self.game().observe(seat).describe(action);
            let what = format!("{what}: {} may not {action} here{why}", self.position.name(seat));
            return Err(self.position.wrong(seat, field, what));
        }
        let submitted = self.history.submit_seen(seat, action, &mut self.end);
        submitted.map_err(|error| self.position.wrong(seat, field, error.to_string()))
    }

    /// Why an action is not legal, if there is a likely reason.
    fn why_not(&self, seat: Seat, action: Action) -> String {
        let rules = &self.position.rules;
        if !action.declares_riichi() {
            return String::new();
        }
        let points_found = self.game().scores()[seat];
        let points_text = |points: i32| format!(", {points} points (found {points_found})");
        let points = rules.riichi_min_points.0.map_or_else(String::new, points_text);
        let live = rules.riichi_min_live;
        let found = self.game().table().live();
        format!(": riichi needs a closed tenpai hand{points} and {live} live tiles (found {found})")
    }

    fn act(&mut self, seat: Seat, action: Action, field: &str, what: &str) -> Result<(), FieldProblem> {
        self.pass_all()?;
        self.submit(seat, action, field, &format!("`{what}`"))
    }

    fn discard(&mut self, seat: Seat, dropped: Dropped, entry: usize) -> Result<(), FieldProblem> {
        self.pass_all()?;
        self.discards += 1;
        let made = self.game().table().discards().iter().nth(self.discards - 1);
        if let Some(made) = made.filter(|_| self.end.0.is_none()) {
            // The engine made the only legal discard.
            if (made.seat, made.tile, made.tsumogiri) == (seat, dropped.tile, dropped.tsumogiri) {
                return Ok(());
            }
            let what = format!("expected the only legal discard, {}", made.tile);
            return Err(self.position.wrong_entry(seat, entry, &what));
        }
        let declare = if dropped.riichi { Declare::Riichi } else { Declare::Nothing };
        let action = if dropped.tsumogiri {
            Action::Tsumogiri { declare }
        } else {
            Action::Discard { tile: dropped.tile, declare }
        };
        self.submit(seat, action, "river", &self.position.entry_name(seat, entry))
    }

    fn call(&mut self, seat: Seat, declared: Declared) -> Result<(), FieldProblem> {
        let action = call_action(declared);
        let text = format!("`{}`", meld_text(declared, seat, self.position.rules.players));
        while let Some(other) = self.game().pending().iter().find(|other| *other != seat) {
            self.submit(other, Action::Pass, "river", "the pass")?;
        }
        self.submit(seat, action, "melds", &text)
    }
}

/// The action that makes a claimed meld. For a kakan, the pon before it.
fn call_action(declared: Declared) -> Action {
    let Declared { meld, added } = declared;
    let reds = meld.reds() - u8::from(added.is_some_and(Tile::is_red));
    let pon = Meld::new(MeldKind::Pon, meld.low(), reds, meld.claimed());
    added.map_or(meld, |_| pon).call().expect("a claimed meld is made by a call")
}
