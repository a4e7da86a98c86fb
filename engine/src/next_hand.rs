//! What follows a hand: the next one, the end of the game, or a question to the dealer.

use crate::draw::DrawReason;
use crate::game_state::Standing;
use crate::outcome::Ending;
use crate::ranking::{FinalResult, final_results, leftover_sticks};
use crate::round::Round;
use crate::rules::options::{
    AbortiveDealer, Extension, HonbaOnRotatingDraw, Nagashi, Renchan, Tobi, Yame, YameCondition,
};
use crate::score::Moment;
use crate::settle::{noten_payments, ordinary_payments};
use crate::table::Table;
use crate::{BySeat, Seat, SeatSet, Tile, TileKind};

/// What follows a hand ([`Round::after_hand`]).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AfterHand {
    /// Another hand, from this standing.
    Hand(Standing),
    /// The dealer decides whether the game ends with these results or continues from this standing.
    Ask(Standing, BySeat<FinalResult>),
    /// The game ends with these results.
    End(BySeat<FinalResult>),
}

/// An end of a hand in play that an evaluation supposes ([`Round::after_hand_if`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SupposedEnd {
    /// A win without liable players.
    Win {
        /// The winner.
        winner: Seat,
        /// Who discards the winning tile; `None` for a tsumo.
        from: Option<Seat>,
        /// The base points: a ron pays four times as much, or six times to the dealer.
        base: u32,
    },
    /// An exhaustive draw.
    Draw {
        /// The tenpai players.
        tenpai: SeatSet,
    },
}

impl Round {
    /// What follows the hand; `None` before it is over.
    ///
    /// A hand knows only itself: penalties of earlier hands and the rule `hands_limit` do not
    /// count, and a replay after a foul counts as the first replay of the hand.
    pub fn after_hand(&self) -> Option<AfterHand> {
        let end = self.ending()?;
        let (deltas, sticks) = self.settlement(end);
        Some(self.after_ending(end, &deltas, sticks))
    }

    /// What would follow the hand if it ended like this now.
    pub fn after_hand_if(&self, end: SupposedEnd) -> AfterHand {
        let table = self.table();
        match end {
            SupposedEnd::Win { winner, from, base } => {
                let honba = i32::from(table.honba());
                let mut deltas = ordinary_payments(winner, from, base, honba, table.dealer(), table.rules());
                deltas[winner] += table.rules().riichi_stick * i32::from(table.sticks());
                let (winners, tile) = (SeatSet::of(winner), Tile::plain(TileKind::EAST));
                let end = Ending::Win { winners, from, tile, moment: Moment::Ordinary };
                self.after_ending(end, &deltas, 0)
            }
            SupposedEnd::Draw { tenpai } => {
                let reason = DrawReason::Exhaustive;
                let end = Ending::Draw { reason, tenpai, nagashi: SeatSet::EMPTY };
                self.after_ending(end, &noten_payments(tenpai, table.rules()), table.sticks())
            }
        }
    }

    /// What follows the hand if it ends like this, with these payments and these sticks left.
    fn after_ending(&self, end: Ending, deltas: &BySeat<i32>, sticks: u16) -> AfterHand {
        let table = self.table();
        let scores = table.scores().saturating_add(deltas);
        let ended = EndedHand { table, end, sticks, attempt: 0, scores };
        let results = || {
            let leftover = leftover_sticks(&scores, sticks, table.rules());
            final_results(&scores.saturating_add(&leftover), table.rules())
        };
        match ended.next() {
            Next::Hand(standing) => AfterHand::Hand(standing),
            Next::Ask => AfterHand::Ask(ended.next_standing(), results()),
            Next::End => AfterHand::End(results()),
        }
    }
}

/// A hand that is over, with the points after its payments.
pub(crate) struct EndedHand<'a> {
    pub(crate) table: &'a Table,
    pub(crate) end: Ending,
    /// Riichi sticks that stay on the table.
    pub(crate) sticks: u16,
    /// How often this hand was replayed after fouls.
    pub(crate) attempt: u16,
    /// Points of each player after the payments.
    pub(crate) scores: BySeat<i32>,
}

/// What follows a hand, before the results of a last hand are computed.
pub(crate) enum Next {
    Hand(Standing),
    /// The dealer may end the game.
    Ask,
    End,
}

/// What the end of a hand means for the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HandResult {
    Won { by_dealer: bool },
    Drawn { dealer_tenpai: bool },
    Abortive,
}

impl EndedHand<'_> {
    /// What follows.
    pub(crate) fn next(&self) -> Next {
        let rules = self.table.rules();
        let lost_all = |points: &i32| match rules.tobi {
            Tobi::Off => false,
            Tobi::BelowZero => *points < 0,
            Tobi::ZeroOrBelow => *points <= 0,
        };
        let has_goal = |points: &i32| rules.goal_points.0.is_some_and(|goal| *points >= goal);
        let decided = self.scores.iter().any(|points| lost_all(points) || has_goal(points));
        if matches!(self.end, Ending::Foul { .. }) {
            let ends = decided || rules.chombo_ends_game && self.hands_left() == 0;
            return if ends { Next::End } else { Next::Hand(self.replay()) };
        }
        // The game is a single hand.
        if rules.wind_rounds == 0 {
            return Next::End;
        }
        let result = self.hand_result();
        if result != HandResult::Abortive && decided {
            return Next::End;
        }
        let next = self.next_standing();
        let repeats = next.round == self.table.round();
        if self.hands_left() > 0 {
            return Next::Hand(next);
        }
        if repeats { self.after_last_hand_repeats(result, next) } else { self.after_last_hand(next) }
    }

    /// The standing for a replay of the same hand with another wall.
    fn replay(&self) -> Standing {
        let (attempt, sticks) = (self.attempt + 1, self.sticks);
        Standing { attempt, sticks, scores: self.scores, ..self.table.standing() }
    }

    /// What follows the last hand, or a later one, if the dealer deals again or ends the game.
    fn after_last_hand_repeats(&self, result: HandResult, next: Standing) -> Next {
        let rules = self.table.rules();
        let yame = match result {
            HandResult::Abortive => return Next::Hand(next),
            HandResult::Won { .. } => rules.agari_yame,
            HandResult::Drawn { dealer_tenpai: true } => rules.tenpai_yame,
            HandResult::Drawn { dealer_tenpai: false } => Yame::Off,
        };
        let leads = crate::ranking::leader(&self.scores) == self.table.dealer();
        let condition = match rules.yame_condition {
            YameCondition::FirstWithTarget => {
                leads && rules.target.0.is_some_and(|target| self.scores[self.table.dealer()] >= target)
            }
            YameCondition::First => leads,
            YameCondition::TeamLeads | YameCondition::None => true,
        };
        let sudden =
            rules.extension == Extension::SuddenDeath && self.in_extension() && self.target_is_reached();
        match yame {
            _ if sudden => Next::End,
            Yame::Auto if condition => Next::End,
            Yame::Choice if condition => Next::Ask,
            _ => Next::Hand(next),
        }
    }

    /// What follows the last hand, or a later one, if the deal passes.
    fn after_last_hand(&self, next: Standing) -> Next {
        let rules = self.table.rules();
        let players = u16::from(rules.players.count());
        let scheduled = u16::from(rules.wind_rounds) * players;
        let round_of_winds_is_over = next.round.is_multiple_of(players);
        let extra_rounds = (next.round - scheduled) / players;
        let no_rounds_left = rules.extension_rounds.0.is_some_and(|most| i32::from(extra_rounds) >= most);
        let may_end = rules.extension != Extension::FixedRound || round_of_winds_is_over;
        let over = rules.extension == Extension::None
            || self.target_is_reached() && may_end
            || no_rounds_left && round_of_winds_is_over;
        if over { Next::End } else { Next::Hand(next) }
    }

    fn target_is_reached(&self) -> bool {
        self.table.rules().target.0.is_some_and(|target| self.scores.iter().any(|points| *points >= target))
    }

    /// How often the deal still passes until the scheduled last hand; 0 from that hand on.
    fn hands_left(&self) -> u16 {
        let rules = self.table.rules();
        let scheduled = u16::from(rules.wind_rounds) * u16::from(rules.players.count());
        scheduled.saturating_sub(self.table.round() + 1)
    }

    fn in_extension(&self) -> bool {
        let rules = self.table.rules();
        self.table.round() >= u16::from(rules.wind_rounds) * u16::from(rules.players.count())
    }

    fn hand_result(&self) -> HandResult {
        let dealer = self.table.dealer();
        match self.end {
            Ending::Win { winners, .. } => HandResult::Won { by_dealer: winners.contains(dealer) },
            Ending::Draw { reason, nagashi, .. } => match (reason, self.table.rules().nagashi) {
                (DrawReason::Nagashi, Nagashi::Win) => {
                    HandResult::Won { by_dealer: nagashi.contains(dealer) }
                }
                (reason, _) if reason.is_abortive() => HandResult::Abortive,
                _ => HandResult::Drawn { dealer_tenpai: self.dealer_is_tenpai() },
            },
            // `next` has handled fouls before.
            Ending::Foul { .. } => HandResult::Abortive,
        }
    }

    /// Whether the dealer is tenpai at a draw, and has shown it.
    fn dealer_is_tenpai(&self) -> bool {
        let dealer = self.table.dealer();
        matches!(self.end, Ending::Draw { tenpai, .. } if tenpai.contains(dealer))
    }

    /// The standing for the next hand.
    pub(crate) fn next_standing(&self) -> Standing {
        let (table, rules) = (self.table, self.table.rules());
        let result = self.hand_result();
        let renchan = rules.renchan.in_round(table.round_wind());
        let repeats = match (result, renchan, rules.abortive_dealer) {
            (_, Renchan::Never, _) | (HandResult::Won { .. }, Renchan::Tenpai, _) => false,
            (HandResult::Won { by_dealer }, ..) => by_dealer,
            (HandResult::Abortive, _, AbortiveDealer::Repeat) => true,
            (HandResult::Abortive, _, AbortiveDealer::ByTenpai) => self.dealer_is_tenpai(),
            (HandResult::Abortive, _, AbortiveDealer::Rotate) => false,
            (HandResult::Drawn { .. }, Renchan::Win, _) => false,
            (HandResult::Drawn { dealer_tenpai }, Renchan::WinOrTenpai | Renchan::Tenpai, _) => dealer_tenpai,
            (HandResult::Drawn { .. }, Renchan::Always, _) => true,
        };
        let passes_by_win = matches!(result, HandResult::Won { .. }) && !repeats;
        let won_by_dealer = result == HandResult::Won { by_dealer: true };
        let honba = match rules.honba_on_rotating_draw {
            _ if renchan == Renchan::Never || passes_by_win => 0,
            HonbaOnRotatingDraw::Keep if !repeats => table.honba(),
            HonbaOnRotatingDraw::Reset if !repeats => 0,
            _ => table.honba() + 1,
        };
        Standing {
            round: table.round() + u16::from(!repeats),
            honba,
            sticks: self.sticks,
            attempt: 0,
            dealer_wins: if repeats {
                table.dealer_wins().saturating_add(u8::from(won_by_dealer))
            } else {
                0
            },
            scores: self.scores,
        }
    }
}
