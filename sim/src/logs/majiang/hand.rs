//! One hand, from its deal to its end.

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedHand, RecordedWin};
use jantaku_engine::{BySeat, DrawReason, Seat, SeatSet, Standing, Tile, Yaku};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::PLAYERS;
use super::document::{Hule, Hupai, Kaigang, MeldEvent, Pingju, Qipai, TileEvent};
use super::tiles::{MeldText, tile, tiles};
use crate::logs::Problem;
use crate::logs::tenhou::fields::{self, YakuList};
use crate::logs::tenhou::names;

/// An event after the deal.
#[derive(Debug)]
pub(super) enum Play {
    Draw(TileEvent),
    Discard(TileEvent),
    Meld(MeldEvent),
    Indicator(Kaigang),
    Win(Hule),
    DrawGame(Pingju),
}

impl Play {
    /// The event with this name and these fields. None if the name is not known.
    pub(super) fn read(name: &str, fields: &Value) -> Result<Option<Play>, Problem> {
        Ok(Some(match name {
            "zimo" | "gangzimo" => Play::Draw(content(fields)?),
            "dapai" => Play::Discard(content(fields)?),
            "fulou" | "gang" => Play::Meld(content(fields)?),
            "kaigang" => Play::Indicator(content(fields)?),
            "hule" => Play::Win(content(fields)?),
            "pingju" => Play::DrawGame(content(fields)?),
            _ => return Ok(None),
        }))
    }
}

/// A hand that is being read.
pub(super) struct HandReader {
    log: HandLog,
    dealer: Seat,
    /// The player whose riichi is accepted unless the discard is ronned.
    declared: Option<Seat>,
    /// Further dora indicators.
    indicators: Vec<Tile>,
}

impl HandReader {
    /// Reads the event of the deal.
    pub(super) fn deal(event: &Value) -> Result<HandReader, Problem> {
        let deal: Qipai = match parts(event)? {
            ("qipai", fields) => content(fields)?,
            (other, _) => return Err(Problem::value("the first event", other, "qipai")),
        };
        let dealer = fields::seat(deal.jushu, PLAYERS)?;
        let standing = Standing {
            round: deal.zhuangfeng.saturating_mul(4).saturating_add(deal.jushu),
            honba: deal.changbang,
            sticks: deal.lizhibang,
            attempt: 0,
            dealer_wins: 0,
            scores: by_seat("`defen`", &deal.defen, dealer)?,
        };
        let shown = fields::by_seat(
            "`shoupai`",
            &deal.shoupai.iter().map(String::as_str).collect::<Vec<_>>(),
            PLAYERS,
        )?;
        let dealt = fields::deal(PLAYERS, |seat| {
            tiles(shown[Seat::FIRST.after(dealer.steps_to(seat, PLAYERS), PLAYERS)])
        })?;
        let log = HandLog::new(standing, dealt, Some(tile(&deal.baopai)?));
        Ok(HandReader { log, dealer, declared: None, indicators: Vec::new() })
    }

    /// Reads an event after the deal.
    pub(super) fn take(&mut self, play: &Play) -> Result<(), Problem> {
        if self.log.hand().end.is_some() && !matches!(play, Play::Win(_)) {
            return Err(Problem::order("the hand is over"));
        }
        if !matches!(play, Play::Win(_) | Play::DrawGame(_)) {
            self.accept_riichi()?;
        }
        match play {
            Play::Draw(draw) => self.draw(draw),
            Play::Discard(discard) => self.discard(discard),
            Play::Meld(meld) => self.meld(meld),
            Play::Indicator(turned) => {
                self.indicators.push(tile(&turned.baopai)?);
                Ok(())
            }
            Play::Win(hule) => self.win(hule),
            Play::DrawGame(pingju) => self.draw_game(pingju),
        }
    }

    /// Marks a gap after the hand so far.
    pub(super) fn break_off(&mut self, why: &str) {
        self.log.break_off(why);
    }

    pub(super) fn into_hand(mut self) -> RecordedHand {
        // The events do not say whether a discard turns an indicator or follows it.
        self.log.list_indicators(self.indicators);
        self.log.into_hand()
    }

    /// The seat of a number that counts from the dealer.
    fn seat(&self, l: u8) -> Result<Seat, Problem> {
        Ok(self.dealer.after(fields::seat(l, PLAYERS)?.number(), PLAYERS))
    }

    fn draw(&mut self, draw: &TileEvent) -> Result<(), Problem> {
        Ok(self.log.draw(self.seat(draw.l)?, tile(&draw.p)?)?)
    }

    /// Reads a discard: `_` after the tile is a tsumogiri, `*` declares riichi.
    fn discard(&mut self, discard: &TileEvent) -> Result<(), Problem> {
        let seat = self.seat(discard.l)?;
        let text = discard.p.trim_end_matches(['_', '*']);
        let marks = &discard.p[text.len()..];
        if marks.contains('*') {
            self.log.declare_riichi(seat)?;
            self.declared = Some(seat);
        }
        Ok(self.log.discard(seat, tile(text)?, marks.contains('_'))?)
    }

    fn meld(&mut self, event: &MeldEvent) -> Result<(), Problem> {
        let seat = self.seat(event.l)?;
        match MeldText::parse(&event.m, seat, PLAYERS)? {
            MeldText::Meld(meld) => Ok(self.log.meld(seat, meld)?),
            MeldText::Kakan(tile, pon) => Ok(self.log.add_to_pon(seat, tile, Some(&pon))?),
        }
    }

    fn accept_riichi(&mut self) -> Result<(), Problem> {
        match self.declared.take() {
            Some(seat) => Ok(self.log.accept_riichi(seat)?),
            None => Ok(()),
        }
    }

    fn win(&mut self, hule: &Hule) -> Result<(), Problem> {
        let winner = self.seat(hule.l)?;
        let is_yakuman = hule.damanguan.is_some();
        let list = yaku_list(&hule.hupai);
        if let Some(ura) = hule.fubaopai.as_ref().filter(|ura| !ura.is_empty()) {
            self.log.ura_indicators(ura.iter().map(|text| tile(text)).collect::<Result<_, _>>()?);
        }
        let deltas = hule.fenpei.as_ref().map(|paid| by_seat("`fenpei`", paid, self.dealer)).transpose()?;
        Ok(self.log.win(RecordedWin {
            winner,
            from: hule.baojia.map(|l| self.seat(l)).transpose()?,
            tile: None,
            han: if is_yakuman { Some(0) } else { hule.fanshu },
            dora: list.as_ref().filter(|_| !is_yakuman).map(|list| list.bonus),
            yaku: list.map(|list| list.yaku),
            fu: hule.fu.filter(|_| !is_yakuman),
            points: hule.defen,
            limit: None,
            base: None,
            liable: None,
            deltas,
        })?)
    }

    fn draw_game(&mut self, end: &Pingju) -> Result<(), Problem> {
        let reason =
            draw_named(&end.name).ok_or_else(|| Problem::unknown("draw", format!("`{}`", end.name)))?;
        // The discard that three players win on does not become a riichi.
        if reason != DrawReason::TripleRon {
            self.accept_riichi()?;
        }
        let shown = (0..).zip(&end.shoupai).filter(|(_, hand)| !hand.is_empty());
        let shown: SeatSet =
            shown.map(|(l, _)| self.seat(l)).collect::<Result<Vec<_>, _>>()?.into_iter().collect();
        let tenpai = Some(shown).filter(|_| !reason.is_abortive() && !end.shoupai.is_empty());
        let deltas = end.fenpei.as_ref().map(|paid| by_seat("`fenpei`", paid, self.dealer)).transpose()?;
        Ok(self.log.end(RecordedEnd { wins: Vec::new(), draw: Some(reason), tenpai, deltas })?)
    }
}

/// The name of an event and its fields: an object with one key.
pub(super) fn parts(event: &Value) -> Result<(&str, &Value), Problem> {
    let entry = event.as_object().and_then(|event| event.iter().next());
    entry
        .map(|(name, fields)| (name.as_str(), fields))
        .ok_or_else(|| Problem::Missing("the event".to_owned()))
}

fn content<T: DeserializeOwned>(fields: &Value) -> Result<T, Problem> {
    T::deserialize(fields).map_err(Problem::syntax)
}

/// Points by seat from a list that begins with the dealer.
fn by_seat(list: &str, points: &[i32], dealer: Seat) -> Result<BySeat<i32>, Problem> {
    let from_dealer = fields::by_seat(list, points, PLAYERS)?;
    Ok(BySeat::from_fn(PLAYERS, |seat| {
        from_dealer[Seat::FIRST.after(dealer.steps_to(seat, PLAYERS), PLAYERS)]
    }))
}

/// The yaku and bonus han of a win. None if it has a name that is not known.
fn yaku_list(listed: &[Hupai]) -> Option<YakuList> {
    let mut list = YakuList::default();
    for Hupai { name, fanshu } in listed {
        let han = fanshu.as_u64().map_or(0, |han| han.min(255) as u8);
        match name.as_str() {
            "ドラ" => list.add_bonus(0, han),
            "裏ドラ" => list.add_bonus(1, han),
            "赤ドラ" => list.add_bonus(2, han),
            name => list.yaku.push((yaku_named(name, fanshu.is_string())?, han)),
        }
    }
    list.yaku.sort_unstable();
    Some(list)
}

/// The yaku with this name: Tenhou's, except for a few.
fn yaku_named(name: &str, is_yakuman: bool) -> Option<Yaku> {
    match name {
        "ダブル立直" => Some(Yaku::DoubleRiichi),
        "国士無双十三面" => Some(Yaku::Kokushi13),
        name => Some(names::yaku_named(&name.replace("翻牌", "役牌"), is_yakuman)?.0),
    }
}

/// The draw with this name: Tenhou's, except for a few.
fn draw_named(name: &str) -> Option<DrawReason> {
    match name {
        "荒牌平局" => Some(DrawReason::Exhaustive),
        "四開槓" => Some(DrawReason::FourKans),
        "三家和" => Some(DrawReason::TripleRon),
        name => names::draw_named(name),
    }
}
