//! Counts games while they are played.

use jantaku_agents::Policy;
use jantaku_engine::replay::Spectator;
use jantaku_engine::{
    Action, BySeat, Event, FinalResult, HandEnd, Observation, Observer, Outcome, Seat, SeatSet, WonHand,
};

use super::counts::{Counter, Counts, Groups, Hand, Win};
use super::{Statistics, Sweep};
use crate::play::{Fixture, Job, RunError, Watch, gather, play_game};

/// Plays a job on all threads of the rayon pool and gives its statistics; what the job says of details plays no part.
///
/// A run that was stopped ends with the games that were played, without an error.
///
/// # Errors
///
/// If an agent answers illegally, or a game has no end.
pub fn simulate<P: Policy>(job: &Job<'_, P>, watch: &mut impl Watch) -> Result<Statistics, RunError> {
    let names = names(job);
    let groups = Groups::new(&names);
    let mut total = Statistics::new(&groups);
    let empty = total.clone();
    let play = |statistics: &mut Statistics, fixture, watch: &dyn Watch| {
        statistics.add(&count(job, fixture, &groups, &names, watch)?);
        Ok(())
    };
    gather(job.schedule, watch, || empty.none_yet(), play, |played| total.merge(&played))?;
    Ok(total)
}

/// Plays several jobs, which differ in their rules alone, on the same walls, and gives the statistics of each and of their differences.
///
/// # Errors
///
/// As for [`simulate`].
pub fn sweep<P: Policy>(jobs: &[Job<'_, P>], watch: &mut impl Watch) -> Result<Sweep, RunError> {
    let names = names(&jobs[0]);
    let groups = Groups::new(&names);
    let mut total = Sweep::new(&groups, jobs.iter().map(|job| job.rules == jobs[0].rules).collect());
    let empty = total.clone();
    let play = |sweep: &mut Sweep, fixture, watch: &dyn Watch| {
        let unit: Result<Vec<Counts>, RunError> =
            jobs.iter().map(|job| count(job, fixture, &groups, &names, watch)).collect();
        sweep.add(&unit?);
        Ok(())
    };
    gather(jobs[0].schedule, watch, || empty.none_yet(), play, |played| total.merge(&played))?;
    Ok(total)
}

fn names<P>(job: &Job<'_, P>) -> Vec<String> {
    job.agents.iter().map(|(name, _)| name.clone()).collect()
}

/// Plays one game and counts it.
fn count<P: Policy>(
    job: &Job<'_, P>,
    fixture: Fixture,
    groups: &Groups,
    agents: &[String],
    watch: &dyn Watch,
) -> Result<Counts, RunError> {
    let mut table = Seen { counter: Counter::new(groups, agents), hand: None, decisions: 0, results: None };
    play_game(job, fixture, &mut table, watch)?;
    let results = table.results.expect("the game is over");
    Ok(table.counter.finish(&results, table.decisions))
}

/// A game that is being played, as far as it is counted.
struct Seen {
    counter: Counter,
    /// The hand in play, with nothing yet of how it ends.
    hand: Option<(Hand, BySeat<u8>)>,
    decisions: u32,
    results: Option<BySeat<FinalResult>>,
}

impl Spectator for Seen {
    #[inline]
    fn decision(&mut self, _: &Observation<'_>, _: Action) {
        self.decisions += 1;
    }
}

impl Observer for Seen {
    #[inline]
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { round, honba, dealer, scores, .. } => self.deal(*round, *honba, *dealer, scores),
            Event::Discard { seat, .. } => self.in_play().1[*seat] += 1,
            Event::RiichiAccepted { seat } => {
                let (hand, discards) = self.in_play();
                hand.riichi[*seat] = Some(discards[*seat]);
            }
            Event::Call { seat, .. } => self.in_play().0.calls[*seat] += 1,
            Event::HandEnd(outcome) => {
                let (hand, discards) = self.hand.take().expect("a hand that ends was dealt");
                self.counter.hand(&ended(hand, discards, outcome));
            }
            Event::GameEnd { results, .. } => self.results = Some(*results),
            _ => {}
        }
    }
}

impl Seen {
    fn in_play(&mut self) -> &mut (Hand, BySeat<u8>) {
        self.hand.as_mut().expect("a hand is in play from its deal to its end")
    }

    fn deal(&mut self, round: u16, honba: u16, dealer: Seat, scores: &BySeat<i32>) {
        let players = scores.players();
        let hand = Hand {
            round,
            honba,
            dealer,
            start_points: *scores,
            draw: None,
            wins: Vec::new(),
            discarder: None,
            deltas: BySeat::splat(players, 0),
            turn: 0,
            riichi: BySeat::splat(players, None),
            calls: BySeat::splat(players, 0),
            tenpai: SeatSet::EMPTY,
        };
        self.hand = Some((hand, BySeat::splat(players, 0)));
    }
}

/// A hand with how it ended, as the table of hands has it.
fn ended(mut hand: Hand, discards: BySeat<u8>, outcome: &Outcome) -> Hand {
    hand.turn = discards.iter().copied().max().unwrap_or(0);
    let sticks_paid = |seat| 1000 * i32::from(hand.riichi[seat].is_some());
    hand.deltas = BySeat::from_fn(discards.players(), |seat| outcome.deltas[seat] - sticks_paid(seat));
    match &outcome.end {
        HandEnd::Win(wins) => {
            hand.discarder = wins.first().and_then(|win| win.from);
            hand.wins = wins.iter().map(won).collect();
        }
        HandEnd::Draw { reason, tenpai, .. } => {
            hand.draw = Some(*reason);
            hand.tenpai = if reason.is_abortive() { SeatSet::EMPTY } else { *tenpai };
        }
    }
    hand
}

fn won(win: &WonHand) -> Win {
    let (score, dora) = (&win.score, win.score.dora);
    Win {
        winner: win.winner,
        yaku: score.yaku,
        han: if score.yakuman > 0 { 0 } else { score.han() as u8 },
        fu: score.fu,
        dora: [dora.dora, dora.ura, dora.red, dora.north],
        points: win.points,
    }
}
