//! Tenhou's XML logs.
//!
//! A flat list of tags in the order in which things happened: `INIT` deals, `T…W` and a number draw, `D…G` and a number discard, `N`
//! calls, `REACH` declares and pays, `DORA` turns an indicator, `AGARI` and `RYUUKYOKU` end the hand. Tiles are numbered 0–135, four
//! to a kind; 16, 52 and 88 are the red fives.
//!
//! - `call`: the numbers of calls
//! - `table`: where each tile and point is; the log tells most of it twice

mod call;
mod table;

use std::collections::HashMap;

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedGame, RecordedWin};
use jantaku_engine::{
    BySeat, DrawReason, Limit, Players, Rules, Seat, SeatSet, Standing, Tile, TileKind, Wind, Yaku,
};
use quick_xml::events::{BytesStart, Event as Xml};

use super::LogError;
use super::tenhou::{self, Month};
use call::{Call, What};
use table::Table;

/// Reads a log that was played in this month.
///
/// # Errors
///
/// If it is no such log, is broken, or was played with special rules.
pub fn read(xml: &str, played: Option<Month>) -> Result<RecordedGame, LogError> {
    let mut tags = quick_xml::Reader::from_str(xml);
    let mut log = Log { played, game_type: 0, game: None, hand: None, whole: false };
    let (mut number, mut open) = (0, 0);
    loop {
        let at = tags.buffer_position();
        let tag = match tags.read_event() {
            Ok(Xml::Eof) if open > 0 => {
                return Err(LogError::new(format!("byte {at}"), "the log breaks off: no `</mjloggm>`"));
            }
            Ok(Xml::Eof) => break,
            Ok(Xml::Start(tag)) => {
                open += 1;
                tag
            }
            Ok(Xml::Empty(tag)) => tag,
            Ok(Xml::End(_)) => {
                open -= 1;
                continue;
            }
            Ok(_) => continue,
            Err(error) => return Err(LogError::new(format!("byte {at}"), error)),
        };
        let tag = Tag::new(&tag).map_err(|what| LogError::new(format!("tag {number}, byte {at}"), what))?;
        log.take(&tag)
            .map_err(|what| LogError::new(format!("tag {number} <{}>, byte {at}", tag.name), what))?;
        number += 1;
    }
    log.end().map_err(|what| LogError::new("the end", what))
}

/// A tag with its attributes.
struct Tag {
    name: String,
    attributes: HashMap<String, String>,
}

impl Tag {
    fn new(tag: &BytesStart<'_>) -> Result<Tag, String> {
        let mut attributes = HashMap::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            attributes.insert(attribute.key.as_ref().to_owned(), attribute.value.into_owned());
        }
        Ok(Tag { name: tag.name().as_ref().to_owned(), attributes })
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    fn text(&self, name: &str) -> Result<&str, String> {
        self.get(name).ok_or_else(|| format!("no attribute `{name}`"))
    }

    fn number(&self, name: &str) -> Result<u32, String> {
        let text = self.text(name)?;
        text.parse().map_err(|_| format!("`{name}` is \"{text}\", expected a number"))
    }

    /// Numbers separated by commas; an empty text is none.
    fn numbers<T: std::str::FromStr>(&self, name: &str) -> Result<Vec<T>, String> {
        let text = self.text(name)?;
        let number =
            |part: &str| part.parse().map_err(|_| format!("`{name}` has \"{part}\", expected a number"));
        text.split(',').filter(|part| !part.is_empty()).map(number).collect()
    }

    fn tiles(&self, name: &str, rules: &Rules) -> Result<Vec<Tile>, String> {
        self.numbers(name)?.into_iter().map(|id| tile(id, rules)).collect()
    }

    /// As many numbers as seats; those of empty seats are left out.
    fn by_seat<T: Copy + Default + PartialEq + std::str::FromStr>(
        &self,
        name: &str,
        players: Players,
    ) -> Result<BySeat<T>, String> {
        let numbers: Vec<T> = self.numbers(name)?;
        let surplus = numbers.get(usize::from(players.count())..).unwrap_or_default();
        let is_known = numbers.len() <= 4 && surplus.iter().all(|number| *number == T::default());
        BySeat::from_slice(players, &numbers).filter(|_| is_known).ok_or_else(|| {
            format!("`{name}` is \"{}\", expected a number for each player", self.text(name).unwrap_or(""))
        })
    }

    fn seat(&self, name: &str, players: Players) -> Result<Seat, String> {
        seat(self.number(name)?, players)
    }
}

fn seat(number: u32, players: Players) -> Result<Seat, String> {
    players
        .seats()
        .find(|seat| u32::from(seat.number()) == number)
        .ok_or_else(|| format!("player {number} does not play"))
}

fn tile(id: u32, rules: &Rules) -> Result<Tile, String> {
    let kind = u8::try_from(id / 4)
        .ok()
        .and_then(TileKind::new)
        .ok_or_else(|| format!("{id} is no tile: expected 0–135"))?;
    let is_red = matches!(id, 16 | 52 | 88) && rules.aka.by_suit()[kind.suit() as usize] > 0;
    Ok(if is_red { Tile::red(kind.suit()) } else { Tile::plain(kind) })
}

struct Log {
    played: Option<Month>,
    game_type: u32,
    game: Option<RecordedGame>,
    hand: Option<OpenHand>,
    /// Whether the end of the game was told.
    whole: bool,
}

/// A hand that is being read.
struct OpenHand {
    log: HandLog,
    table: Table,
    /// The tile just drawn, by whom.
    drawn: Option<(Seat, u32)>,
}

impl Log {
    fn take(&mut self, tag: &Tag) -> Result<(), String> {
        match tag.name.as_str() {
            "mjloggm" | "SHUFFLE" | "BYE" => Ok(()),
            "TAIKYOKU" if tag.get("oya").is_none_or(|oya| oya == "0") => Ok(()),
            "TAIKYOKU" => Err("the first dealer is not player 0".to_owned()),
            "GO" => self.begin(tag),
            "UN" => self.names(tag),
            "INIT" => self.deal(tag),
            name => self.play(name, tag),
        }
    }

    fn begin(&mut self, tag: &Tag) -> Result<(), String> {
        if self.game.is_some() {
            return Err("a second game begins".to_owned());
        }
        self.game_type = tag.number("type")?;
        self.game = Some(RecordedGame::new(tenhou::rules(self.game_type, self.played)?));
        Ok(())
    }

    /// Names as the log writes them; a player who comes back is named again.
    fn names(&mut self, tag: &Tag) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("no `GO` came before")?;
        for (seat, name) in game.rules.players.seats().zip(&mut game.names) {
            if let Some(text) = tag.get(&format!("n{}", seat.number())) {
                *name = percent_decoded(text);
            }
        }
        Ok(())
    }

    fn deal(&mut self, tag: &Tag) -> Result<(), String> {
        self.close();
        let game = self.game.as_ref().ok_or("no `GO` came before")?;
        if self.whole {
            return Err("a hand is dealt after the end of the game".to_owned());
        }
        let (rules, players) = (&game.rules, game.rules.players);
        let seed: Vec<u32> = tag.numbers("seed")?;
        let [winds, honba, sticks, _, _, indicator] = seed[..] else {
            return Err(format!("`seed` has {} numbers, expected 6", seed.len()));
        };
        let place = |number: u32| u16::try_from(number).map_err(|_| format!("`seed` has {number}"));
        // Rounds are counted in fours whoever plays.
        let round = place(winds / 4 * u32::from(players.count()) + winds % 4)?;
        let dealer = tag.seat("oya", players)?;
        if u32::from(dealer.number()) != winds % 4 {
            return Err(format!("the dealer of round {winds} is {dealer}, expected {}", winds % 4));
        }
        let hundreds = tag.by_seat::<i32>("ten", players)?;
        let mut table = Table::new([honba, sticks], hundreds, indicator)?;
        let mut dealt = BySeat::splat(players, [Tile::plain(TileKind::EAST); 13]);
        for seat in players.seats() {
            let name = format!("hai{}", seat.number());
            tag.numbers(&name)?.into_iter().try_for_each(|id| table.draw(seat, id))?;
            let tiles = tag.tiles(&name, rules)?;
            let found = tiles.len();
            dealt[seat] =
                tiles.try_into().map_err(|_| format!("{found} tiles are dealt to {seat}, expected 13"))?;
        }
        let scores = hundreds.map(|hundreds| hundreds.saturating_mul(100));
        let standing = Standing {
            round,
            honba: place(honba)?,
            sticks: place(sticks)?,
            attempt: 0,
            dealer_wins: 0,
            scores,
        };
        let log = HandLog::new(standing, dealt, Some(tile(indicator, rules)?));
        self.hand = Some(OpenHand { log, table, drawn: None });
        Ok(())
    }

    fn play(&mut self, name: &str, tag: &Tag) -> Result<(), String> {
        let (Some(game), Some(hand)) = (&mut self.game, &mut self.hand) else {
            return Err("no `INIT` came before".to_owned());
        };
        let players = game.rules.players;
        if self.whole {
            return Err("the game is over: `owari` came before".to_owned());
        }
        let is_end = matches!(name, "AGARI" | "RYUUKYOKU");
        if hand.log.hand().end.is_some() && name != "AGARI" {
            return Err("the hand is over".to_owned());
        }
        match name {
            "N" => hand.call(tag.seat("who", players)?, tag.number("m")?, &game.rules)?,
            "REACH" => hand.riichi(tag.seat("who", players)?, tag)?,
            "DORA" => {
                hand.table.turn(tag.number("hai")?)?;
                hand.log.indicator(tile(tag.number("hai")?, &game.rules)?)?;
            }
            "AGARI" => hand.win(tag, &game.rules)?,
            "RYUUKYOKU" => hand.draw_game(tag, players)?,
            _ => hand.tile(name, &game.rules)?,
        }
        if is_end && tag.get("owari").is_some() {
            let (scores, results) = tenhou::final_points(&tag.numbers("owari")?, players, 100.0)?;
            if let Some(rules) = tenhou::rules_of_results(self.game_type, self.played, &scores, &results) {
                game.rules = rules;
            }
            (game.final_scores, game.results) = (Some(scores), Some(results));
            self.whole = true;
        }
        Ok(())
    }

    fn close(&mut self) {
        if let (Some(game), Some(open)) = (&mut self.game, self.hand.take()) {
            game.hands.push(open.log.into_hand());
        }
    }

    fn end(mut self) -> Result<RecordedGame, String> {
        self.close();
        let mut game = self.game.ok_or("no `GO`: not a log of Tenhou")?;
        if game.hands.is_empty() {
            return Err("no hand is dealt".to_owned());
        }
        game.is_whole = true;
        if self.played.is_none() {
            tenhou::fit_years(&mut game, self.game_type);
        }
        Ok(game)
    }
}

impl OpenHand {
    /// A draw or discard: a letter for the player and a tile.
    fn tile(&mut self, name: &str, rules: &Rules) -> Result<(), String> {
        const UNKNOWN: &str = "an unknown tag";
        let (letter, id) = name.split_at_checked(1).ok_or(UNKNOWN)?;
        let id: u32 = id.parse().map_err(|_| UNKNOWN)?;
        let tile = tile(id, rules)?;
        let of = |letters: &str| letters.find(letter).map(|place| seat(place as u32, rules.players));
        if let Some(seat) = of("TUVW") {
            let seat = seat?;
            self.table.draw(seat, id)?;
            self.log.draw(seat, tile)?;
            self.drawn = Some((seat, id));
        } else if let Some(seat) = of("DEFG") {
            let seat = seat?;
            let tsumogiri = self.drawn.take() == Some((seat, id));
            self.table.discard(seat, id)?;
            self.log.discard(seat, tile, tsumogiri)?;
        } else {
            return Err(UNKNOWN.to_owned());
        }
        Ok(())
    }

    fn riichi(&mut self, seat: Seat, tag: &Tag) -> Result<(), String> {
        match tag.number("step")? {
            1 => self.log.declare_riichi(seat)?,
            2 => {
                self.table.riichi(seat, tag)?;
                self.log.accept_riichi(seat)?;
            }
            step => return Err(format!("`step` is {step}, expected 1 or 2")),
        }
        Ok(())
    }

    fn call(&mut self, seat: Seat, m: u32, rules: &Rules) -> Result<(), String> {
        self.drawn = None;
        let call = Call::of(seat, m, rules)?;
        self.table.call(seat, m, &call)?;
        match call.what {
            What::Meld(meld) => self.log.meld(seat, meld)?,
            What::Added(tile) => self.log.add_to_pon(seat, tile, None)?,
            What::North => self.log.kita(seat)?,
        }
        Ok(())
    }

    fn win(&mut self, tag: &Tag, rules: &Rules) -> Result<(), String> {
        let players = rules.players;
        let (winner, from) = (tag.seat("who", players)?, tag.seat("fromWho", players)?);
        let ten: Vec<i32> = tag.numbers("ten")?;
        let [fu, points, limit] = ten[..] else {
            return Err(format!("`ten` has {} numbers, expected 3", ten.len()));
        };
        let liable = tag.get("paoWho").map(|_| tag.seat("paoWho", players)).transpose()?;
        let (yaku, dora) = yaku_of(tag, self.log.hand().winds(winner))?;
        let has_ura = tag.get("doraHaiUra").is_some();
        let in_riichi = yaku.iter().any(|(yaku, _)| matches!(yaku, Yaku::Riichi | Yaku::DoubleRiichi));
        if has_ura && !in_riichi && tag.get("yakuman").is_none() {
            return Err("`doraHaiUra` of a winner without riichi".to_owned());
        }
        if in_riichi && !has_ura {
            return Err("no `doraHaiUra` of a winner in riichi".to_owned());
        }
        let is_yakuman = tag.get("yakuman").is_some();
        let han = yaku.iter().map(|(_, han)| u32::from(*han)).sum::<u32>()
            + dora.iter().map(|han| u32::from(*han)).sum::<u32>();
        let deltas = self.table.win(winner, tag)?;
        if has_ura {
            self.log.ura_indicators(tag.tiles("doraHaiUra", rules)?);
        }
        let win = RecordedWin {
            winner,
            from: (from != winner).then_some(from),
            tile: Some(tile(tag.number("machi")?, rules)?),
            yaku: Some(yaku),
            han: Some(han),
            dora: Some(dora).filter(|_| !is_yakuman),
            fu: Some(u8::try_from(fu).map_err(|_| format!("`ten` has {fu} fu"))?).filter(|_| !is_yakuman),
            points: Some(points),
            limit: Some(*LIMITS.get(limit as usize).ok_or_else(|| format!("`ten` has limit {limit}"))?),
            base: None,
            liable: Some(liable),
            deltas: Some(deltas),
        };
        Ok(self.log.win(win)?)
    }

    fn draw_game(&mut self, tag: &Tag, players: Players) -> Result<(), String> {
        let reason = match tag.get("type") {
            None => DrawReason::Exhaustive,
            Some(name) => {
                tenhou::draw_reason(name).ok_or_else(|| format!("`type` is \"{name}\", no known draw"))?
            }
        };
        let deltas = Some(self.table.drawn_game(tag)?);
        let shown: SeatSet =
            players.seats().filter(|seat| tag.get(&format!("hai{}", seat.number())).is_some()).collect();
        let tenpai = (!reason.is_abortive()).then_some(shown);
        Ok(self.log.end(RecordedEnd { wins: Vec::new(), draw: Some(reason), tenpai, deltas })?)
    }
}

/// The limits as the log numbers them.
const LIMITS: [Limit; 6] =
    [Limit::None, Limit::Mangan, Limit::Haneman, Limit::Baiman, Limit::Sanbaiman, Limit::Yakuman];

type Listed = (Vec<(Yaku, u8)>, [u8; 3]);

/// The yaku with their han, and the bonus han by indicators, by those under them and by red fives.
fn yaku_of(tag: &Tag, winds: [Wind; 2]) -> Result<Listed, String> {
    if tag.get("yakuman").is_some() && tag.get("yaku").is_some() {
        return Err("both `yaku` and `yakuman`".to_owned());
    }
    let listed: Vec<(u32, u8)> = if tag.get("yakuman").is_some() {
        tag.numbers("yakuman")?.into_iter().map(|number| (number, 0)).collect()
    } else {
        let numbers: Vec<u32> = tag.numbers("yaku")?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return Err("`yaku` ends with a yaku without its han".to_owned());
        }
        pairs.iter().map(|[number, han]| (*number, (*han).min(255) as u8)).collect()
    };
    let (mut yaku, mut dora) = (Vec::new(), [0_u8; 3]);
    for (number, han) in listed {
        if let Some((yaku, wind)) = tenhou::wind_of_yaku(number) {
            tenhou::check_wind(yaku, wind, winds)?;
        }
        match number {
            52..=54 => {
                let sum = &mut dora[number as usize - 52];
                *sum = sum.saturating_add(han.min(100));
            }
            _ => yaku.push((tenhou::yaku(number).ok_or_else(|| format!("{number} is no yaku"))?, han)),
        }
    }
    yaku.sort_unstable();
    Ok((yaku, dora))
}

/// A text in which bytes may be written as `%E3`.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
