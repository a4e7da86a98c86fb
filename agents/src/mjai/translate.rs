//! Translates the engine's events into the format's, one by one.

use jantaku_engine::{
    self as engine, BySeat, Declare, DrawReason, HandEnd, Meld, MeldKind, Outcome, Rules, Seat, SeatSet,
    Tile, Wind, WonHand,
};

use super::event::{Claim, Event, GAMETYPES, Hora, REASONS, SHORT};
use super::pai::{Pai, RoundWind};
use super::parts::{NORTH, from_hand, pais, riichi_cost};

/// Turns the engine's events of a game into events of the format, in order.
///
/// Tiles that are masked in an engine event are hidden in the translation, as `?`. Wins have no
/// value but their points.
#[derive(Clone, Debug)]
pub struct Translator {
    rules: Rules,
    /// The current points.
    pub(super) scores: BySeat<i32>,
    /// The pons of the hand.
    pons: Vec<Claim>,
}

impl Translator {
    /// A translator for a game by these rules, or for a hand that starts with these points.
    pub const fn new(rules: &Rules, scores: BySeat<i32>) -> Translator {
        Translator { rules: *rules, scores, pons: Vec::new() }
    }

    /// Changes the points.
    pub(super) fn pay(&mut self, deltas: Option<&BySeat<i32>>) {
        for seat in self.scores.players().seats() {
            self.scores[seat] += deltas.map_or(0, |deltas| deltas[seat]);
        }
    }

    /// Adds the translation of an event to `out`, which holds the events before it.
    pub fn translate(&mut self, event: &engine::Event, out: &mut Vec<Event>) {
        match event {
            engine::Event::Deal { round, honba, sticks, scores, indicator, hands, .. } => {
                self.scores = *scores;
                self.pons.clear();
                let dealt = hands.iter().map(|hand| hand.iter().copied().map(Pai).collect()).collect();
                out.push(deal(*round, *honba, *sticks, scores, *indicator, dealt));
            }
            engine::Event::Draw { seat, tile, .. } => {
                out.push(Event::Tsumo { actor: seat.number(), pai: Pai(*tile) });
            }
            engine::Event::Discard { seat, tile, tsumogiri, declare } => {
                let actor = seat.number();
                if *declare == Declare::Riichi {
                    out.push(Event::Reach { actor });
                }
                out.push(Event::Dahai { actor, pai: (*tile).into(), tsumogiri: *tsumogiri });
            }
            engine::Event::RiichiAccepted { seat } => {
                let cost = riichi_cost(*seat, &self.rules);
                self.pay(Some(&cost));
                out.push(Event::ReachAccepted {
                    actor: seat.number(),
                    deltas: Some(list(&cost)),
                    scores: Some(list(&self.scores)),
                });
            }
            engine::Event::Call { seat, meld } | engine::Event::Ankan { seat, meld } => {
                out.push(self.meld(*seat, *meld));
            }
            engine::Event::Kakan { seat, tile } => out.push(self.kakan(*seat, *tile)),
            engine::Event::Kita { seat } => {
                out.push(Event::Kita { actor: seat.number(), pai: Some(NORTH.into()) });
            }
            engine::Event::Indicator { tile } => out.push(Event::Dora { dora_marker: (*tile).into() }),
            engine::Event::HandEnd(outcome) => self.end(outcome, out),
            engine::Event::GameEnd { scores, .. } => {
                out.push(Event::EndGame { scores: Some(list(scores)) });
            }
            engine::Event::DeadHand { .. } => {}
        }
    }

    fn meld(&mut self, seat: Seat, meld: Meld) -> Event {
        let actor = seat.number();
        let Some(claimed) = meld.claimed() else {
            return Event::Ankan { actor, consumed: pais(meld.tiles()) };
        };
        let target = claimed.from.number();
        let claim = Claim { actor, target, pai: claimed.tile.into(), consumed: pais(from_hand(meld)) };
        match meld.kind() {
            MeldKind::Chi => Event::Chi(claim),
            MeldKind::Pon => {
                self.pons.push(claim.clone());
                Event::Pon(claim)
            }
            MeldKind::Daiminkan | MeldKind::Kakan | MeldKind::Ankan => Event::Daiminkan(claim),
        }
    }

    /// A kakan with the tiles of its pon.
    fn kakan(&self, seat: Seat, tile: Tile) -> Event {
        let is_of_kind = |claim: &&Claim| claim.pai.0.is_some_and(|pai| pai.kind() == tile.kind());
        let pon = self.pons.iter().filter(|claim| claim.actor == seat.number()).find(is_of_kind);
        let consumed =
            pon.map_or_else(Vec::new, |claim| claim.consumed.iter().copied().chain([claim.pai]).collect());
        Event::Kakan { actor: seat.number(), pai: tile.into(), consumed }
    }

    fn end(&mut self, outcome: &Outcome, out: &mut Vec<Event>) {
        match &outcome.end {
            HandEnd::Win(wins) => {
                for win in wins {
                    let mut deltas = win.payments;
                    deltas[win.winner] += self.rules.riichi_stick * i32::from(win.sticks);
                    self.pay(Some(&deltas));
                    out.push(Event::Hora(self.hora(win, &deltas)));
                }
            }
            HandEnd::Draw { reason, tenpai, .. } => {
                self.pay(Some(&outcome.deltas));
                let tenpai = Some(*tenpai).filter(|_| !reason.is_abortive());
                out.push(self.draw(Some(*reason), tenpai, Some(&outcome.deltas)));
            }
        }
        out.push(Event::EndKyoku);
    }

    fn hora(&self, win: &WonHand, deltas: &BySeat<i32>) -> Hora {
        Hora {
            actor: win.winner.number(),
            target: win.from.unwrap_or(win.winner).number(),
            pai: Some(win.tile.into()),
            ura_markers: Some(pais(win.ura_indicators.iter().copied())),
            hora_points: Some(win.points),
            deltas: Some(list(deltas)),
            scores: Some(list(&self.scores)),
            ..Hora::default()
        }
    }

    /// An exhaustive or abortive draw. Its `scores` are the current points.
    pub(super) fn draw(
        &self,
        reason: Option<DrawReason>,
        tenpai: Option<SeatSet>,
        deltas: Option<&BySeat<i32>>,
    ) -> Event {
        let players = self.scores.players();
        let named = |(other, _): &&(DrawReason, &[&str])| Some(*other) == reason;
        let tenpais = |tenpai: SeatSet| players.seats().map(|seat| tenpai.contains(seat)).collect();
        Event::Ryukyoku {
            reason: REASONS.iter().find(named).map(|(_, names)| names[0].to_owned()),
            tehais: None,
            tenpais: tenpai.map(tenpais),
            deltas: deltas.map(list),
            scores: Some(list(&self.scores)),
        }
    }
}

/// The start of a game. It has the rules if they are not the default, and the seat of the reader.
pub fn start_game(rules: &Rules, names: Vec<String>, id: Option<u8>) -> Event {
    let is_short = rules.wind_rounds == 1;
    Event::StartGame {
        names,
        rules: (*rules != Rules::default()).then(|| rules.to_toml()),
        gametype: Some(GAMETYPES[usize::from(!is_short)].to_owned()),
        aka_flag: Some(rules.aka.m + rules.aka.p + rules.aka.s > 0),
        kyoku_first: Some(if is_short { SHORT } else { 0 }),
        id,
    }
}

/// The start of a hand.
pub(super) fn deal(
    round: u16,
    honba: u16,
    sticks: u16,
    scores: &BySeat<i32>,
    indicator: Option<Tile>,
    tehais: Vec<Vec<Pai>>,
) -> Event {
    let players = u16::from(scores.players().count());
    let oya = (round % players) as u8;
    Event::StartKyoku {
        bakaze: RoundWind(Wind::of_round(u32::from(round / players))),
        dora_marker: indicator.map(Pai::from),
        kyoku: oya + 1,
        honba,
        kyotaku: sticks,
        oya,
        scores: Some(list(scores)),
        tehais,
    }
}

pub(super) fn list(points: &BySeat<i32>) -> Vec<i32> {
    points.iter().copied().collect()
}
