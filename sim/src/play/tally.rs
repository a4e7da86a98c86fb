//! Counts over many games.

use jantaku_engine::{BySeat, DrawReason, Event, FinalResult, HandEnd, Observer, Outcome, Seat, SeatSet};

/// Counts over games; sums of whole numbers, so that it does not matter in which order games are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that were played to their end.
    pub games: u64,
    /// Hands.
    pub hands: u64,
    /// Decisions.
    pub decisions: u64,
    /// Hands without a winner, in the order of [`DrawReason::ALL`].
    pub draws: [u64; DrawReason::ALL.len()],
    /// Hands that several players won.
    pub multiple_rons: u64,
    /// Counts of each seat.
    pub seats: [SeatTally; 4],
    called: SeatSet,
}

/// Counts of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatTally {
    /// Wins by self-draw.
    pub tsumo: u64,
    /// Wins by ron.
    pub ron: u64,
    /// Hands in which others won on this seat's tile.
    pub deal_ins: u64,
    /// Hands with an accepted riichi.
    pub riichi: u64,
    /// Hands with a claimed discard.
    pub called: u64,
    /// Points of the hands won, without counters and sticks.
    pub win_points: i64,
    /// Points paid to others for the tiles dealt in, counters included.
    pub deal_in_points: i64,
    /// Points at the ends of games.
    pub points: i64,
    /// Results with uma and oka, in points.
    pub results: i64,
    /// How often the seat was first, second, third, fourth.
    pub places: [u64; 4],
}

impl SeatTally {
    /// Wins of both kinds.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.tsumo + self.ron
    }

    /// The mean place; none before a game.
    #[must_use]
    pub fn mean_place(&self) -> Option<f64> {
        let games: u64 = self.places.iter().sum();
        let sum: u64 = (1..).zip(self.places).map(|(place, n)| place * n).sum();
        (games > 0).then(|| sum as f64 / games as f64)
    }
}

impl Tally {
    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.hands += other.hands;
        self.decisions += other.decisions;
        self.multiple_rons += other.multiple_rons;
        add(&mut self.draws, &other.draws);
        for (own, more) in self.seats.iter_mut().zip(&other.seats) {
            own.tsumo += more.tsumo;
            own.ron += more.ron;
            own.deal_ins += more.deal_ins;
            own.riichi += more.riichi;
            own.called += more.called;
            own.win_points += more.win_points;
            own.deal_in_points += more.deal_in_points;
            own.points += more.points;
            own.results += more.results;
            add(&mut own.places, &more.places);
        }
    }

    /// Adds a game's final points and places.
    pub fn add_results(&mut self, results: &BySeat<FinalResult>) {
        self.games += 1;
        for (seat, result) in results.enumerate() {
            let seat = &mut self.seats[seat.index()];
            seat.points += i64::from(result.points);
            seat.results += i64::from(result.result);
            seat.places[usize::from(result.placement) - 1] += 1;
        }
    }

    /// Hands that somebody won.
    #[must_use]
    pub fn won_hands(&self) -> u64 {
        self.hands - self.draws.iter().sum::<u64>()
    }

    fn seat(&mut self, seat: Seat) -> &mut SeatTally {
        &mut self.seats[seat.index()]
    }

    fn end_hand(&mut self, outcome: &Outcome) {
        self.hands += 1;
        match &outcome.end {
            HandEnd::Draw { reason, .. } => {
                let place = DrawReason::ALL.iter().position(|known| known == reason);
                self.draws[place.expect("all reasons are listed")] += 1;
            }
            HandEnd::Win(wins) => {
                self.multiple_rons += u64::from(wins.len() > 1);
                for win in wins {
                    let winner = self.seat(win.winner);
                    winner.win_points += i64::from(win.points);
                    *(if win.from.is_none() { &mut winner.tsumo } else { &mut winner.ron }) += 1;
                    if let Some(from) = win.from {
                        self.seat(from).deal_in_points -= i64::from(win.payments[from]);
                    }
                }
                if let Some(from) = wins.first().and_then(|win| win.from) {
                    self.seat(from).deal_ins += 1;
                }
            }
        }
    }
}

fn add(own: &mut [u64], more: &[u64]) {
    own.iter_mut().zip(more).for_each(|(own, more)| *own += more);
}

impl Observer for Tally {
    #[inline]
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { .. } => self.called = SeatSet::EMPTY,
            Event::RiichiAccepted { seat } => self.seat(*seat).riichi += 1,
            Event::Call { seat, .. } if !self.called.contains(*seat) => {
                self.called.insert(*seat);
                self.seat(*seat).called += 1;
            }
            Event::HandEnd(outcome) => self.end_hand(outcome),
            _ => {}
        }
    }
}
