//! The order of turns that leads to a position.
//!
//! Claimed discards are marked, so the rivers determine the order: the dealer begins, and each
//! discard passes the turn to the next player or to the claimer. Two things can be ambiguous: which
//! of several melds claims a discard, and the turn of a kan or kita without an entry in the river.
//! The search tries late declarations first and backtracks.

use super::text::{entry_text, meld_text, own_kan};
use super::{Declared, Dropped, Held, PlayerSetup, Position, RiverEntry, Wrong, many};
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

/// The decision that a position asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PendingDecision {
    Turn,
    AfterCall,
    Claim,
    KanClaim,
}

/// Steps that lead to a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) steps: &'a [Step],
    pub(super) asked: PendingDecision,
}

/// The maximum number of steps that a search tries with each freedom of declarations.
const MAX_NODES: u32 = 100_000;
/// The maximum number of orders that it tries.
const MAX_ORDERS: u32 = 64;

/// Calls `accept` with each order of turns until it returns `Ok`.
///
/// # Errors
///
/// The first error of `accept`, or where the longest attempt ends if there is no order.
pub(super) fn orders(
    position: &Position,
    accept: impl FnMut(Order<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let mut search = Search {
        position,
        accept,
        steps: Vec::new(),
        in_this_turn: false,
        after_riichi: false,
        nodes: 0,
        orders: 0,
        refused: None,
        furthest: None,
    };
    for (in_this_turn, after_riichi) in [(false, false), (false, true), (true, false), (true, true)] {
        search.in_this_turn = in_this_turn;
        search.after_riichi = after_riichi;
        if search.start() {
            return Ok(());
        }
    }
    let furthest = search.furthest.map(|(_, wrong)| wrong);
    Err(search.refused.or(furthest).unwrap_or_else(|| Wrong::new("seat", "no order of turns leads here")))
}

/// How much of a player's table has happened.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Entries of the river.
    entries: usize,
    /// Melds that are made, by index, as bits. A kakan counts as made at its pon.
    made: u8,
    /// Kakans whose tile is added, by index, as bits.
    added: u8,
    kita: u8,
    riichi: bool,
}

type State = BySeat<Progress>;

struct Search<'a, F> {
    position: &'a Position,
    accept: F,
    steps: Vec<Step>,
    /// Whether kans without a date may be declared in the turn that the position asks for.
    in_this_turn: bool,
    /// Whether kans without a date may be declared in riichi.
    after_riichi: bool,
    nodes: u32,
    orders: u32,
    /// Why the first order was not accepted.
    refused: Option<Wrong>,
    /// Why the longest attempt failed, and its number of steps.
    furthest: Option<(usize, Wrong)>,
}

impl<F: FnMut(Order<'_>) -> Result<(), Wrong>> Search<'_, F> {
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

    /// Records why this attempt ends here.
    fn fail(&mut self, wrong: impl FnOnce(&Position) -> Wrong) -> bool {
        let steps = self.steps.len();
        if self.furthest.as_ref().is_none_or(|(most, _)| steps > *most) {
            self.furthest = Some((steps, wrong(self.position)));
        }
        false
    }

    /// Tries a step, and takes it back if it does not lead to the position.
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

    /// A player has drawn or called.
    fn turn(&mut self, state: State, seat: Seat, drawn: bool) -> bool {
        let position = self.position;
        match position.players[seat].river.get(state[seat].entries) {
            Some(RiverEntry::Discard(dropped)) => {
                let is_last = state[seat].entries + 1 == self.player(seat).river.len();
                let must_declare =
                    is_last && self.has_undated(state, seat) && !(self.in_this_turn && seat == position.seat);
                !must_declare && self.discard(state, seat, drawn, *dropped)
                    || drawn && self.declare_undated(state, seat)
            }
            Some(RiverEntry::Kan(kind)) => {
                let made = |search: &Self, index: usize| {
                    own_kan(search.player(seat).melds[index]) == Some(*kind)
                        && search.may_declare(state, seat, index)
                };
                let index = (0..self.player(seat).melds.len()).find(|index| made(self, *index));
                match index.filter(|_| drawn) {
                    Some(index) => {
                        let mut next = state;
                        next[seat].entries += 1;
                        self.kan(next, seat, index)
                    }
                    None => self.fail(|position| {
                        let what = format!(
                            "entry {} `<{kind}>`: found a kan, expected a discard right after a call, or the pon before its kakan",
                            state[seat].entries + 1
                        );
                        position.wrong(seat, "river", what)
                    }),
                }
            }
            Some(RiverEntry::Kita) if drawn => {
                let mut next = state;
                next[seat].entries += 1;
                self.kita(next, seat)
            }
            Some(RiverEntry::Kita) => self.fail(|position| {
                let what = format!("entry {}: found `<kita>` right after a call", state[seat].entries + 1);
                position.wrong(seat, "river", what)
            }),
            None => self.river_ends(state, seat, drawn),
        }
    }

    /// A player is in turn, and the river has no further entry.
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
        if self.has_undated(state, seat) && self.in_this_turn && drawn {
            return self.declare_undated(state, seat);
        }
        if let Some(wrong) = self.unfinished(state) {
            return self.fail(|_| wrong);
        }
        let melds = self.player(seat).melds.len();
        match (&self.player(seat).hand, drawn) {
            (Some(Held { drawn: Some(_), .. }), true) => self.finish(PendingDecision::Turn),
            (Some(Held { drawn: None, tiles }), false) if tiles.len() == 14 - 3 * melds => {
                self.finish(PendingDecision::AfterCall)
            }
            (_, true) => self.fail(|position| {
                let what = "found no drawn tile, expected one after `+`, since it is this player's turn";
                position.wrong(seat, "hand", what)
            }),
            (_, false) => self.fail(|position| {
                let what = format!(
                    "expected {} tiles without a drawn one, since the player has just called",
                    14 - 3 * melds
                );
                position.wrong(seat, "hand", what)
            }),
        }
    }

    fn discard(&mut self, state: State, seat: Seat, drawn: bool, dropped: Dropped) -> bool {
        let entry = state[seat].entries;
        if dropped.tsumogiri && !drawn {
            return self.fail(|position| {
                let text = entry_text(RiverEntry::Discard(dropped));
                let what = format!(
                    "entry {} `{text}`: found tsumogiri, expected a discard from the hand right after a call",
                    entry + 1
                );
                position.wrong(seat, "river", what)
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
                if !fits || state[caller].made >> index & 1 != 0 {
                    continue;
                }
                fits_any = true;
                let mut next = state;
                next[caller].made |= 1 << index;
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
            let text = entry_text(RiverEntry::Discard(dropped));
            let what = format!(
                "entry {} `{text}`: found a claimed discard, expected a meld that claims {} from {}{}",
                entry + 1,
                dropped.tile,
                position.name(from),
                claimed_from_another(position, dropped.tile)
            );
            position.wrong(from, "river", what)
        })
    }

    /// A discard was not claimed.
    fn passed(&mut self, state: State, from: Seat) -> bool {
        let position = self.position;
        let decides = position.seat;
        let next = from.next(position.rules.players);
        let draws = position.players[decides].hand.as_ref().is_some_and(|held| held.drawn.is_some());
        if !self.nothing_is_left(state) || draws && next == decides {
            return self.draw(state, next, false);
        }
        if let Some(wrong) = self.unfinished(state) {
            return self.fail(|_| wrong);
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
                Wrong::new("seat", what)
            });
        }
        self.finish(PendingDecision::Claim)
    }

    /// Declares a kan or kita without an entry in the river.
    fn declare_undated(&mut self, state: State, seat: Seat) -> bool {
        if state[seat].riichi && !self.after_riichi {
            return false;
        }
        for index in 0..self.player(seat).melds.len() {
            if self.is_undated(seat, index)
                && self.may_declare(state, seat, index)
                && self.kan(state, seat, index)
            {
                return true;
            }
        }
        self.undated_kita(state, seat) && self.kita(state, seat)
    }

    fn kan(&mut self, state: State, seat: Seat, index: usize) -> bool {
        let declared = self.player(seat).melds[index];
        let mut next = state;
        match declared.meld.kind() {
            MeldKind::Ankan => next[seat].made |= 1 << index,
            _ => next[seat].added |= 1 << index,
        }
        self.with(Step::Kan { seat, declared }, |search| search.declared(next, seat))
    }

    fn kita(&mut self, state: State, seat: Seat) -> bool {
        let mut next = state;
        next[seat].kita += 1;
        self.with(Step::Kita { seat }, |search| search.declared(next, seat))
    }

    /// A player has declared a kan or kita. It may be the tile that the position asks about.
    fn declared(&mut self, state: State, seat: Seat) -> bool {
        let decides = self.position.seat;
        let draws = self.player(decides).hand.as_ref().is_some_and(|held| held.drawn.is_some());
        if seat != decides && !draws && self.nothing_is_left(state) && self.unfinished(state).is_none() {
            return self.finish(PendingDecision::KanClaim);
        }
        self.draw(state, seat, true)
    }

    /// Whether the kan of this meld can be declared now.
    fn may_declare(&self, state: State, seat: Seat, index: usize) -> bool {
        let progress = state[seat];
        let has = |bits: u8| bits >> index & 1 != 0;
        match self.player(seat).melds[index].meld.kind() {
            MeldKind::Ankan => !has(progress.made),
            MeldKind::Kakan => has(progress.made) && !has(progress.added),
            _ => false,
        }
    }

    /// Whether the meld is a kan without an entry in the river.
    fn is_undated(&self, seat: Seat, index: usize) -> bool {
        let player = self.player(seat);
        own_kan(player.melds[index]).is_some_and(|kind| !player.river.contains(&RiverEntry::Kan(kind)))
    }

    /// Whether a North without an entry in the river is still to be set aside.
    fn undated_kita(&self, state: State, seat: Seat) -> bool {
        let left =
            |entries: &[RiverEntry]| entries.iter().filter(|entry| **entry == RiverEntry::Kita).count();
        let player = self.player(seat);
        usize::from(state[seat].kita) + left(&player.river[state[seat].entries..]) < usize::from(player.kita)
    }

    /// Whether a kan or kita without an entry in the river is still to be declared.
    fn has_undated(&self, state: State, seat: Seat) -> bool {
        let progress = state[seat];
        let is_open = |index: usize| {
            let done = match self.player(seat).melds[index].meld.kind() {
                MeldKind::Ankan => progress.made,
                _ => progress.added,
            };
            self.is_undated(seat, index) && done >> index & 1 == 0
        };
        (0..self.player(seat).melds.len()).any(is_open) || self.undated_kita(state, seat)
    }

    /// Whether all rivers are at their ends.
    fn nothing_is_left(&self, state: State) -> bool {
        let players = self.position.rules.players;
        players.seats().all(|seat| state[seat].entries == self.player(seat).river.len())
    }

    /// The error for a part of the position that this order lacks.
    fn unfinished(&self, state: State) -> Option<Wrong> {
        let position = self.position;
        for seat in position.rules.players.seats() {
            let (player, progress) = (self.player(seat), state[seat]);
            if let Some(entry) = player.river.get(progress.entries) {
                let what = format!(
                    "entry {} `{}`: found it after the turn of {} has come",
                    progress.entries + 1,
                    entry_text(*entry),
                    position.name(position.seat)
                );
                return Some(position.wrong(seat, "river", what));
            }
            for (index, declared) in player.melds.iter().enumerate() {
                let text = meld_text(*declared, seat, position.rules.players);
                if progress.made >> index & 1 == 0 {
                    let from = declared.meld.claimed().map(|claimed| (claimed.tile, claimed.from));
                    let what = match from {
                        Some((tile, from)) => format!(
                            "`{text}`: expected a discard `{tile}'` in `{}`, found none that is left for this meld",
                            position.field(from, "river")
                        ),
                        None => format!("`{text}`: found no turn for this kan"),
                    };
                    return Some(position.wrong(seat, "melds", what));
                }
                if declared.added.is_some() && progress.added >> index & 1 == 0 {
                    let what = format!("`{text}`: found no turn for the kakan after the pon");
                    return Some(position.wrong(seat, "melds", what));
                }
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

    fn finish(&mut self, asked: PendingDecision) -> bool {
        self.orders += 1;
        match (self.accept)(Order { steps: &self.steps, asked }) {
            Ok(()) => true,
            Err(wrong) => {
                self.refused.get_or_insert(wrong);
                false
            }
        }
    }
}

/// The end of an error about a claimed discard: a meld that claims this tile, but not from its
/// player.
fn claimed_from_another(position: &Position, tile: Tile) -> String {
    let players = position.rules.players;
    let mut claims = players
        .seats()
        .flat_map(|seat| position.players[seat].melds.iter().map(move |declared| (seat, declared)));
    let found = claims.find_map(|(seat, declared)| {
        let claimed = declared.meld.claimed().filter(|claimed| claimed.tile == tile)?;
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
