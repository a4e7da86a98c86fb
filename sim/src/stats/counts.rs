//! What is counted in a game.
//!
//! Only whole numbers are counted, so that it does not matter where a game comes from and in which order games are added.

use jantaku_engine::{BySeat, DrawReason, FinalResult, Players, Seat, SeatSet, Wind, Yaku, YakuSet};

/// Numbers the places where counts stand, one after the other.
macro_rules! places {
    ($(#[$doc:meta])* $end:ident: $($name:ident $([$many:expr])?,)+) => {
        places!(@0; $($name (1 $(* $many)?),)+ ;$(#[$doc])* $end);
    };
    (@$place:expr; $name:ident ($len:expr), $($rest:tt)*) => {
        pub(in crate::stats) const $name: usize = $place;
        places!(@$name + $len; $($rest)*);
    };
    (@$place:expr; ;$(#[$doc:meta])* $end:ident) => {
        $(#[$doc])*
        pub(in crate::stats) const $end: usize = $place;
    };
}

/// How often: what is counted once for the whole table.
pub(super) mod table {
    use super::{FU, HAN, HONBA, POINTS, TURNS};

    places! {
        /// How many counts these are.
        COUNTS:
        GAMES, DECISIONS, HANDS, LATER_HANDS, REPEATS, HONBA_SUM, HONBA_BINS[HONBA.len()],
        WON_HANDS, TSUMO, RON, TWO_RONS, THREE_RONS, DRAWS, REASONS[8], EMPTY_WALLS, TENPAI_PLAYERS[5],
        TURN_SUM, TURN_BINS[TURNS.len()],
        WINS, YAKU[128], HAN_WINS, HAN_SUM, HAN_BINS[HAN.len()], FU_WINS, FU_SUM, FU_BINS[FU.len()],
        POINT_SUM, POINT_BINS[POINTS.len()], DORA[4],
        BUSTS, LEAD_LOST, FROM_LAST, SECOND_ROUNDS, FROM_LAST_IN_SECOND,
    }
}

/// What is counted for each group of players.
pub(super) mod player {
    places! {
        /// How many counts these are.
        COUNTS:
        HANDS, WINS, TSUMO, RON, DEAL_INS, RIICHI, CALLED, GAIN, WIN_POINTS, WIN_TURN, DEAL_IN_POINTS, HIDDEN_WINS,
        RIICHI_WINS, RIICHI_DEAL_INS, RIICHI_TURN, CALLED_WINS, CALLED_DEAL_INS, EMPTY_WALLS, TENPAI,
        GAMES, PLACES[4], PLACE_SUM, POINTS, RESULT, BUSTS,
    }
}

/// The first number of each bin; a bin goes on to the next one.
type Bins = [i32];

/// Counters.
pub(super) const HONBA: &Bins = &[0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Discards of the seat that had discarded most.
pub(super) const TURNS: &Bins = &[0, 4, 7, 10, 13, 16, 19];
/// Han of hands that are no yakuman.
pub(super) const HAN: &Bins = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
/// Fu where they play a part.
pub(super) const FU: &Bins = &[20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
/// Points of a hand without counters and sticks.
pub(super) const POINTS: &Bins =
    &[0, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 18_000, 24_000, 32_000, 36_000, 48_000, 64_000];

/// The bin that a number falls into; the first takes what is less.
fn bin(bins: &Bins, number: i32) -> usize {
    bins.partition_point(|first| *first <= number).saturating_sub(1)
}

/// The groups of players that figures are told of: all, each seat, each wind, each agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    agents: Vec<String>,
}

impl Groups {
    /// Groups of these agents, each once, in the order in which they come.
    #[must_use]
    pub fn new<'a>(agents: impl IntoIterator<Item = &'a String>) -> Groups {
        let mut found: Vec<String> = Vec::new();
        for agent in agents {
            if !found.contains(agent) {
                found.push(agent.clone());
            }
        }
        Groups { agents: found }
    }

    /// Their names in order: `all`, `seat 0`, `wind East`, `agent greedy`.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let seats = (0..4).map(|seat| format!("seat {seat}"));
        let winds = Wind::ALL.iter().map(|wind| format!("wind {wind}"));
        let agents = self.agents.iter().map(|agent| format!("agent {agent}"));
        std::iter::once("all".to_owned()).chain(seats).chain(winds).chain(agents).collect()
    }

    /// The groups of the agents by seat, as far as there are such.
    fn of_agents(&self, agents: &[String]) -> AgentGroups {
        let group = |agent: &String| self.agents.iter().position(|own| own == agent).map(|place| 9 + place);
        std::array::from_fn(|seat| agents.get(seat).and_then(group))
    }

    fn len(&self) -> usize {
        9 + self.agents.len()
    }
}

/// The group of the agent in each seat; none where a player is no agent.
type AgentGroups = [Option<usize>; 4];

/// The groups that a seat belongs to in a hand.
fn groups_of(seat: Seat, wind: Wind, agents: &AgentGroups) -> impl Iterator<Item = usize> + use<> {
    [0, 1 + seat.index(), 5 + wind as usize].into_iter().chain(agents[seat.index()])
}

/// Where a count of a group stands.
pub(super) const fn place(group: usize, count: usize) -> usize {
    table::COUNTS + group * player::COUNTS + count
}

/// The counts of a game, or of several that share their walls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts(Vec<i64>);

impl Counts {
    /// Nothing counted.
    #[must_use]
    pub fn none(groups: &Groups) -> Counts {
        Counts(vec![0; place(groups.len(), 0)])
    }

    /// As many counts, all of them 0.
    pub(super) fn cleared(&self) -> Counts {
        Counts(vec![0; self.0.len()])
    }

    /// The number in a place.
    pub(super) fn at(&self, place: usize) -> i64 {
        self.0[place]
    }

    /// Adds what was counted in another game.
    pub fn add(&mut self, other: &Counts) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own += more);
    }
}

/// A hand that has been played, as far as it is counted.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    pub round: u16,
    pub honba: u16,
    pub dealer: Seat,
    pub start_points: BySeat<i32>,
    /// Why nobody won; none if somebody did.
    pub draw: Option<DrawReason>,
    pub wins: Vec<Win>,
    pub discarder: Option<Seat>,
    /// What each seat won or lost, riichi sticks included.
    pub deltas: BySeat<i32>,
    /// Discards of the seat that had discarded most.
    pub turn: u8,
    /// The discard of each accepted riichi.
    pub riichi: BySeat<Option<u8>>,
    /// Discards that each seat claimed.
    pub calls: BySeat<u8>,
    /// Who was tenpai and showed it when the wall was empty.
    pub tenpai: SeatSet,
}

/// A hand that was won, as far as it is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    pub winner: Seat,
    pub yaku: YakuSet,
    /// With dora; 0 for a yakuman.
    pub han: u8,
    /// 0 where the hand has none: [`jantaku_engine::Score::fu`].
    pub fu: u8,
    /// By indicators, by those under them, red fives, norths.
    pub dora: [u8; 4],
    pub points: i32,
}

/// Counts a game, hand by hand.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    agents: AgentGroups,
    counts: Counts,
    /// The round of the hand before, and whether it ended in a foul.
    before: Option<(u16, bool)>,
    /// Points at the last deal.
    last: Option<BySeat<i32>>,
    /// Points at the first deal of the second round.
    second: Option<BySeat<i32>>,
}

impl Counter {
    /// Of a game with these agents by seat; without them where players are no agents.
    pub(super) fn new(groups: &Groups, agents: &[String]) -> Counter {
        let agents = groups.of_agents(agents);
        Counter { agents, counts: Counts::none(groups), before: None, last: None, second: None }
    }

    /// Counts a hand; hands come in order.
    pub(super) fn hand(&mut self, hand: &Hand) {
        let players = hand.start_points.players();
        self.count(table::HANDS, 1);
        self.count_place_in_game(hand, players);
        self.count(table::HONBA_SUM, hand.honba.into());
        self.count(table::HONBA_BINS + bin(HONBA, hand.honba.into()), 1);
        match hand.draw {
            Some(reason) => self.count_draw(reason, hand),
            None => self.count_won_hand(hand),
        }
        for seat in players.seats() {
            self.count_seat(hand, seat, seat.wind(hand.dealer, players));
        }
        for win in &hand.wins {
            self.count_win(win, hand);
        }
    }

    /// Counts how the game ended, and gives all counts.
    pub(super) fn finish(mut self, results: &BySeat<FinalResult>, decisions: u32) -> Counts {
        self.count(table::GAMES, 1);
        self.count(table::DECISIONS, decisions.into());
        self.count(table::BUSTS, results.iter().any(|result| result.points < 0).into());
        self.count_comebacks(results);
        for (seat, result) in results.enumerate() {
            // A seat has no wind of its own in a game.
            for group in groups_of(seat, Wind::East, &self.agents).filter(|group| !(5..9).contains(group)) {
                let mut count = |count, number| self.counts.0[place(group, count)] += number;
                count(player::GAMES, 1);
                count(player::PLACES + usize::from(result.placement) - 1, 1);
                count(player::PLACE_SUM, result.placement.into());
                count(player::POINTS, result.points.into());
                count(player::RESULT, result.result.into());
                count(player::BUSTS, (result.points < 0).into());
            }
        }
        self.counts
    }

    fn count(&mut self, place: usize, number: i64) {
        self.counts.0[place] += number;
    }

    /// Who deals again, and how the points stood.
    fn count_place_in_game(&mut self, hand: &Hand, players: Players) {
        // A hand that is played again after a foul tells nothing of the dealer.
        if let Some((round, false)) = self.before {
            self.count(table::LATER_HANDS, 1);
            self.count(table::REPEATS, (round == hand.round).into());
        }
        self.before = Some((hand.round, hand.draw == Some(DrawReason::Chombo)));
        self.last = Some(hand.start_points);
        if hand.round >= u16::from(players.count()) && self.second.is_none() {
            self.second = Some(hand.start_points);
        }
    }

    fn count_draw(&mut self, reason: DrawReason, hand: &Hand) {
        self.count(table::DRAWS, 1);
        let place = DrawReason::ALL.iter().position(|known| *known == reason);
        self.count(table::REASONS + place.expect("all reasons are listed"), 1);
        if !reason.is_abortive() {
            self.count(table::EMPTY_WALLS, 1);
            self.count(table::TENPAI_PLAYERS + hand.tenpai.len() as usize, 1);
        }
    }

    fn count_won_hand(&mut self, hand: &Hand) {
        self.count(table::WON_HANDS, 1);
        self.count(if hand.discarder.is_some() { table::RON } else { table::TSUMO }, 1);
        match hand.wins.len() {
            2 => self.count(table::TWO_RONS, 1),
            3 => self.count(table::THREE_RONS, 1),
            _ => {}
        }
        self.count(table::TURN_SUM, hand.turn.into());
        self.count(table::TURN_BINS + bin(TURNS, hand.turn.into()), 1);
    }

    fn count_win(&mut self, win: &Win, hand: &Hand) {
        self.count(table::WINS, 1);
        for yaku in win.yaku.iter() {
            self.count(table::YAKU + yaku as usize, 1);
        }
        if win.han > 0 {
            self.count(table::HAN_WINS, 1);
            self.count(table::HAN_SUM, win.han.into());
            self.count(table::HAN_BINS + bin(HAN, win.han.into()), 1);
        }
        if win.han > 0 && win.fu > 0 {
            self.count(table::FU_WINS, 1);
            self.count(table::FU_SUM, win.fu.into());
            self.count(table::FU_BINS + bin(FU, win.fu.into()), 1);
        }
        self.count(table::POINT_SUM, win.points.into());
        self.count(table::POINT_BINS + bin(POINTS, win.points), 1);
        for (kind, han) in win.dora.into_iter().enumerate() {
            self.count(table::DORA + kind, han.into());
        }
        let seat = win.winner;
        let (in_riichi, called) = (hand.riichi[seat].is_some(), hand.calls[seat] > 0);
        let by = if hand.discarder.is_some() { player::RON } else { player::TSUMO };
        for group in groups_of(seat, seat.wind(hand.dealer, hand.calls.players()), &self.agents) {
            let mut count = |count, number| self.counts.0[place(group, count)] += number;
            count(player::WINS, 1);
            count(by, 1);
            count(player::WIN_POINTS, win.points.into());
            // The table of hands has no discards of the winner's own.
            count(player::WIN_TURN, hand.turn.into());
            count(player::RIICHI_WINS, in_riichi.into());
            count(player::CALLED_WINS, called.into());
            count(player::HIDDEN_WINS, (!in_riichi && !called).into());
        }
    }

    /// What a seat did in a hand, winning left aside.
    fn count_seat(&mut self, hand: &Hand, seat: Seat, wind: Wind) {
        let called = hand.calls[seat] > 0;
        let deals_in = hand.discarder == Some(seat);
        let stick = 1000 * i64::from(hand.riichi[seat].is_some());
        let is_empty_wall = hand.draw.is_some_and(|reason| !reason.is_abortive());
        for group in groups_of(seat, wind, &self.agents) {
            let mut count = |count, number| self.counts.0[place(group, count)] += number;
            count(player::HANDS, 1);
            count(player::GAIN, hand.deltas[seat].into());
            count(player::CALLED, called.into());
            count(player::EMPTY_WALLS, is_empty_wall.into());
            count(player::TENPAI, (is_empty_wall && hand.tenpai.contains(seat)).into());
            if let Some(turn) = hand.riichi[seat] {
                count(player::RIICHI, 1);
                count(player::RIICHI_TURN, turn.into());
                count(player::RIICHI_DEAL_INS, deals_in.into());
            }
            if deals_in {
                count(player::DEAL_INS, 1);
                count(player::DEAL_IN_POINTS, -i64::from(hand.deltas[seat]) - stick);
                count(player::CALLED_DEAL_INS, called.into());
            }
        }
    }

    fn count_comebacks(&mut self, results: &BySeat<FinalResult>) {
        let Some((winner, _)) = results.enumerate().find(|(_, result)| result.placement == 1) else { return };
        let players = results.players().count();
        if let Some(points) = self.last {
            self.count(table::LEAD_LOST, (place_of(winner, &points) != 1).into());
            self.count(table::FROM_LAST, (place_of(winner, &points) == players).into());
        }
        if let Some(points) = self.second {
            self.count(table::SECOND_ROUNDS, 1);
            self.count(table::FROM_LAST_IN_SECOND, (place_of(winner, &points) == players).into());
        }
    }
}

/// The place of a seat by points, 1 the first; with as many points the seats go in order, as at the end of a game.
fn place_of(seat: Seat, points: &BySeat<i32>) -> u8 {
    let before = |other: Seat| (-points[other], other) < (-points[seat], seat);
    1 + points.players().seats().filter(|other| before(*other)).count() as u8
}

/// The yaku with this name.
pub(super) fn yaku_named(name: &str) -> Option<Yaku> {
    Yaku::all().find(|yaku| yaku.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_bin() {
        assert_eq!([0, 1, 3, 4, 6, 19, 70].map(|turn| bin(TURNS, turn)), [0, 0, 0, 1, 1, 6, 6]);
        assert_eq!([20, 22, 25, 30, 110, 112, 120, 140].map(|fu| bin(FU, fu)), [0, 0, 1, 2, 10, 10, 11, 11]);
        assert_eq!(bin(POINTS, 7700), bin(POINTS, 6000));
        assert_eq!(bin(HAN, 40), HAN.len() - 1);
    }

    #[test]
    fn tied_seats_go_in_order() {
        let points =
            BySeat::from_slice(Players::Four, &[20_000, 30_000, 20_000, 30_000]).expect("four seats");
        assert_eq!(
            Players::Four.seats().map(|seat| place_of(seat, &points)).collect::<Vec<_>>(),
            [3, 1, 4, 2]
        );
    }

    #[test]
    fn groups_are_named_in_the_order_of_their_places() {
        let agents = ["a".to_owned(), "b".to_owned(), "a".to_owned(), "b".to_owned()];
        let groups = Groups::new(&agents);
        let names = groups.names();
        let of = groups_of(Seat::new(3).expect("a seat"), Wind::West, &groups.of_agents(&agents));
        assert_eq!(
            of.map(|group| names[group].as_str()).collect::<Vec<_>>(),
            ["all", "seat 3", "wind West", "agent b"]
        );
        assert_eq!(names.len(), groups.len());
    }
}
