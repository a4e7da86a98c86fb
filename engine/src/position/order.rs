//! The order of turns that leads to a position.
//!
//! Claimed discards are marked, so the rivers determine the order: the dealer begins, and each
//! discard passes the turn to the next player or to the claimer. Two things can be ambiguous: which
//! of several melds claims a discard, and the turn of a kan or kita without an entry in the river.
//! The search tries late declarations first and backtracks.

use super::text::{ankan_or_kakan, meld_text};
use super::{Declared, Dropped, Held, PlayerSetup, Position, RiverEntry, many};
use crate::rules::FieldProblem;
use crate::table::Phase;
use crate::{BySeat, MeldKind, Seat, Tile};

/// A step of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Draw {
        seat: Seat,
        replacement: bool,
    },
    Discard {
        seat: Seat,
        dropped: Dropped,
        /// The index of the entry in the river.
        entry: usize,
    },
    Call {
        seat: Seat,
        declared: Declared,
    },
    /// An ankan or kakan.
    Kan {
        seat: Seat,
        declared: Declared,
    },
    Kita {
        seat: Seat,
    },
}

/// The steps that lead to a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) steps: &'a [Step],
    /// The phase in which the seat of the position decides.
    pub(super) phase: Phase,
}

/// The maximum number of steps that a search tries with each setting of [`Search::in_this_turn`] and
/// [`Search::after_riichi`].
const MAX_NODES: u32 = 100_000;
/// The maximum number of complete orders that it tries with each setting.
const MAX_ORDERS: u32 = 64;

/// Calls `accept` with each order of turns until it returns `Ok`, and returns its value.
///
/// # Errors
///
/// The first error of `accept`, or where the longest attempt ends if there is no order.
pub(super) fn find<T>(
    position: &Position,
    accept: impl FnMut(Order<'_>) -> Result<T, FieldProblem>,
) -> Result<T, FieldProblem> {
    let mut search = Search {
        position,
        accept,
        steps: Vec::new(),
        in_this_turn: false,
        after_riichi: false,
        nodes: 0,
        orders: 0,
        accepted: None,
        refused: None,
        furthest: None,
    };
    for (in_this_turn, after_riichi) in [(false, false), (false, true), (true, false), (true, true)] {
        search.in_this_turn = in_this_turn;
        search.after_riichi = after_riichi;
        if search.start() {
            break;
        }
    }
    let furthest = search.furthest.map(|(_, problem)| problem);
    let problem = search.refused.or(furthest);
    let nowhere = || FieldProblem::new("seat", "no order of turns leads here");
    search.accepted.ok_or_else(|| problem.unwrap_or_else(nowhere))
}

/// How much of a player's river and melds has been played.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Entries of the river.
    entries: usize,
    /// The number of steps that each meld has taken: a kakan takes two, its pon and the added tile.
    melds: [u8; 4],
    kita: u8,
    riichi: bool,
}

type State = BySeat<Progress>;

struct Search<'a, F, T> {
    position: &'a Position,
    accept: F,
    steps: Vec<Step>,
    /// Whether kans and kitas without an entry in a river may be declared in the turn that the position
    /// asks about.
    in_this_turn: bool,
    /// Whether kans and kitas without an entry in a river may be declared in riichi.
    after_riichi: bool,
    nodes: u32,
    orders: u32,
    /// The value of the order that was accepted.
    accepted: Option<T>,
    /// Why the first order was not accepted.
    refused: Option<FieldProblem>,
    /// Why the longest attempt failed, and its number of steps.
    furthest: Option<(usize, FieldProblem)>,
}

impl<T, F: FnMut(Order<'_>) -> Result<T, FieldProblem>> Search<'_, F, T> {
    /// Searches from the deal on with the current settings. Returns whether an order was accepted, as all
    /// methods do that continue the search.
    fn start(&mut self) -> bool {
        self.steps.clear();
        (self.nodes, self.orders) = (0, 0);
        let state = BySeat::splat(self.position.rules.players, Progress::default());
        let dealer = self.position.dealer();
        self.draw(state, dealer, false)
    }

    fn player(&self, seat: Seat) -> &PlayerSetup {
        &self.position.players[seat]
    }

    /// Records why this attempt ends here, and returns false.
    fn fail(&mut self, problem: impl FnOnce(&Position) -> FieldProblem) -> bool {
        let steps = self.steps.len();
        if self.furthest.as_ref().is_none_or(|(most, _)| steps > *most) {
            self.furthest = Some((steps, problem(self.position)));
        }
        false
    }

    /// Tries a step and, with `next`, what may follow it. Then takes it back.
    fn with(&mut self, step: Step, next: impl FnOnce(&mut Self) -> bool) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.orders >= MAX_ORDERS {
            return false;
        }
        self.steps.push(step);
        let found = next(self);
        self.steps.pop();
        found
    }

    fn draw(&mut self, state: State, seat: Seat, replacement: bool) -> bool {
        self.with(Step::Draw { seat, replacement }, |search| search.turn(state, seat, true))
    }

    /// The turn of a player who has drawn, or called if `drawn` is false.
    fn turn(&mut self, state: State, seat: Seat, drawn: bool) -> bool {
        let position = self.position;
        let entry = state[seat].entries;
        let mut next = state;
        next[seat].entries += 1;
        match position.players[seat].river.get(entry) {
            Some(RiverEntry::Discard(dropped)) => {
                let is_last = entry + 1 == self.player(seat).river.len();
                let must_declare = is_last
                    && self.has_unlisted(state, seat)
                    && !(self.in_this_turn && seat == position.seat);
                !must_declare && self.discard(state, seat, drawn, *dropped)
                    || drawn && self.declare_unlisted(state, seat)
            }
            Some(RiverEntry::Kan(kind)) => {
                let may_be = |index: &usize| {
                    ankan_or_kakan(self.player(seat).melds[*index]) == Some(*kind)
                        && self.may_declare(state, seat, *index)
                };
                let index = (0..self.player(seat).melds.len()).find(may_be);
                match index.filter(|_| drawn) {
                    Some(index) => self.kan(next, seat, index),
                    None => self.fail(|position| {
                        let what =
                            "found a kan right after a call, or a kakan before its pon, expected a discard";
                        position.wrong_entry(seat, entry, what)
                    }),
                }
            }
            Some(RiverEntry::Kita) if drawn => self.kita(next, seat),
            Some(RiverEntry::Kita) => self.fail(|position| {
                let what = format!("entry {}: found `<kita>` right after a call", entry + 1);
                position.wrong(seat, "river", what)
            }),
            None => self.river_ends(state, seat, drawn),
        }
    }

    /// It is a player's turn, and the river has no further entry.
    fn river_ends(&mut self, state: State, seat: Seat, drawn: bool) -> bool {
        let decides = self.position.seat;
        let discards = self.player(seat).discards();
        if seat != decides {
            return self.fail(|position| {
                let what = format!(
                    "found {}, expected another one before {} can decide; without whole rivers, give `turn`, such as `turn = 6`",
                    many(discards, "discard"),
                    position.name(decides)
                );
                position.wrong(seat, "river", what)
            });
        }
        if self.has_unlisted(state, seat) && self.in_this_turn && drawn {
            return self.declare_unlisted(state, seat);
        }
        if let Some(problem) = self.unfinished(state) {
            return self.fail(|_| problem);
        }
        let size = 14 - 3 * self.player(seat).melds.len();
        match (&self.player(seat).hand, drawn) {
            (Some(Held { drawn: Some(_), .. }), true) => self.finish(Phase::Turn),
            (Some(Held { drawn: None, tiles }), false) if tiles.len() == size => self.finish(Phase::Turn),
            (_, true) => self.fail(|position| {
                let what = "found no drawn tile, expected one after `+`, since it is this player's turn";
                position.wrong(seat, "hand", what)
            }),
            (_, false) => self.fail(|position| {
                let what =
                    format!("expected {size} tiles without a drawn one, since the player has just called");
                position.wrong(seat, "hand", what)
            }),
        }
    }

    fn discard(&mut self, state: State, seat: Seat, drawn: bool, dropped: Dropped) -> bool {
        let entry = state[seat].entries;
        if dropped.tsumogiri && !drawn {
            return self.fail(|position| {
                let what = "found tsumogiri, expected a discard from the hand right after a call";
                position.wrong_entry(seat, entry, what)
            });
        }
        let mut next = state;
        next[seat].entries += 1;
        next[seat].riichi |= dropped.riichi;
        self.with(Step::Discard { seat, dropped, entry }, |search| {
            if dropped.claimed {
                search.claimed(next, seat, dropped, entry)
            } else {
                search.passed(next, seat)
            }
        })
    }

    /// A discard was claimed: tries every meld that fits.
    fn claimed(&mut self, state: State, from: Seat, dropped: Dropped, entry: usize) -> bool {
        let mut fits_any = false;
        for caller in self.position.rules.players.others(from) {
            for index in 0..self.player(caller).melds.len() {
                let declared = self.player(caller).melds[index];
                let claimed = declared.meld.claimed();
                let fits =
                    claimed.is_some_and(|claimed| claimed.from == from && claimed.tile == dropped.tile);
                if !fits || state[caller].melds[index] > 0 {
                    continue;
                }
                fits_any = true;
                let mut next = state;
                next[caller].melds[index] += 1;
                let is_kan = declared.meld.kind() == MeldKind::Daiminkan;
                let found = self.with(Step::Call { seat: caller, declared }, |search| {
                    if is_kan { search.draw(next, caller, true) } else { search.turn(next, caller, false) }
                });
                if found {
                    return true;
                }
            }
        }
        if fits_any {
            return false;
        }
        self.fail(|position| {
            let what = format!(
                "found a claimed discard, expected a meld that claims {} from {}{}",
                dropped.tile,
                position.name(from),
                claimed_from_another(position, dropped.tile, from)
            );
            position.wrong_entry(from, entry, &what)
        })
    }

    /// A discard was not claimed.
    fn passed(&mut self, state: State, from: Seat) -> bool {
        let position = self.position;
        let decides = position.seat;
        let next = from.next(position.rules.players);
        let draws = position.has_drawn();
        if !self.rivers_are_played(state) || draws && next == decides {
            return self.draw(state, next, false);
        }
        if let Some(problem) = self.unfinished(state) {
            return self.fail(|_| problem);
        }
        if draws {
            return self.fail(|position| {
                let what = format!(
                    "found a drawn tile, expected none: after the discard of {} it is the turn of {}",
                    position.name(from),
                    position.name(next)
                );
                position.wrong(decides, "hand", what)
            });
        }
        if from == decides {
            return self.fail(|position| {
                let what = format!(
                    "{} has just discarded and has nothing to decide: expected a drawn tile (`+`) or a later discard of another player",
                    position.name(decides)
                );
                FieldProblem::new("seat", what)
            });
        }
        self.finish(Phase::Claim)
    }

    /// Declares a kan or kita without an entry in the river.
    fn declare_unlisted(&mut self, state: State, seat: Seat) -> bool {
        if state[seat].riichi && !self.after_riichi {
            return false;
        }
        let melds = 0..self.player(seat).melds.len();
        let unlisted: Vec<usize> = melds.filter(|index| self.is_unlisted(seat, *index)).collect();
        unlisted.into_iter().any(|index| self.may_declare(state, seat, index) && self.kan(state, seat, index))
            || self.unlisted_kita(state, seat) && self.kita(state, seat)
    }

    fn kan(&mut self, state: State, seat: Seat, index: usize) -> bool {
        let declared = self.player(seat).melds[index];
        let mut next = state;
        next[seat].melds[index] += 1;
        self.with(Step::Kan { seat, declared }, |search| search.declared(next, seat))
    }

    fn kita(&mut self, state: State, seat: Seat) -> bool {
        let mut next = state;
        next[seat].kita += 1;
        self.with(Step::Kita { seat }, |search| search.declared(next, seat))
    }

    /// A player has declared a kan or kita. It may be the tile that the position asks about.
    fn declared(&mut self, state: State, seat: Seat) -> bool {
        let asks = seat != self.position.seat && !self.position.has_drawn();
        if asks && self.rivers_are_played(state) && self.unfinished(state).is_none() {
            return self.finish(Phase::KanClaim);
        }
        self.draw(state, seat, true)
    }

    /// Whether this meld, an ankan or kakan, can be declared now: the kan is its last step.
    fn may_declare(&self, state: State, seat: Seat, index: usize) -> bool {
        state[seat].melds[index] + 1 == self.player(seat).melds[index].steps()
    }

    /// Whether the meld is a kan without an entry in the river.
    fn is_unlisted(&self, seat: Seat, index: usize) -> bool {
        let player = self.player(seat);
        ankan_or_kakan(player.melds[index]).is_some_and(|kind| !player.river.contains(&RiverEntry::Kan(kind)))
    }

    /// Whether a North without an entry in the river is still to be set aside.
    fn unlisted_kita(&self, state: State, seat: Seat) -> bool {
        let left =
            |entries: &[RiverEntry]| entries.iter().filter(|entry| **entry == RiverEntry::Kita).count();
        let player = self.player(seat);
        usize::from(state[seat].kita) + left(&player.river[state[seat].entries..]) < usize::from(player.kita)
    }

    /// Whether a kan or kita without an entry in the river is still to be declared.
    fn has_unlisted(&self, state: State, seat: Seat) -> bool {
        let melds = &self.player(seat).melds;
        let is_pending = |index: usize| state[seat].melds[index] < melds[index].steps();
        (0..melds.len()).any(|index| self.is_unlisted(seat, index) && is_pending(index))
            || self.unlisted_kita(state, seat)
    }

    /// Whether all entries of all rivers have been played.
    fn rivers_are_played(&self, state: State) -> bool {
        let players = self.position.rules.players;
        players.seats().all(|seat| state[seat].entries == self.player(seat).river.len())
    }

    /// The error for a part of the position that this order lacks.
    fn unfinished(&self, state: State) -> Option<FieldProblem> {
        let position = self.position;
        for seat in position.rules.players.seats() {
            let (player, progress) = (self.player(seat), state[seat]);
            if progress.entries < player.river.len() {
                let what =
                    format!("expected no entry after the decision of {}", position.name(position.seat));
                return Some(position.wrong_entry(seat, progress.entries, &what));
            }
            let mut melds = player.melds.iter().zip(progress.melds);
            if let Some((declared, steps)) = melds.find(|(declared, steps)| *steps < declared.steps()) {
                let what = match declared.meld.claimed() {
                    Some(_) if steps > 0 => "found no turn for the kakan after the pon".to_owned(),
                    Some(claimed) => format!(
                        "expected a discard `{}'` in `{}`, found none that is left for this meld",
                        claimed.tile,
                        position.field(claimed.from, "river")
                    ),
                    None => "found no turn for this kan".to_owned(),
                };
                let meld = meld_text(*declared, seat, position.rules.players);
                return Some(position.wrong(seat, "melds", format!("`{meld}`: {what}")));
            }
            if progress.kita < player.kita {
                let what = format!(
                    "found {} Norths set aside, but the discards leave turns for only {}",
                    player.kita, progress.kita
                );
                return Some(position.wrong(seat, "kita", what));
            }
        }
        None
    }

    /// Passes the finished order to `accept`.
    fn finish(&mut self, phase: Phase) -> bool {
        self.orders += 1;
        match (self.accept)(Order { steps: &self.steps, phase }) {
            Ok(value) => self.accepted = Some(value),
            Err(problem) => _ = self.refused.get_or_insert(problem),
        }
        self.accepted.is_some()
    }
}

/// The end of an error about a claimed discard: a meld that claims this tile, but not from the
/// player `from`.
/// Empty without one.
fn claimed_from_another(position: &Position, tile: Tile, from: Seat) -> String {
    let players = position.rules.players;
    let mut claims = players
        .seats()
        .flat_map(|seat| position.players[seat].melds.iter().map(move |declared| (seat, declared)));
    let found = claims.find_map(|(seat, declared)| {
        let claimed = declared.meld.claimed()?;
        if claimed.tile != tile || claimed.from == from {
            return None;
        }
        let meld = meld_text(*declared, seat, players);
        let why = match declared.meld.kind() {
            MeldKind::Chi => "a chi claims from the player to the left",
            _ => "the place of the sideways tile (') shows whose discard it was",
        };
        let [melds, from] = [position.field(seat, "melds"), position.name(claimed.from).to_owned()];
        Some(format!("; `{meld}` in `{melds}` claims it from {from}: {why}"))
    });
    found.unwrap_or_default()
}
