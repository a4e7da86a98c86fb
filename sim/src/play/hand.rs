//! The facts of a hand, from the events of a game in play.

use jantaku_engine::{BySeat, DrawReason, Event, HandEnd, Outcome, Players, Seat, SeatSet, WonHand, YakuSet};

/// What has happened in the current hand of a game, updated with each event.
///
/// This is the only code that reads a hand's facts from events. After the end of a hand it keeps
/// them until the next deal.
#[derive(Clone, Copy, Debug)]
pub struct HandInPlay {
    /// The hand's number by dealers ([`jantaku_engine::Table::round`]).
    pub round: u16,
    /// Honba sticks at the deal.
    pub honba: u16,
    /// Riichi sticks on the table at the deal.
    pub sticks: u16,
    /// The dealer.
    pub dealer: Seat,
    /// Points at the deal.
    pub start_points: BySeat<i32>,
    /// The number of the discard that declared each accepted riichi, from 1.
    pub riichi: BySeat<Option<u8>>,
    /// Discards that each seat called.
    pub calls: BySeat<u8>,
    /// Tiles that each seat discarded.
    pub discards: BySeat<u8>,
    /// Tiles drawn by all seats, replacement tiles included.
    pub draws: u8,
    /// Points of a riichi stick.
    pub riichi_stick: i32,
}

impl HandInPlay {
    /// The state before the first deal of a game whose riichi sticks have these points.
    pub fn new(players: Players, riichi_stick: i32) -> HandInPlay {
        HandInPlay {
            round: 0,
            honba: 0,
            sticks: 0,
            dealer: Seat::FIRST,
            start_points: BySeat::splat(players, 0),
            riichi: BySeat::splat(players, None),
            calls: BySeat::splat(players, 0),
            discards: BySeat::splat(players, 0),
            draws: 0,
            riichi_stick,
        }
    }

    /// Updates the facts with the next event of the game.
    #[inline]
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { round, honba, sticks, dealer, scores, .. } => {
                *self = HandInPlay {
                    round: *round,
                    honba: *honba,
                    sticks: *sticks,
                    dealer: *dealer,
                    start_points: *scores,
                    ..HandInPlay::new(scores.players(), self.riichi_stick)
                };
            }
            Event::Draw { .. } => self.draws += 1,
            Event::Discard { seat, .. } => self.discards[*seat] += 1,
            Event::RiichiAccepted { seat } => self.riichi[*seat] = Some(self.discards[*seat]),
            Event::Call { seat, .. } => self.calls[*seat] += 1,
            _ => {}
        }
    }

    /// The most discards of any seat: how long the hand lasted.
    pub fn turn(&self) -> u8 {
        self.discards.iter().copied().max().unwrap_or(0)
    }

    /// Points that each seat won or lost since the deal, its riichi stick included.
    pub fn deltas(&self, outcome: &Outcome) -> BySeat<i32> {
        let sticks_paid = |seat| self.riichi_stick * i32::from(self.riichi[seat].is_some());
        BySeat::from_fn(self.start_points.players(), |seat| outcome.deltas[seat] - sticks_paid(seat))
    }

    /// The facts of the hand after its end.
    pub fn facts(&self, outcome: &Outcome) -> HandFacts {
        let end = EndFacts::new(&outcome.end, self.start_points.players());
        HandFacts { course: *self, deltas: self.deltas(outcome), end }
    }
}

/// A finished hand, as far as it is counted.
///
/// Comes from [`HandInPlay`] or from a row of the table `hands`.
#[derive(Clone, Debug)]
pub struct HandFacts {
    /// What happened in it. Sticks and draws are not counted.
    pub course: HandInPlay,
    /// Points that each seat won or lost, riichi sticks included.
    pub deltas: BySeat<i32>,
    /// How it ended.
    pub end: EndFacts,
}

/// How a hand ended.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a box would allocate for every won hand")]
pub enum EndFacts {
    /// At least one player won.
    Won {
        /// The win of each winner.
        wins: BySeat<Option<WinFacts>>,
        /// The player who dealt in; none for a tsumo.
        discarder: Option<Seat>,
    },
    /// The hand was drawn.
    Draw {
        /// Why.
        reason: DrawReason,
        /// Players who showed tenpai at an exhaustive draw; empty after an abortive draw.
        tenpai: SeatSet,
    },
}

impl EndFacts {
    fn new(end: &HandEnd, players: Players) -> EndFacts {
        match end {
            HandEnd::Win(won_hands) => {
                let mut wins = BySeat::splat(players, None);
                won_hands.iter().for_each(|win| wins[win.winner] = Some(WinFacts::new(win)));
                EndFacts::Won { wins, discarder: won_hands.first().and_then(|win| win.from) }
            }
            HandEnd::Draw { reason, tenpai, .. } => {
                let tenpai = if reason.is_abortive() { SeatSet::EMPTY } else { *tenpai };
                EndFacts::Draw { reason: *reason, tenpai }
            }
        }
    }
}

/// A player's win, as far as it is counted.
#[derive(Clone, Copy, Debug)]
pub struct WinFacts {
    /// Its yaku.
    pub yaku: YakuSet,
    /// Han with dora; 0 for a yakuman.
    pub han: u8,
    /// Rounded fu; 0 where they do not matter ([`jantaku_engine::Score::fu`]).
    pub fu: u8,
    /// Han of dora, ura dora, red fives and Norths.
    pub dora: [u8; 4],
    /// Points of the hand, without honba and riichi sticks.
    pub points: i32,
}

impl WinFacts {
    fn new(win: &WonHand) -> WinFacts {
        let (score, dora) = (&win.score, win.score.dora);
        WinFacts {
            yaku: score.yaku,
            han: if score.yakuman > 0 { 0 } else { score.han() as u8 },
            fu: score.fu,
            dora: [dora.dora, dora.ura, dora.red, dora.north],
            points: win.points,
        }
    }
}
