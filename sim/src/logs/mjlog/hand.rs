//! One hand of a log, from its `INIT` to its end.

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedHand, RecordedWin, seat_of};
use jantaku_engine::{DrawReason, Players, Rules, Seat, SeatSet, Standing, Wind};

use super::call::{CallKind, CodedCall};
use super::hand_tally::HandTally;
use super::tag::{Tag, tile};
use crate::logs::Problem;
use crate::logs::tenhou::fields::{self, YakuList};
use crate::logs::tenhou::names;

/// Whether a tag with this name belongs to the play of a hand.
pub(super) fn is_play(name: &str) -> bool {
    ["N", "REACH", "DORA", "AGARI", "RYUUKYOKU"].contains(&name) || parse_turn(name).is_some()
}

/// Reads the name of a tag for a draw or discard: a letter for the player, then the number of the tile.
/// Returns whether it is a draw, the player and the number. None for other tags.
fn parse_turn(name: &str) -> Option<(bool, u8, u32)> {
    let (letter, id) = name.split_at_checked(1)?;
    let player = |letters: &str| letters.find(letter).map(|index| index as u8);
    let drawer = player("TUVW");
    Some((drawer.is_some(), drawer.or_else(|| player("DEFG"))?, id.parse().ok()?))
}

/// A hand that is being read.
pub(super) struct HandReader {
    pub(super) log: HandLog,
    tally: HandTally,
    /// The tile just drawn, and by whom.
    drawn: Option<(Seat, u32)>,
}

impl HandReader {
    /// Reads the deal from a tag `INIT`.
    pub(super) fn deal(tag: &Tag, rules: &Rules) -> Result<HandReader, Problem> {
        let players = rules.players;
        let [number, honba, sticks, _, _, indicator] = tag.array::<u32, 6>("seed")?;
        let count = |count: u32| {
            u16::try_from(count).map_err(|_| Problem::value("seed", count, "at most 65535 honba and sticks"))
        };
        let (round, dealer) = fields::round(number, players)?;
        let stated_dealer = tag.seat("oya", players)?;
        if stated_dealer != dealer {
            return Err(Problem::value("oya", stated_dealer, format!("{dealer} in round {number}")));
        }
        let hundreds = fields::by_seat_padded("`ten`", &tag.numbers::<i32>("ten")?, players)?;
        let mut tally = HandTally::new([honba, sticks], hundreds, indicator)?;
        let dealt = fields::deal(players, |seat| {
            let name = format!("hai{seat}");
            tag.numbers(&name)?.into_iter().try_for_each(|id| tally.draw(seat, id))?;
            tag.tiles(&name, rules)
        })?;
        let scores = hundreds.map(|hundreds| hundreds.saturating_mul(100));
        let standing = Standing::at_deal(round, [count(honba)?, count(sticks)?], scores);
        let indicator = Some(tile(indicator, rules)?).filter(|_| rules.dora);
        let log = HandLog::new(standing, dealt, indicator);
        Ok(HandReader { log, tally, drawn: None })
    }

    /// Reads a tag after the deal.
    pub(super) fn take(&mut self, tag: &Tag, rules: &Rules) -> Result<(), Problem> {
        if self.log.hand().end.is_some() && tag.name != "AGARI" {
            return Err(Problem::new("the hand is over"));
        }
        match tag.name.as_str() {
            "N" => self.call(tag.seat("who", rules.players)?, tag.number("m")?, rules),
            "REACH" => self.riichi(tag.seat("who", rules.players)?, tag, rules),
            "DORA" => {
                let indicator = tag.number("hai")?;
                self.tally.turn_indicator(indicator)?;
                Ok(self.log.indicator(tile(indicator, rules)?)?)
            }
            "AGARI" => self.win(tag, rules),
            "RYUUKYOKU" => self.end_in_draw(tag, rules.players),
            name => self.turn(name, rules),
        }
    }

    /// Reads a draw or discard.
    fn turn(&mut self, name: &str, rules: &Rules) -> Result<(), Problem> {
        let parsed = parse_turn(name);
        let (is_draw, player, id) = parsed.ok_or_else(|| Problem::unknown("tag", format!("<{name}>")))?;
        let (seat, tile) = (seat_of(player, rules.players)?, tile(id, rules)?);
        let drawn = self.drawn.take();
        if is_draw {
            self.tally.draw(seat, id)?;
            self.drawn = Some((seat, id));
            return Ok(self.log.draw(seat, tile)?);
        }
        self.tally.discard(seat, id)?;
        Ok(self.log.discard(seat, tile, drawn == Some((seat, id)))?)
    }

    pub(super) fn into_hand(self) -> RecordedHand {
        self.log.into_hand()
    }

    fn riichi(&mut self, seat: Seat, tag: &Tag, rules: &Rules) -> Result<(), Problem> {
        match tag.number("step")? {
            1 => self.log.declare_riichi(seat)?,
            2 => {
                self.tally.riichi(seat, tag, rules)?;
                self.log.accept_riichi(seat)?;
            }
            step => return Err(Problem::value("step", step, "1 or 2")),
        }
        Ok(())
    }

    fn call(&mut self, seat: Seat, m: u32, rules: &Rules) -> Result<(), Problem> {
        self.drawn = None;
        let call = CodedCall::decode(seat, m, rules)?;
        self.tally.call(seat, m, &call)?;
        match call.kind {
            CallKind::Meld(meld) => self.log.meld(seat, meld)?,
            CallKind::Kakan(tile) => self.log.add_to_pon(seat, tile, None)?,
            CallKind::Kita => self.log.kita(seat)?,
        }
        Ok(())
    }

    fn win(&mut self, tag: &Tag, rules: &Rules) -> Result<(), Problem> {
        let players = rules.players;
        let (winner, from) = (tag.seat("who", players)?, tag.seat("fromWho", players)?);
        let [fu, points, limit] = tag.array::<i32, 3>("ten")?;
        let liable = tag.get("paoWho").map(|_| tag.seat("paoWho", players)).transpose()?;
        let is_yakuman = tag.get("yakuman").is_some();
        let list = read_yaku(tag, self.log.hand().winds(winner))?;
        let has_ura = tag.get("doraHaiUra").is_some();
        // A yakuman's list has no riichi, so ura indicators beside it are not checked.
        if has_ura && !list.has_riichi() && !is_yakuman {
            return Err(Problem::new("`doraHaiUra` for a winner without riichi"));
        }
        if rules.ura && list.has_riichi() && !has_ura {
            let what = "no `doraHaiUra` for a winner in riichi: if the game has no ura dora, give its rules";
            return Err(Problem::new(what));
        }
        let deltas = self.tally.win(winner, tag, rules)?;
        if has_ura {
            self.log.ura_indicators(tag.tiles("doraHaiUra", rules)?);
        }
        let fu = u8::try_from(fu).map_err(|_| Problem::value("ten", fu, "0–255 fu"))?;
        let limit_at = || usize::try_from(limit).ok().and_then(|index| names::NUMBERED_LIMITS.get(index));
        let limit = limit_at().ok_or_else(|| Problem::value("ten", limit, "a limit from 0 to 5"))?;
        let win = RecordedWin {
            winner,
            from: (from != winner).then_some(from),
            tile: Some(tile(tag.number("machi")?, rules)?),
            han: Some(list.han()),
            dora: Some(list.bonus).filter(|_| !is_yakuman),
            yaku: Some(list.yaku),
            fu: Some(fu).filter(|_| !is_yakuman),
            points: Some(points),
            limit: Some(*limit),
            base: None,
            liable: Some(liable),
            deltas: Some(deltas),
        };
        Ok(self.log.win(win)?)
    }

    fn end_in_draw(&mut self, tag: &Tag, players: Players) -> Result<(), Problem> {
        let named = |name: &str| {
            names::draw_named(name).ok_or_else(|| Problem::unknown("draw", format_args!("`{name}`")))
        };
        let reason = tag.get("type").map_or(Ok(DrawReason::Exhaustive), named)?;
        let deltas = Some(self.tally.end_in_draw(tag)?);
        let shown: SeatSet =
            players.seats().filter(|seat| tag.get(&format!("hai{seat}")).is_some()).collect();
        let tenpai = (!reason.is_abortive()).then_some(shown);
        Ok(self.log.end(RecordedEnd { wins: Vec::new(), draw: Some(reason), tenpai, deltas })?)
    }
}

/// Reads the attributes `yaku` and `yakuman`. `winds` are those of the winner's seat and of the
/// round.
fn read_yaku(tag: &Tag, winds: [Wind; 2]) -> Result<YakuList, Problem> {
    if tag.get("yakuman").is_some() && tag.get("yaku").is_some() {
        return Err(Problem::new("found both `yaku` and `yakuman`, expected one of them"));
    }
    let listed: Vec<(u32, u8)> = if tag.get("yakuman").is_some() {
        tag.numbers("yakuman")?.into_iter().map(|number| (number, 0)).collect()
    } else {
        let numbers: Vec<u32> = tag.numbers("yaku")?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(Problem::length("`yaku`", numbers.len(), "pairs of yaku and han"));
        }
        pairs.iter().map(|[number, han]| (*number, (*han).min(255) as u8)).collect()
    };
    let mut list = YakuList::default();
    for (number, han) in listed {
        // Dora, ura dora and red fives.
        if (52..=54).contains(&number) {
            list.add_bonus(number as usize - 52, han);
            continue;
        }
        let found = names::yaku_of_number(number);
        let (yaku, wind) = found.ok_or_else(|| Problem::unknown("yaku", number))?;
        list.yaku.push((fields::wind_yaku(yaku, wind, Some(winds))?, han));
    }
    list.yaku.sort_unstable();
    Ok(list)
}
