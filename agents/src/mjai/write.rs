//! Writes the events of a recorded game.

use jantaku_engine::replay::{RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::{self as engine, BySeat, Declare, DrawReason, Meld, MeldKind, Rules, Seat, Tile, Wind};

use super::event::{Claim, Event, Hora, REASONS};
use super::pai::{Pai, RoundWind};
use super::parts::{pais, riichi_cost};
use super::yaku::{self, YAKUMAN};

/// The events of a game, in order. A log in this format has one event per line.
///
/// The format leaves out liability and the results with uma.
#[must_use]
pub fn write(game: &RecordedGame) -> Vec<Event> {
    let rules = (game.rules != Rules::default()).then(|| game.rules.to_toml());
    let names = game.names.clone();
    let mut events = vec![Event::StartGame { names, rules, gametype: None, aka_flag: None }];
    for hand in &game.hands {
        let count = u16::from(game.rules.players.count());
        let mut writer = Writer { events: &mut events, scores: hand.standing.scores };
        writer.deal(hand, count);
        hand.events.iter().for_each(|event| writer.event(event));
        if let Some(end) = &hand.end {
            writer.end(hand, end);
        }
    }
    if game.is_whole {
        events.push(Event::EndGame { scores: game.final_scores.map(|scores| list(&scores)) });
    }
    events
}

/// Writes the events of one hand.
struct Writer<'a> {
    events: &'a mut Vec<Event>,
    /// The current points.
    scores: BySeat<i32>,
}

impl Writer<'_> {
    fn deal(&mut self, hand: &RecordedHand, players: u16) {
        let standing = &hand.standing;
        let kyoku = (standing.round % players) as u8;
        self.events.push(Event::StartKyoku {
            bakaze: RoundWind(Wind::of_round(u32::from(standing.round / players))),
            dora_marker: hand.indicator.map(Pai::from),
            kyoku: kyoku + 1,
            honba: standing.honba,
            kyotaku: standing.sticks,
            oya: kyoku,
            scores: Some(list(&standing.scores)),
            tehais: hand.dealt.iter().map(|tiles| pais(tiles.iter().copied())).collect(),
        });
    }

    fn event(&mut self, event: &engine::Event) {
        let written = match event {
            engine::Event::Draw { seat, tile, .. } => Event::Tsumo { actor: seat.number(), pai: Pai(*tile) },
            engine::Event::Discard { seat, tile, tsumogiri, declare } => {
                if *declare == Declare::Riichi {
                    self.events.push(Event::Reach { actor: seat.number() });
                }
                Event::Dahai { actor: seat.number(), pai: (*tile).into(), tsumogiri: *tsumogiri }
            }
            engine::Event::RiichiAccepted { seat } => {
                let cost = riichi_cost(*seat, self.scores.players());
                self.pay(Some(&cost));
                Event::ReachAccepted {
                    actor: seat.number(),
                    deltas: Some(list(&cost)),
                    scores: Some(list(&self.scores)),
                }
            }
            engine::Event::Call { seat, meld } => call(*seat, *meld),
            engine::Event::Ankan { seat, meld } => {
                Event::Ankan { actor: seat.number(), consumed: pais(meld.tiles()) }
            }
            engine::Event::Kakan { seat, tile } => self.kakan(*seat, *tile),
            engine::Event::Kita { seat } => {
                let north = Tile::plain(engine::TileKind::NORTH);
                Event::Kita { actor: seat.number(), pai: Some(north.into()) }
            }
            engine::Event::Indicator { tile } => Event::Dora { dora_marker: (*tile).into() },
            engine::Event::Deal { .. }
            | engine::Event::DeadHand { .. }
            | engine::Event::HandEnd(_)
            | engine::Event::GameEnd { .. } => return,
        };
        self.events.push(written);
    }

    /// A kakan with the tiles of its pon.
    fn kakan(&self, seat: Seat, tile: Tile) -> Event {
        let pon = self.events.iter().rev().find_map(|event| match event {
            Event::Pon(claim) if claim.actor == seat.number() => {
                claim.pai.0.is_some_and(|pai| pai.kind() == tile.kind()).then_some(claim)
            }
            _ => None,
        });
        let consumed =
            pon.map_or_else(Vec::new, |claim| claim.consumed.iter().copied().chain([claim.pai]).collect());
        Event::Kakan { actor: seat.number(), pai: tile.into(), consumed }
    }

    fn end(&mut self, hand: &RecordedHand, end: &RecordedEnd) {
        for win in &end.wins {
            self.pay(win.deltas.as_ref());
            let hora = self.hora(hand, win);
            self.events.push(Event::Hora(hora));
        }
        if end.wins.is_empty() {
            self.pay(end.deltas.as_ref());
            let players = self.scores.players();
            let named = |(reason, _): &&(DrawReason, &[&str])| Some(*reason) == end.draw;
            let tenpais = |seats: engine::SeatSet| players.seats().map(|seat| seats.contains(seat)).collect();
            self.events.push(Event::Ryukyoku {
                reason: REASONS.iter().find(named).map(|(_, names)| names[0].to_owned()),
                tehais: None,
                tenpais: end.tenpai.map(tenpais),
                deltas: end.deltas.as_ref().map(list),
                scores: Some(list(&self.scores)),
            });
        }
        self.events.push(Event::EndKyoku);
    }

    fn hora(&self, hand: &RecordedHand, win: &RecordedWin) -> Hora {
        // A hand with yakuman has no han in the engine, and 100 for each yakuman here.
        let yakuman = win.yaku.iter().flatten().filter(|(yaku, _)| yaku.is_yakuman()).count() as u32;
        let in_riichi = engine::Event::RiichiAccepted { seat: win.winner };
        let ura = if hand.events.contains(&in_riichi) { hand.ura_indicators.as_slice() } else { &[] };
        Hora {
            actor: win.winner.number(),
            target: win.from.unwrap_or(win.winner).number(),
            pai: win.tile.map(Pai::from),
            ura_markers: Some(pais(ura.iter().copied())),
            hora_tehais: hand.held(win.winner).map(pais),
            yakus: yaku::listed(win),
            fu: win.fu.map(u32::from),
            fan: if yakuman > 0 { Some(YAKUMAN * yakuman) } else { win.han },
            hora_points: win.points,
            deltas: win.deltas.as_ref().map(list),
            scores: Some(list(&self.scores)),
        }
    }

    fn pay(&mut self, deltas: Option<&BySeat<i32>>) {
        for seat in self.scores.players().seats() {
            self.scores[seat] += deltas.map_or(0, |deltas| deltas[seat]);
        }
    }
}

fn call(seat: Seat, meld: Meld) -> Event {
    let actor = seat.number();
    let Some(claimed) = meld.claimed() else {
        return Event::Ankan { actor, consumed: pais(meld.tiles()) };
    };
    let mut own: Vec<Tile> = meld.tiles().collect();
    if let Some(at) = own.iter().position(|tile| *tile == claimed.tile) {
        own.remove(at);
    }
    let claim = Claim { actor, target: claimed.from.number(), pai: claimed.tile.into(), consumed: pais(own) };
    match meld.kind() {
        MeldKind::Chi => Event::Chi(claim),
        MeldKind::Pon => Event::Pon(claim),
        MeldKind::Daiminkan | MeldKind::Kakan | MeldKind::Ankan => Event::Daiminkan(claim),
    }
}

fn list(points: &BySeat<i32>) -> Vec<i32> {
    points.iter().copied().collect()
}
