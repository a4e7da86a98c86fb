//! Counts the hands of a game, played or stored.

use jantaku_engine::rules::options::TieRule;
use jantaku_engine::{BySeat, DrawReason, FinalResult, Players, Seat, places};

use super::amounts::{Amount, Quantity};
use super::counts::{
    FU, HAN, HAN_OF_FU, HONBA, PLACE_PARTS, POINTS, TURNS, UnitCounts, bin, hand, player, table,
};
use super::groups::{
    AgentGroups, Groups, HAND_GROUPS, hand_parts, player_parts, round_group, seat_group, wind_group,
};
use super::hand::{EndFacts, HandFacts, WinFacts};

/// Counts one game after another in the same memory.
///
/// A caller calls [`start`](GameCounter::start), [`hand`](GameCounter::hand) for each hand in
/// order, and [`finish`](GameCounter::finish). A game that fails is dropped by the next `start`.
#[derive(Clone, Debug)]
pub struct GameCounter {
    unit: UnitCounts,
    /// The number of groups of players.
    player_groups: usize,
    agents: AgentGroups,
    previous: Option<PreviousHand>,
    /// Points at the deal of the latest hand.
    latest_points: Option<BySeat<i32>>,
    /// Points at the deal of South 1, or the first later hand.
    second_round_points: Option<BySeat<i32>>,
}

/// What the next hand needs to know about the one before.
#[derive(Clone, Copy, Debug)]
struct PreviousHand {
    round: u16,
    /// Its group of hands.
    group: usize,
    /// Whether the hand is dealt again after a foul.
    is_void: bool,
}

impl GameCounter {
    /// A counter for games with these groups of players.
    pub fn new(groups: &Groups) -> GameCounter {
        GameCounter {
            unit: UnitCounts::new(groups),
            player_groups: groups.player_groups(),
            agents: AgentGroups::default(),
            previous: None,
            latest_points: None,
            second_round_points: None,
        }
    }

    /// Begins a game with these agents in the seats.
    pub fn start(&mut self, agents: AgentGroups) {
        self.unit.clear();
        self.agents = agents;
        self.previous = None;
        self.latest_points = None;
        self.second_round_points = None;
    }

    /// Counts the next hand of the game.
    pub fn hand(&mut self, hand: &HandFacts) {
        let players = hand.course.start_points.players();
        let group = round_group(hand.course.round, players);
        self.count_course(hand, group);
        count_hand(self.unit.counts.hands(group), hand);
        count_bins(self.unit.counts.table(), hand);
        for seat in players.seats() {
            let wind = wind_group(seat.wind(hand.course.dealer, players));
            count_player(self.unit.counts.players(seat_group(seat)), hand, seat);
            count_player(self.unit.counts.players(wind), hand, seat);
            if let EndFacts::Won { wins, discarder } = &hand.end
                && let Some(win) = &wins[seat]
            {
                let turn = win_turn(hand, seat, *discarder);
                self.add_amount(Quantity::WinPoints, seat, Some(wind), win.points);
                self.add_amount(Quantity::WinTurn, seat, Some(wind), turn);
            }
        }
    }

    /// Counts the end of the game under this rule for ties. Returns the counts of the whole game.
    pub fn finish(
        &mut self,
        results: &BySeat<FinalResult>,
        tie_rule: TieRule,
        decisions: u32,
    ) -> &UnitCounts {
        let is_bust = |result: &FinalResult| i64::from(result.points < 0);
        let table = self.unit.counts.table();
        table[table::GAMES] += 1;
        table[table::DECISIONS] += i64::from(decisions);
        table[table::BUSTS] += results.iter().map(is_bust).max().unwrap_or(0);
        self.count_comebacks(results);
        let places = places(results, tie_rule);
        for (seat, result) in results.enumerate() {
            let own = places[seat];
            // The groups of winds have no games: a seat changes its wind from hand to hand.
            let counts = self.unit.counts.players(seat_group(seat));
            counts[player::GAMES] += 1;
            for place in own.first..=own.last {
                let parts = PLACE_PARTS / i64::from(own.last - own.first + 1);
                counts[player::PLACEMENTS + usize::from(place) - 1] += parts;
            }
            counts[player::PLACEMENT_SUM] += i64::from(own.first + own.last);
            counts[player::POINTS] += i64::from(result.points);
            counts[player::RESULT] += i64::from(result.result);
            counts[player::BUSTS] += is_bust(result);
            self.add_amount(Quantity::Points, seat, None, result.points);
            self.add_amount(Quantity::Result, seat, None, result.result);
        }
        self.add_up(results.players());
        &self.unit
    }

    /// The counts of the finished game.
    pub const fn counts(&self) -> &UnitCounts {
        &self.unit
    }

    /// Adds an amount of a player to the groups of their seat, wind and agent.
    fn add_amount(&mut self, quantity: Quantity, seat: Seat, wind: Option<usize>, value: i32) {
        let groups = [Some(seat_group(seat)), wind, self.agents[seat.index()]];
        self.unit.amounts.extend(groups.into_iter().flatten().map(|group| Amount { quantity, group, value }));
    }

    /// Counts dealer repeats and keeps the points that comebacks are measured from.
    fn count_course(&mut self, hand: &HandFacts, group: usize) {
        // The replay of a hand after a foul says nothing about the dealer.
        if let Some(PreviousHand { round, group: previous_group, is_void: false }) = self.previous {
            let counts = self.unit.counts.hands(previous_group);
            counts[hand::EARLIER_HANDS] += 1;
            counts[hand::REPEATS] += i64::from(round == hand.course.round);
        }
        let is_void = matches!(hand.end, EndFacts::Draw { reason: DrawReason::Chombo, .. });
        self.previous = Some(PreviousHand { round: hand.course.round, group, is_void });
        self.latest_points = Some(hand.course.start_points);
        let is_second_round = hand.course.round >= u16::from(hand.course.start_points.players().count());
        if is_second_round && self.second_round_points.is_none() {
            self.second_round_points = Some(hand.course.start_points);
        }
    }

    /// Counts whether the winner was first or last at the deal of the last hand, and last at that of South 1.
    fn count_comebacks(&mut self, results: &BySeat<FinalResult>) {
        let Some((winner, _)) = results.enumerate().find(|(_, result)| result.placement == 1) else { return };
        let (last, table) = (results.players().count(), self.unit.counts.table());
        if let Some(points) = self.latest_points {
            table[table::LEAD_LOST] += i64::from(placement(winner, &points) != 1);
            table[table::FROM_LAST] += i64::from(placement(winner, &points) == last);
        }
        if let Some(points) = self.second_round_points {
            table[table::SECOND_ROUNDS] += 1;
            table[table::FROM_LAST_IN_SECOND] += i64::from(placement(winner, &points) == last);
        }
    }

    /// Adds the counts of each group to those of the groups that it is a part of.
    fn add_up(&mut self, players: Players) {
        let counts = &mut self.unit.counts;
        for group in 0..self.player_groups {
            for part in player_parts(group).filter(|part| *part != group) {
                let of_part = *counts.players(part);
                counts.players(group).iter_mut().zip(of_part).for_each(|(own, more)| *own += more);
            }
        }
        for seat in players.seats() {
            let of_seat = *counts.players(seat_group(seat));
            if let Some(group) = self.agents[seat.index()] {
                counts.players(group).iter_mut().zip(of_seat).for_each(|(own, more)| *own += more);
            }
        }
        for group in 0..HAND_GROUPS {
            for part in hand_parts(group).filter(|part| *part != group) {
                let of_part = *counts.hands(part);
                counts.hands(group).iter_mut().zip(of_part).for_each(|(own, more)| *own += more);
            }
        }
    }
}

/// Counts for a group of hands how a hand ended.
fn count_hand(counts: &mut [i64; hand::COUNTS], hand: &HandFacts) {
    counts[hand::HANDS] += 1;
    counts[hand::HONBA_SUM] += i64::from(hand.course.honba);
    counts[hand::RIICHI] += hand.course.riichi.iter().flatten().count() as i64;
    match &hand.end {
        EndFacts::Draw { reason, .. } => {
            counts[hand::DRAWS] += 1;
            let index = DrawReason::ALL.iter().position(|known| known == reason);
            counts[hand::REASONS + index.expect("`ALL` has every reason")] += 1;
            counts[hand::EXHAUSTIVE_DRAWS] += i64::from(!reason.is_abortive());
        }
        EndFacts::Won { wins, discarder } => {
            counts[hand::WON_HANDS] += 1;
            counts[if discarder.is_some() { hand::RON } else { hand::TSUMO }] += 1;
            counts[hand::TURN_SUM] += i64::from(hand.course.turn());
            let mut winners = 0;
            for win in wins.iter().flatten() {
                winners += 1;
                counts[hand::WINS] += 1;
                counts[hand::HAN_WINS] += i64::from(win.han > 0);
                counts[hand::HAN_SUM] += i64::from(win.han);
                counts[hand::POINT_SUM] += i64::from(win.points);
            }
            counts[hand::TWO_RONS] += i64::from(winners == 2);
            counts[hand::THREE_RONS] += i64::from(winners == 3);
        }
    }
}

/// Counts the bins of the table that a hand falls into.
fn count_bins(counts: &mut [i64; table::COUNTS], hand: &HandFacts) {
    counts[table::HONBA_BINS + bin(HONBA, hand.course.honba.into())] += 1;
    match &hand.end {
        EndFacts::Draw { reason, tenpai } if !reason.is_abortive() => {
            counts[table::TENPAI_PLAYERS + tenpai.len() as usize] += 1;
        }
        EndFacts::Draw { .. } => {}
        EndFacts::Won { wins, .. } => {
            counts[table::TURN_BINS + bin(TURNS, hand.course.turn().into())] += 1;
            wins.iter().flatten().for_each(|win| count_win(counts, win));
        }
    }
}

/// Counts a win for the table.
fn count_win(counts: &mut [i64; table::COUNTS], win: &WinFacts) {
    for yaku in win.yaku.iter() {
        counts[table::YAKU + yaku as usize] += 1;
    }
    let (han, fu) = (i32::from(win.han), i32::from(win.fu));
    if han > 0 {
        counts[table::HAN_BINS + bin(HAN, han)] += 1;
    }
    if han > 0 && fu > 0 {
        counts[table::FU_WINS] += 1;
        counts[table::FU_SUM] += i64::from(fu);
        counts[table::FU_BINS + bin(FU, fu)] += 1;
        counts[table::HAN_FU + bin(HAN_OF_FU, han) * FU.len() + bin(FU, fu)] += 1;
    }
    counts[table::POINT_BINS + bin(POINTS, win.points)] += 1;
    for (kind, han) in win.dora.into_iter().enumerate() {
        counts[table::DORA + kind] += i64::from(han);
    }
}

/// The turn in which a player wins: the number of their discards, and one more for a tsumo, which
/// ends the turn in which they draw the tile.
fn win_turn(hand: &HandFacts, winner: Seat, discarder: Option<Seat>) -> i32 {
    i32::from(hand.course.discards[winner]) + i32::from(discarder.is_none())
}

/// Counts for a group what one of its players did in a hand.
fn count_player(counts: &mut [i64; player::COUNTS], hand: &HandFacts, seat: Seat) {
    let (riichi, called) = (hand.course.riichi[seat], i64::from(hand.course.calls[seat] > 0));
    let in_riichi = i64::from(riichi.is_some());
    counts[player::HANDS] += 1;
    counts[player::GAIN] += i64::from(hand.deltas[seat]);
    counts[player::CALLED] += called;
    counts[player::RIICHI] += in_riichi;
    counts[player::RIICHI_TURN] += i64::from(riichi.unwrap_or(0));
    match &hand.end {
        EndFacts::Draw { reason, tenpai } => {
            let is_exhaustive = !reason.is_abortive();
            counts[player::EXHAUSTIVE_DRAWS] += i64::from(is_exhaustive);
            counts[player::TENPAI] += i64::from(is_exhaustive && tenpai.contains(seat));
        }
        EndFacts::Won { wins, discarder } => {
            if let Some(win) = &wins[seat] {
                counts[player::WINS] += 1;
                counts[if discarder.is_some() { player::RON } else { player::TSUMO }] += 1;
                counts[player::WIN_POINTS] += i64::from(win.points);
                counts[player::WIN_TURN] += i64::from(win_turn(hand, seat, *discarder));
                counts[player::RIICHI_WINS] += in_riichi;
                counts[player::CALLED_WINS] += called;
                counts[player::DAMA_WINS] += i64::from(in_riichi + called == 0);
            }
            if *discarder == Some(seat) {
                counts[player::DEAL_INS] += 1;
                // The points paid to the winners. The deltas also include the stick of a riichi of their own.
                counts[player::DEAL_IN_POINTS] -=
                    i64::from(hand.deltas[seat]) + i64::from(hand.course.riichi_stick) * in_riichi;
                counts[player::RIICHI_DEAL_INS] += in_riichi;
                counts[player::CALLED_DEAL_INS] += called;
            }
        }
    }
}

/// The placement of a seat by points; of tied seats the first in seat order is ahead, as at the end
/// of a game.
fn placement(seat: Seat, points: &BySeat<i32>) -> u8 {
    let is_ahead = |other: &Seat| (-points[*other], *other) < (-points[seat], seat);
    1 + points.players().seats().filter(is_ahead).count() as u8
}

#[cfg(test)]
mod tests {
    use jantaku_engine::YakuSet;

    use super::*;
    use crate::play::HandInPlay;

    #[test]
    fn a_win_counts_in_the_winners_own_turn() {
        let players = Players::Four;
        let winner = Seat::new(2).expect("a seat");
        let discards = BySeat::from_slice(players, &[5, 4, 3, 4]).expect("four seats");
        let win = WinFacts { yaku: YakuSet::EMPTY, han: 1, fu: 30, dora: [0; 4], points: 1000 };
        for (discarder, turn) in [(None, 4), (Some(Seat::FIRST), 3)] {
            let wins = BySeat::from_fn(players, |seat| (seat == winner).then_some(win));
            let hand = HandFacts {
                course: HandInPlay { discards, ..HandInPlay::new(players, 1000) },
                deltas: BySeat::splat(players, 0),
                end: EndFacts::Won { wins, discarder },
            };
            let mut counts = [0; player::COUNTS];
            count_player(&mut counts, &hand, winner);
            assert_eq!(counts[player::WIN_TURN], turn, "won from {discarder:?}");
        }
    }

    #[test]
    fn ties_go_by_seat() {
        let points =
            BySeat::from_slice(Players::Four, &[20_000, 30_000, 20_000, 30_000]).expect("four seats");
        let placements: Vec<u8> = Players::Four.seats().map(|seat| placement(seat, &points)).collect();
        assert_eq!(placements, [3, 1, 4, 2]);
    }
}
