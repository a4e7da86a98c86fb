//! The end of a hand, and payments.

use super::kan::PAO;
use super::{Round, Step};
use crate::draw::DrawReason;
use crate::outcome::{Ending, HandEnd, MAX_LIABLE, Outcome, WinAtTable, WonHand};
use crate::rules::options::{AbortiveDealer, MultiRonHonba, MultiRonSticks, Nagashi};
use crate::score::{Moment, Riichi, Score, Win};
use crate::settle::{self, Liability};
use crate::table::Phase;
use crate::wall::DEAD;
use crate::{Action, BySeat, Seat, SeatSet, Tile, TileSet};

impl Round {
    pub(super) fn end(&mut self, ending: Ending) -> Step {
        self.ending = Some(ending);
        self.table.phase = Phase::Over;
        Step::Stop
    }

    /// Ends the hand with an abortive draw. Four riichi show the hands, so if one of them was a foul, the
    /// hand ends with that foul instead.
    pub(super) fn abort(&mut self, reason: DrawReason) -> Step {
        let offenders = self.riichi_offenders();
        if reason == DrawReason::FourRiichi && !offenders.is_empty() {
            return self.end(Ending::Foul { offenders });
        }
        let rules = &self.table.rules;
        let matters = rules.abortive_noten_payment || rules.abortive_dealer == AbortiveDealer::ByTenpai;
        let tenpai = if matters { self.tenpai_seats() | self.seats_in_riichi() } else { SeatSet::EMPTY };
        self.end(Ending::Draw { reason, tenpai, nagashi: SeatSet::EMPTY })
    }

    /// The players in riichi whose hands are not dead. They count as tenpai where their hands are
    /// not shown, although one of them may hide a foul.
    fn seats_in_riichi(&self) -> SeatSet {
        let claims = |seat: &Seat| self.table.sides[*seat].in_riichi() && !self.table.sides[*seat].is_dead;
        self.table.rules.players.seats().filter(claims).collect()
    }

    /// The abortive draw that a discard causes if nobody wins on it.
    #[inline]
    pub(super) fn abortive_draw(&self) -> Option<DrawReason> {
        let (table, rules) = (&self.table, &self.table.rules);
        let players = usize::from(rules.players.count());
        if table.kans == 4 && self.four_kans_by_several() {
            return Some(DrawReason::FourKans);
        }
        if rules.suucha && table.sides.iter().all(|side| side.riichi != Riichi::None) {
            return Some(DrawReason::FourRiichi);
        }
        if rules.suufon && table.uninterrupted && table.discards.len() == players && self.same_winds() {
            return Some(DrawReason::FourWinds);
        }
        None
    }

    fn same_winds(&self) -> bool {
        let kinds: TileSet = self.table.discards.iter().map(|discard| discard.tile.kind()).collect();
        kinds.len() == 1 && kinds.is_subset(TileSet::WINDS)
    }

    /// Asks tenpai players after the last live tile whether they declare noten. Ends the hand if nobody is
    /// asked, or if a player has a foul in riichi.
    pub(super) fn exhausted(&mut self) -> Step {
        self.table.phase = Phase::Draw;
        self.table.offer = None;
        self.asked = SeatSet::EMPTY;
        let offenders = self.riichi_offenders();
        if !offenders.is_empty() {
            return self.end(Ending::Foul { offenders });
        }
        if self.table.rules.noten_declaration {
            let may_choose: Vec<Seat> =
                self.tenpai_seats().iter().filter(|seat| !self.table.sides[*seat].in_riichi()).collect();
            for seat in may_choose {
                self.ask(seat, [Action::Pass, Action::KeepClosed].into_iter().collect());
            }
        }
        if self.pending.is_empty() { self.end_exhausted() } else { Step::Stop }
    }

    /// Ends the hand with an exhaustive draw, after the players who were asked have answered.
    pub(super) fn end_exhausted(&mut self) -> Step {
        let keeps_closed = |seat: &Seat| self.answer_of(*seat) == Some(Action::KeepClosed);
        let tenpai = self.tenpai_seats().iter().filter(|seat| !keeps_closed(seat)).collect();
        let nagashi = self.nagashi_seats();
        let reason = if nagashi.is_empty() { DrawReason::Exhaustive } else { DrawReason::Nagashi };
        self.end(Ending::Draw { reason, tenpai, nagashi })
    }

    /// The tenpai players. A player with a drawn tile is tenpai if some discard leaves the hand
    /// tenpai. A dead hand is noten.
    fn tenpai_seats(&self) -> SeatSet {
        let is_tenpai = |seat: &Seat| {
            let (private, melds, rules) =
                (&self.privates[*seat], &self.table.sides[*seat].melds, &self.table.rules);
            let after_discard = |tile: Tile| {
                let mut rest = *private;
                rest.take_in_draw();
                rest.hand.remove(tile);
                rest.waits = rest.hand.waits(melds.len());
                rest.is_tenpai(melds, rules)
            };
            match private.drawn {
                None => private.is_tenpai(melds, rules),
                Some(_) => private.hand_with_draw().tiles().any(after_discard),
            }
        };
        let is_alive = |seat: &Seat| !self.table.sides[*seat].is_dead;
        self.table.rules.players.seats().filter(is_alive).filter(is_tenpai).collect()
    }

    /// The players with nagashi mangan. A dead hand cannot have it. Every player has discarded,
    /// because the calls of the others cannot skip them until the wall is empty.
    fn nagashi_seats(&self) -> SeatSet {
        let table = &self.table;
        if table.rules.nagashi == Nagashi::Off {
            return SeatSet::EMPTY;
        }
        let has_it = |seat: &Seat| {
            let side = &table.sides[*seat];
            let counts = |d: crate::Discard| d.tile.kind().is_yaochuu() && d.claimed_by.is_none();
            !side.is_dead
                && (!table.rules.nagashi_needs_closed || !side.melds.are_open())
                && table.discards.of(*seat).all(counts)
        };
        table.rules.players.seats().filter(has_it).collect()
    }

    /// Computes the payments of an ending.
    pub(super) fn settle(&self, ending: Ending) -> Outcome {
        match ending {
            Ending::Win { winners, from, tile, moment } => self.settle_wins(winners, from, tile, moment),
            Ending::Draw { reason, tenpai, nagashi } => self.settle_draw(reason, tenpai, nagashi),
            Ending::Foul { offenders } => self.settle_fouls(offenders),
        }
    }

    /// The points won and lost and the riichi sticks that stay, as in the [outcome](Round::outcome),
    /// but without its allocations.
    pub(crate) fn settlement(&self, ending: Ending) -> (BySeat<i32>, u16) {
        let Ending::Win { winners, from, tile, moment } = ending else {
            let Outcome { deltas, sticks, .. } = self.settle(ending);
            return (deltas, sticks);
        };
        let mut deltas = BySeat::splat(self.table.rules.players, 0);
        for win in self.wins_at_table(winners, from, tile) {
            let payments = self.with_score(&win, moment, |hand, score, win| win.payments(hand, &score));
            self.add(&mut deltas, &payments, &win);
        }
        (deltas, 0)
    }

    /// Checks two laws of the program: no point and no tile appears or disappears. Penalties of fouls may go
    /// to nobody. It stays on in every build: it takes 0.2 % of the instructions of random games (callgrind
    /// of `jantaku selfplay --games 300 --agents random --threads 1 --log none`).
    ///
    /// # Panics
    ///
    /// If one of them is broken.
    pub(crate) fn check_conserved(&self, outcome: &Outcome) {
        let table = &self.table;
        let sticks = i32::from(outcome.sticks) - i32::from(table.sticks);
        let points = outcome.deltas.sum() + table.rules.riichi_stick * sticks;
        let is_foul = matches!(self.ending, Some(Ending::Foul { .. }));
        assert!(points == 0 || is_foul, "a hand makes no points, but this one made {points}: {outcome:?}");
        let mut hidden = table.unseen;
        for private in &self.privates {
            hidden.see_hand(&private.hand);
            private.drawn.iter().for_each(|tile| hidden.see(tile.kind().into()));
        }
        let (left, in_wall) = (hidden.count(TileSet::ALL), table.live + DEAD as u8 - table.indicator_count);
        assert!(left == u32::from(in_wall), "the wall has {in_wall} hidden tiles, but {left} are missing");
    }

    fn settle_wins(&self, winners: SeatSet, from: Option<Seat>, tile: Tile, moment: Moment) -> Outcome {
        let mut deltas = BySeat::splat(self.table.rules.players, 0);
        let mut wins = Vec::new();
        for win in self.wins_at_table(winners, from, tile) {
            let won = self.with_score(&win, moment, WonHand::new);
            self.add(&mut deltas, &won.payments, &win);
            wins.push(won);
        }
        Outcome { end: HandEnd::Win(wins), deltas, sticks: 0 }
    }

    /// The wins in turn order after the discarder, without liability.
    fn wins_at_table(
        &self,
        winners: SeatSet,
        from: Option<Seat>,
        tile: Tile,
    ) -> impl Iterator<Item = WinAtTable<'static>> {
        let (table, players) = (&self.table, self.table.rules.players);
        let start = from.unwrap_or(table.turn);
        let sticks = self.sticks_by_winner(winners, start);
        let each_collects = table.rules.multi_ron_honba == MultiRonHonba::Each;
        let (dealer, honba) = (table.dealer, table.honba);
        players.seats_from(start).filter(move |seat| winners.contains(*seat)).enumerate().map(
            move |(at, winner)| {
                let honba = if at == 0 || each_collects { honba } else { 0 };
                WinAtTable { dealer, winner, from, tile, liable: &[], honba, sticks: sticks[winner] }
            },
        )
    }

    /// Calls `use_it` with the winning hand, its score, and the win with the liable players.
    fn with_score<T>(
        &self,
        win: &WinAtTable<'_>,
        moment: Moment,
        use_it: impl FnOnce(&Win<'_>, Score, &WinAtTable<'_>) -> T,
    ) -> T {
        let (table, rules) = (&self.table, &self.table.rules);
        let side = &table.sides[win.winner];
        let ura_count = rules.ura_count(side.in_riichi(), table.indicators().len());
        let ura: [Tile; 5] =
            std::array::from_fn(|k| if k < ura_count { self.wall.ura_indicator(k) } else { win.tile });
        let hand = self.win(win.winner, win.tile, win.from.is_none(), moment);
        let hand = Win { ura_indicators: &ura[..ura_count], ..hand };
        let score = hand.score().expect("a win was offered only to a hand with a yaku");
        let of_yaku = PAO.into_iter().zip(side.liable).map(|(yaku, seat)| (seat, Some(yaku)));
        let all = of_yaku.chain([(table.kan_feeder, None)]);
        let mut liable = [Liability { seat: win.winner, yaku: None }; MAX_LIABLE];
        let mut count = 0;
        for (place, (seat, yaku)) in liable.iter_mut().zip(all.filter_map(|(seat, yaku)| Some((seat?, yaku))))
        {
            *place = Liability { seat, yaku };
            count += 1;
        }
        use_it(&hand, score, &WinAtTable { liable: &liable[..count], ..*win })
    }

    /// The riichi sticks that each winner takes. `start` is the discarder, or the winner of a tsumo.
    fn sticks_by_winner(&self, winners: SeatSet, start: Seat) -> BySeat<u16> {
        let table = &self.table;
        let players = table.rules.players;
        let mut sticks = BySeat::splat(players, 0);
        let mut left = table.sticks;
        let in_turn = || players.seats_from(start).filter(|seat| winners.contains(*seat));
        match table.rules.multi_ron_sticks {
            MultiRonSticks::OwnBackThenNearest => {
                for seat in winners.iter().filter(|seat| table.sides[*seat].in_riichi()) {
                    sticks[seat] += 1;
                    left -= 1;
                }
            }
            MultiRonSticks::DealerThenNearest if winners.contains(table.dealer) => {
                sticks[table.dealer] = std::mem::take(&mut left);
            }
            MultiRonSticks::Shared => {
                let (count, all) = (winners.len() as u16, std::mem::take(&mut left));
                for (index, seat) in (0..).zip(in_turn()) {
                    sticks[seat] = all / count + u16::from(index < all % count);
                }
            }
            _ => {}
        }
        sticks[in_turn().next().expect("a win has a winner")] += left;
        sticks
    }

    fn settle_draw(&self, reason: DrawReason, tenpai: SeatSet, nagashi: SeatSet) -> Outcome {
        let (table, rules) = (&self.table, &self.table.rules);
        let mut sticks = table.sticks;
        let mut deltas = match reason {
            DrawReason::Nagashi => settle::nagashi_payments(nagashi, table.dealer, rules),
            DrawReason::Exhaustive => settle::noten_payments(tenpai, rules),
            _ if rules.abortive_noten_payment => settle::noten_payments(tenpai, rules),
            _ => BySeat::splat(rules.players, 0),
        };
        if reason == DrawReason::Nagashi && rules.nagashi == Nagashi::Win {
            // Paid like a tsumo. With several players, the first in turn order from the dealer collects
            // honba and riichi sticks.
            let mut from_dealer = rules.players.seats_from(table.dealer);
            let winner = from_dealer.find(|seat| nagashi.contains(*seat)).expect("the draw is by nagashi");
            let honba = i32::from(table.honba) * rules.honba_tsumo;
            rules.players.others(winner).for_each(|seat| deltas[seat] -= honba);
            deltas[winner] +=
                honba * (i32::from(rules.players.count()) - 1) + rules.riichi_stick * i32::from(sticks);
            sticks = 0;
        }
        Outcome { end: HandEnd::Draw { reason, tenpai, nagashi, fouls: SeatSet::EMPTY }, deltas, sticks }
    }

    /// The payments of the offenders. The riichi sticks of this hand are returned.
    fn settle_fouls(&self, fouls: SeatSet) -> Outcome {
        let (table, rules) = (&self.table, &self.table.rules);
        let mut deltas = BySeat::splat(rules.players, 0);
        for offender in fouls.iter() {
            for (seat, points) in settle::chombo_payments(offender, table.dealer, rules).enumerate() {
                deltas[seat] += points;
            }
        }
        let mut sticks = table.sticks;
        for seat in rules.players.seats().filter(|seat| table.sides[*seat].in_riichi()) {
            deltas[seat] += rules.riichi_stick;
            sticks -= 1;
        }
        let (reason, none) = (DrawReason::Chombo, SeatSet::EMPTY);
        Outcome { end: HandEnd::Draw { reason, tenpai: none, nagashi: none, fouls }, deltas, sticks }
    }

    /// Adds the payments of a win and its riichi sticks.
    fn add(&self, deltas: &mut BySeat<i32>, payments: &BySeat<i32>, win: &WinAtTable<'_>) {
        for (seat, points) in payments.enumerate() {
            deltas[seat] += points;
        }
        deltas[win.winner] += self.table.rules.riichi_stick * i32::from(win.sticks);
    }
}
