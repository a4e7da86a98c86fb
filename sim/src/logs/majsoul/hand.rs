//! One hand, from its deal to its end.

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedHand, RecordedWin, seat_of};
use jantaku_engine::{
    BySeat, Claimed, Declare, DrawReason, Event, Meld, MeldKind, Players, Seat, SeatSet, Standing, Tile,
};

use super::document::{
    AnGangAddGang, ChiPengGang, Hule, Liqi, LiuJu, NewRound, NoTile, Record, TileRecord, Win, tile, tiles,
};
use super::names;
use crate::logs::Problem;
use crate::logs::tenhou::fields::{self, YakuList};

/// Reads a record after the deal.
pub(super) type Play = fn(&mut HandReader, &Record<'_>) -> Result<(), Problem>;

/// How records of this name are read. None if the name is not known.
pub(super) fn play_named(name: &str) -> Option<Play> {
    Some(match name {
        "RecordDealTile" => |hand, record| hand.draw(&record.read()?),
        "RecordDiscardTile" => |hand, record| hand.discard(&record.read()?),
        "RecordChiPengGang" => |hand, record| hand.claim(&record.read()?),
        "RecordAnGangAddGang" => |hand, record| hand.kan(&record.read()?),
        "RecordBaBei" => |hand, record| hand.kita(&record.read()?),
        "RecordHule" => |hand, record| hand.win(&record.read()?),
        "RecordNoTile" => |hand, record| hand.run_out(&record.read()?),
        "RecordLiuJu" => |hand, record| hand.abort(&record.read()?),
        _ => return None,
    })
}

/// A hand that is being read.
pub(super) struct HandReader {
    pub(super) log: HandLog,
    players: Players,
    /// The dora indicators so far. Records repeat the whole list when one is turned.
    indicators: Vec<Tile>,
    /// Unknown numbers of yaku. The yaku of such a win are ignored.
    pub(super) unknown: Vec<Problem>,
}

impl HandReader {
    /// Reads the deal. The dealer's fourteenth tile is their first draw.
    pub(super) fn deal(deal: &NewRound, players: Players) -> Result<HandReader, Problem> {
        let count = u16::from(players.count());
        if deal.ju >= count {
            return Err(Problem::value("ju", deal.ju, format!("a dealer below {count}")));
        }
        let scores = fields::by_seat("`scores`", &deal.scores, players)?;
        let round = deal.chang.saturating_mul(count).saturating_add(deal.ju);
        let standing = Standing::at_deal(round, [deal.ben, deal.liqibang], scores);
        let dealer = seat_of(deal.ju, players)?;
        let mut drawn = None;
        let dealt = fields::deal(players, |seat| {
            let mut tiles = deal.tiles(seat)?;
            if seat == dealer && tiles.len() == 14 {
                drawn = tiles.pop();
            }
            Ok(tiles)
        })?;
        let mut indicators = tiles(&deal.doras)?;
        if indicators.is_empty() && !deal.dora.is_empty() {
            indicators.push(tile(&deal.dora)?);
        }
        let mut log = HandLog::new(standing, dealt, indicators.first().copied());
        log.draw(dealer, drawn.ok_or_else(|| Problem::missing("the dealer's fourteenth tile"))?)?;
        Ok(HandReader { log, players, indicators, unknown: Vec::new() })
    }

    pub(super) fn into_hand(mut self) -> RecordedHand {
        // The records do not always say at which moment an indicator is turned.
        self.log.list_indicators(self.indicators.into_iter().skip(1).collect());
        self.log.into_hand()
    }

    fn draw(&mut self, draw: &TileRecord) -> Result<(), Problem> {
        self.accept_riichi(draw.liqi.as_ref())?;
        self.turn_indicators(&draw.doras)?;
        Ok(self.log.draw(seat_of(draw.seat, self.players)?, tile(&draw.tile)?)?)
    }

    fn discard(&mut self, discard: &TileRecord) -> Result<(), Problem> {
        let seat = seat_of(discard.seat, self.players)?;
        if discard.is_liqi || discard.is_wliqi {
            self.log.declare_riichi(seat)?;
        }
        self.turn_indicators(&discard.doras)?;
        Ok(self.log.discard(seat, tile(&discard.tile)?, discard.moqie)?)
    }

    fn kita(&mut self, kita: &TileRecord) -> Result<(), Problem> {
        self.turn_indicators(&kita.doras)?;
        Ok(self.log.kita(seat_of(kita.seat, self.players)?)?)
    }

    fn claim(&mut self, claim: &ChiPengGang) -> Result<(), Problem> {
        self.accept_riichi(claim.liqi.as_ref())?;
        self.turn_indicators(&claim.doras)?;
        let kind = match claim.kind {
            0 => MeldKind::Chi,
            1 => MeldKind::Pon,
            2 => MeldKind::Daiminkan,
            other => return Err(Problem::unknown("call", other)),
        };
        let mut own = tiles(&claim.tiles)?;
        let claimed = claim.froms.iter().position(|from| *from != claim.seat);
        let at = claimed.filter(|at| *at < own.len() && claim.froms.len() == own.len());
        let at = at.ok_or_else(|| Problem::missing("the claimed tile of the call"))?;
        let claimed = Claimed { tile: own.remove(at), from: seat_of(claim.froms[at], self.players)? };
        Ok(self.log.meld(seat_of(claim.seat, self.players)?, Meld::of(kind, &own, Some(claimed))?)?)
    }

    fn kan(&mut self, kan: &AnGangAddGang) -> Result<(), Problem> {
        self.turn_indicators(&kan.doras)?;
        let (seat, tile) = (seat_of(kan.seat, self.players)?, tile(&kan.tiles)?);
        match kan.kind {
            2 => Ok(self.log.add_to_pon(seat, tile, None)?),
            3 => {
                let held = self.log.hand().held(seat).unwrap_or_default();
                let four: Vec<Tile> = held.into_iter().filter(|held| held.kind() == tile.kind()).collect();
                Ok(self.log.meld(seat, Meld::of(MeldKind::Ankan, &four, None)?)?)
            }
            other => Err(Problem::unknown("kan", other)),
        }
    }

    fn accept_riichi(&mut self, liqi: Option<&Liqi>) -> Result<(), Problem> {
        let accepted = liqi.filter(|liqi| !liqi.failed);
        accepted.map_or(Ok(()), |liqi| Ok(self.log.accept_riichi(seat_of(liqi.seat, self.players)?)?))
    }

    /// Replaces the dora indicators by the list of a record, if it is longer: the record turns one.
    fn turn_indicators(&mut self, doras: &[String]) -> Result<(), Problem> {
        if doras.len() > self.indicators.len() {
            self.indicators = tiles(doras)?;
        }
        Ok(())
    }

    fn win(&mut self, hule: &Hule) -> Result<(), Problem> {
        let discarder = self.log.hand().events.iter().rev().find_map(|event| match event {
            Event::Discard { seat, .. }
            | Event::Kakan { seat, .. }
            | Event::Ankan { seat, .. }
            | Event::Kita { seat } => Some(*seat),
            _ => None,
        });
        let wins: Result<Vec<_>, _> = hule.hules.iter().map(|win| self.read_win(win, discarder)).collect();
        let wins = wins?;
        if wins.is_empty() || wins.len() >= usize::from(self.players.count()) {
            return Err(Problem::length("`hules`", wins.len(), "one for each winner"));
        }
        for win in &hule.hules {
            self.turn_indicators(&win.doras)?;
        }
        if let Some(ura) = hule.hules.iter().map(|win| &win.li_doras).max_by_key(|ura| ura.len()) {
            self.log.ura_indicators(tiles(ura)?);
        }
        let deltas = Some(fields::by_seat("`delta_scores`", &hule.delta_scores, self.players)?);
        Ok(self.log.end(RecordedEnd { wins, draw: None, tenpai: None, deltas })?)
    }

    fn read_win(&mut self, win: &Win, discarder: Option<Seat>) -> Result<RecordedWin, Problem> {
        let winner = seat_of(win.seat, self.players)?;
        self.check_hand(winner, win)?;
        let list = yaku_list(win).unwrap_or_else(|problem| {
            self.unknown.push(problem);
            None
        });
        let fu = u8::try_from(win.fu).map_err(|_| Problem::value("fu", win.fu, "0–255 fu"))?;
        Ok(RecordedWin {
            winner,
            from: discarder.filter(|_| !win.zimo),
            tile: Some(tile(&win.hu_tile)?),
            han: Some(if win.yiman { 0 } else { win.count }).filter(|han| win.yiman || *han > 0),
            dora: list.as_ref().filter(|_| !win.yiman).map(|list| list.bonus),
            yaku: list.map(|list| list.yaku),
            fu: Some(fu).filter(|fu| !win.yiman && *fu > 0),
            points: Some(win.point_rong).filter(|points| !win.zimo && *points > 0),
            limit: win.title_id.and_then(names::limit_of_number).filter(|_| !win.yiman),
            base: None,
            liable: None,
            deltas: None,
        })
    }

    /// Checks that a winner holds the concealed tiles that the record states, if it states them.
    fn check_hand(&self, winner: Seat, win: &Win) -> Result<(), Problem> {
        let (shown, winning) = (tiles(&win.hand)?, tile(&win.hu_tile)?);
        if shown.is_empty() {
            return Ok(());
        }
        let text = |tiles: Vec<Tile>| tiles.iter().map(Tile::to_string).collect::<Vec<_>>().join(" ");
        let checked = self.log.hand().check_held(winner, shown, Some(winning));
        checked.map_err(|both| both.map(text)).map_err(|[shown, held]| Problem::value("hand", shown, held))
    }

    fn run_out(&mut self, end: &NoTile) -> Result<(), Problem> {
        let declared = match self.log.hand().events.last() {
            Some(Event::Discard { seat, declare, .. }) if *declare != Declare::Nothing => Some(*seat),
            _ => None,
        };
        match (&end.liqi, declared) {
            (None, Some(seat)) => self.log.accept_riichi(seat)?,
            (stated, _) => self.accept_riichi(stated.as_ref())?,
        }
        let reason = if end.liujumanguan { DrawReason::Nagashi } else { DrawReason::Exhaustive };
        let shown = self.players.seats().zip(&end.players).filter(|(_, player)| player.tingpai);
        let tenpai: SeatSet = shown.map(|(seat, _)| seat).collect();
        let mut deltas = BySeat::splat(self.players, 0_i32);
        for paid in end.scores.iter().filter(|paid| !paid.delta_scores.is_empty()) {
            let paid = fields::by_seat("`delta_scores`", &paid.delta_scores, self.players)?;
            deltas = deltas.saturating_add(&paid);
        }
        let (tenpai, deltas) = (Some(tenpai), Some(deltas));
        Ok(self.log.end(RecordedEnd { wins: Vec::new(), draw: Some(reason), tenpai, deltas })?)
    }

    fn abort(&mut self, end: &LiuJu) -> Result<(), Problem> {
        self.accept_riichi(end.liqi.as_ref())?;
        let named = names::draw_of_number(end.kind);
        let reason = if self.all_in_riichi() { Some(DrawReason::FourRiichi) } else { named };
        let reason = reason.ok_or_else(|| Problem::unknown("draw", end.kind))?;
        let deltas = Some(BySeat::splat(self.players, 0));
        Ok(self.log.end(RecordedEnd { wins: Vec::new(), draw: Some(reason), tenpai: None, deltas })?)
    }

    /// Whether every player has declared riichi. The number that records give this draw differs.
    fn all_in_riichi(&self) -> bool {
        let declares =
            |event: &&Event| matches!(event, Event::Discard { declare, .. } if *declare != Declare::Nothing);
        self.log.hand().events.iter().filter(declares).count() == usize::from(self.players.count())
    }
}

/// The yaku and bonus han of a win. None if they are not listed.
///
/// # Errors
///
/// If one has an unknown number.
fn yaku_list(win: &Win) -> Result<Option<YakuList>, Problem> {
    if win.fans.is_empty() {
        return Ok(None);
    }
    let mut list = YakuList::default();
    for fan in &win.fans {
        let han = fan.val.min(255) as u8;
        match names::bonus_of_number(fan.id) {
            Some(index) => list.add_bonus(index, han),
            None => {
                let yaku = names::yaku_of_number(fan.id, win.yiman);
                let yaku = yaku.ok_or_else(|| Problem::unknown("yaku", fan.id))?;
                list.yaku.push((yaku, if yaku.is_yakuman() { 0 } else { han }));
            }
        }
    }
    list.yaku.sort_unstable();
    Ok(Some(list))
}
