//! Writes recorded games as Tenhou's XML.
//!
//! The writer follows the description of the format and shares no code with the reader that it
//! tests.

use std::collections::HashMap;
use std::fmt::Write as _;

use jantaku_engine::replay::{RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::{
    BySeat, Declare, DrawReason, Event, Meld, MeldKind, Players, Rules, Seat, Tile, TileKind, Yaku,
};

/// The log of a game under Tenhou's rules.
pub fn write(game: &RecordedGame) -> String {
    write_with(game, game_type(&game.rules), "")
}

/// The game type of Tenhou's rules.
pub fn game_type(rules: &Rules) -> u32 {
    1 + 2 * u32::from(rules.aka.p == 0)
        + 4 * u32::from(!rules.kuitan)
        + 8 * u32::from(rules.wind_rounds == 2)
        + 16 * u32::from(rules.players == Players::Three)
}

/// The log of a game of this type, with more attributes of the tag `GO`.
pub fn write_with(game: &RecordedGame, game_type: u32, attributes: &str) -> String {
    let mut xml = format!("<mjloggm ver=\"2.3\"><GO type=\"{game_type}\" lobby=\"0\"{attributes}/>");
    xml += "<UN n0=\"%41\" n1=\"%E9%9B%80\" n2=\"c\" n3=\"\" dan=\"0,0,0,0\" sx=\"M,M,M,M\"/><TAIKYOKU oya=\"0\"/>";
    let last = game.hands.len().checked_sub(1);
    for (number, hand) in game.hands.iter().enumerate() {
        let results = if Some(number) == last { owari(game) } else { String::new() };
        let standing = &hand.standing;
        let mut writer = Writer {
            xml: &mut xml,
            rules: &game.rules,
            copies: HashMap::new(),
            held: Vec::new(),
            calls: vec![Vec::new(); 4],
            indicators: Vec::new(),
            ura: Vec::new(),
            honba_and_sticks: [standing.honba, standing.sticks],
            scores: in_hundreds(&standing.scores),
            last: None,
        };
        writer.hand(hand, &results);
    }
    xml + "</mjloggm>"
}

/// Final points in hundreds and results in thousands.
fn owari(game: &RecordedGame) -> String {
    let (Some(scores), Some(results)) = (&game.final_scores, &game.results) else { return String::new() };
    let pair = |(score, result): (&i32, &i32)| format!("{},{:.1}", score / 100, f64::from(*result) / 1000.0);
    let pairs: Vec<String> = scores.iter().zip(results.iter()).map(pair).collect();
    format!(" owari=\"{}\"", pairs.join(","))
}

/// Writes one hand, in which each tile has its own number.
struct Writer<'a> {
    xml: &'a mut String,
    rules: &'a Rules,
    /// The number of copies of each tile so far.
    copies: HashMap<Tile, u32>,
    /// The numbers of each seat's concealed tiles.
    held: Vec<Vec<u32>>,
    /// The codes of each seat's calls.
    calls: Vec<Vec<u32>>,
    indicators: Vec<u32>,
    ura: Vec<u32>,
    /// Honba and riichi sticks on the table.
    honba_and_sticks: [u16; 2],
    /// Points in hundreds.
    scores: Vec<i32>,
    /// The tile that was drawn, discarded or added last.
    last: Option<u32>,
}

impl Writer<'_> {
    fn hand(&mut self, hand: &RecordedHand, results: &str) {
        let standing = &hand.standing;
        let players = self.rules.players;
        let indicator = hand.indicator.map_or_else(|| unseen(hand), |tile| self.number(tile));
        self.indicators.push(indicator);
        for seat in players.seats() {
            let held = hand.dealt[seat].iter().map(|tile| self.number(*tile)).collect();
            self.held.push(held);
        }
        let dealer = u32::from(standing.round) % u32::from(players.count());
        let winds = u32::from(standing.round) / u32::from(players.count()) * 4 + dealer;
        let hands = |(seat, tiles): (usize, &Vec<u32>)| format!(" hai{seat}=\"{}\"", list(tiles));
        let dealt: String = self.held.iter().enumerate().map(hands).collect();
        let ten = list(&in_hundreds(&standing.scores));
        let (honba, sticks) = (standing.honba, standing.sticks);
        self.tag(&format!(
            "INIT seed=\"{winds},{honba},{sticks},0,0,{indicator}\" ten=\"{ten}\" oya=\"{dealer}\"{dealt}"
        ));
        hand.events.iter().for_each(|event| self.event(event));
        if let Some(end) = &hand.end {
            self.end(hand, end, results);
        }
    }

    fn tag(&mut self, text: &str) {
        write!(self.xml, "<{text}/>").expect("a String takes everything");
    }

    /// The number of the next copy of a tile.
    fn number(&mut self, tile: Tile) -> u32 {
        let seen = self.copies.entry(tile).or_default();
        *seen += 1;
        let has_red = self.rules.aka.by_suit().get(tile.kind().suit() as usize).is_some_and(|n| *n > 0);
        let is_five = !tile.kind().is_honour() && tile.kind().rank() == 5;
        let first = u32::from(has_red && is_five && !tile.is_red());
        4 * u32::from(tile.kind().number()) + first + *seen - 1
    }

    /// Whether this is the number of a copy of the tile.
    fn is(&self, number: u32, tile: Tile) -> bool {
        let has_red = self.rules.aka.by_suit().get(tile.kind().suit() as usize).is_some_and(|n| *n > 0);
        let red = matches!(number, 16 | 52 | 88) && has_red;
        number / 4 == u32::from(tile.kind().number()) && red == tile.is_red()
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Draw { seat, tile, .. } => {
                let number = self.number(tile.expect("a recording shows all tiles"));
                self.held[seat.index()].push(number);
                self.last = Some(number);
                self.tag(&format!("{}{number}", &"TUVW"[seat.index()..=seat.index()]));
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                if *declare != Declare::Nothing {
                    self.tag(&format!("REACH who=\"{seat}\" step=\"1\""));
                }
                let number = self.take(*seat, *tile, *tsumogiri);
                self.tag(&format!("{}{number}", &"DEFG"[seat.index()..=seat.index()]));
                self.last = Some(number);
            }
            Event::RiichiAccepted { seat } => {
                self.scores[seat.index()] -= self.rules.riichi_stick / 100;
                self.honba_and_sticks[1] += 1;
                let ten = list(&self.scores);
                self.tag(&format!("REACH who=\"{seat}\" ten=\"{ten}\" step=\"2\""));
            }
            Event::Call { seat, meld } | Event::Ankan { seat, meld } => self.meld(*seat, *meld),
            Event::Kakan { seat, tile } => {
                let added = self.take(*seat, *tile, false);
                self.last = Some(added);
                let kind = u32::from(tile.kind().number());
                let is_pon = |m: &u32| m & 0xC == 0x8 && (m >> 9) / 3 == kind;
                let calls = &mut self.calls[seat.index()];
                let pon = calls.iter().position(is_pon).expect("a tile is added to a pon");
                let m = calls.remove(pon) ^ 0x18;
                self.call(*seat, m);
            }
            Event::Kita { seat } => {
                let north = self.take(*seat, Tile::plain(TileKind::NORTH), false);
                self.last = Some(north);
                self.call(*seat, north << 8 | 0x20);
            }
            Event::Indicator { tile } => {
                let number = self.number(*tile);
                self.indicators.push(number);
                self.tag(&format!("DORA hai=\"{number}\""));
            }
            Event::Deal { .. } | Event::DeadHand { .. } | Event::HandEnd(_) | Event::GameEnd { .. } => {}
        }
    }

    fn call(&mut self, seat: Seat, m: u32) {
        self.calls[seat.index()].push(m);
        self.tag(&format!("N who=\"{seat}\" m=\"{m}\""));
    }

    /// Removes a tile from a hand: the one just drawn, or another if there is one.
    fn take(&mut self, seat: Seat, tile: Tile, drawn: bool) -> u32 {
        let (last, held) = (self.last, &self.held[seat.index()]);
        let fits = |number: &&u32| self.is(**number, tile) && drawn == (Some(**number) == last);
        let number =
            *held.iter().find(fits).or(held.iter().find(|n| self.is(**n, tile))).expect("it is held");
        self.held[seat.index()].retain(|other| *other != number);
        number
    }

    fn meld(&mut self, seat: Seat, meld: Meld) {
        let claimed = meld.claimed();
        let offer = self.last;
        let mut left = claimed.map(|claimed| claimed.tile);
        let mut numbers: Vec<u32> = Vec::new();
        for tile in meld.tiles() {
            let is_claimed = left == Some(tile);
            left = left.filter(|_| !is_claimed);
            let number = if is_claimed {
                offer.expect("a claimed tile was discarded")
            } else {
                self.take(seat, tile, false)
            };
            numbers.push(number);
        }
        let from = claimed.map_or(0, |claimed| (4 + claimed.from.index() - seat.index()) % 4) as u32;
        numbers.sort_unstable();
        let index = numbers.iter().position(|number| Some(*number) == offer).unwrap_or(0) as u32;
        let low = u32::from(meld.low().number());
        let m = match meld.kind() {
            MeldKind::Chi => {
                let copies = (numbers[0] % 4) << 3 | (numbers[1] % 4) << 5 | (numbers[2] % 4) << 7;
                (3 * (low / 9 * 7 + low % 9) + index) << 10 | copies | 0x4 | from
            }
            MeldKind::Pon | MeldKind::Kakan => {
                let other = (0..4).find(|copy| !numbers.contains(&(4 * low + copy))).expect("three of four");
                (3 * low + index) << 9 | other << 5 | 0x8 | from
            }
            MeldKind::Daiminkan => offer.expect("a claimed tile was discarded") << 8 | from,
            MeldKind::Ankan => numbers[0] << 8,
        };
        self.call(seat, m);
    }

    fn end(&mut self, hand: &RecordedHand, end: &RecordedEnd, results: &str) {
        if let Some(reason) = end.draw {
            let kind = draw_name(reason).map_or(String::new(), |name| format!(" type=\"{name}\""));
            let shown = end.tenpai.into_iter().flat_map(|seats| seats.iter().collect::<Vec<_>>());
            let shown: Vec<String> = shown
                .map(|seat| {
                    self.held[seat.index()].sort_unstable();
                    format!(" hai{seat}=\"{}\"", list(&self.held[seat.index()]))
                })
                .collect();
            let sc = self.sc(&end.deltas.expect("a recording has all payments"));
            let ba = list(&self.honba_and_sticks);
            self.tag(&format!("RYUUKYOKU{kind} ba=\"{ba}\" sc=\"{sc}\"{}{results}", shown.concat()));
        }
        for (number, win) in end.wins.iter().enumerate() {
            let results = if number + 1 == end.wins.len() { results } else { "" };
            let sc = self.sc(&win.deltas.expect("a recording has all payments"));
            self.win(hand, win, &format!("sc=\"{sc}\"{results}"));
            self.honba_and_sticks[1] = 0;
        }
    }

    /// Each seat's points and their change. Applies the change.
    fn sc(&mut self, deltas: &BySeat<i32>) -> String {
        let mut numbers = Vec::new();
        for (points, won) in self.scores.iter_mut().zip(in_hundreds(deltas)) {
            numbers.extend([*points, won]);
            *points += won;
        }
        list(&numbers)
    }

    fn win(&mut self, hand: &RecordedHand, win: &RecordedWin, rest: &str) {
        let yaku = win.yaku.as_ref().expect("a recording has all yaku");
        let is_yakuman = yaku.iter().all(|(_, han)| *han == 0);
        let mut listed: Vec<u32> = Vec::new();
        let winds = hand.winds(win.winner).map(|wind| wind as u32);
        for (yaku, han) in yaku {
            // The number of the yaku is that of East. The other winds follow.
            let after = match yaku {
                Yaku::SeatWind => winds[0],
                Yaku::RoundWind => winds[1],
                Yaku::OppositeWind => (winds[1] + 2) % 4,
                _ => 0,
            };
            listed.push(yaku_number(*yaku) + after);
            listed.extend((!is_yakuman).then_some(u32::from(*han)));
        }
        let bonus = (52..).zip(win.dora.unwrap_or_default()).filter(|(_, han)| *han > 0 && !is_yakuman);
        listed.extend(bonus.flat_map(|(number, han)| [number, u32::from(han)]));
        let what = if is_yakuman { "yakuman" } else { "yaku" };
        let is_riichi = yaku.iter().any(|(yaku, _)| matches!(yaku, Yaku::Riichi | Yaku::DoubleRiichi));
        if is_riichi && self.ura.is_empty() {
            self.ura = hand.ura_indicators.iter().map(|tile| self.number(*tile)).collect();
        }
        let ura = if is_riichi && self.rules.ura {
            format!(" doraHaiUra=\"{}\"", list(&self.ura))
        } else {
            String::new()
        };
        let machi = self.last.expect("a tile has been drawn");
        let pao = win.liable.flatten().map_or(String::new(), |seat| format!(" paoWho=\"{seat}\""));
        let (winner, from) = (win.winner, win.from.unwrap_or(win.winner));
        let (fu, points) = (win.fu.unwrap_or(0), win.points.unwrap_or(0));
        let limit = win.limit.map_or(0, |limit| limit as u8);
        let mut held = self.held[winner.index()].clone();
        held.extend((!held.contains(&machi)).then_some(machi));
        held.sort_unstable();
        let calls = &self.calls[winner.index()];
        let calls = if calls.is_empty() { String::new() } else { format!(" m=\"{}\"", list(calls)) };
        let (ba, hai, dora) = (list(&self.honba_and_sticks), list(&held), list(&self.indicators));
        self.tag(&format!(
            "AGARI ba=\"{ba}\" hai=\"{hai}\"{calls} machi=\"{machi}\" ten=\"{fu},{points},{limit}\" doraHai=\"{dora}\" {what}=\"{}\"{ura} who=\"{winner}\" fromWho=\"{from}\"{pao} {rest}",
            list(&listed)
        ));
    }
}

/// The number of a tile that no event of a hand shows.
fn unseen(hand: &RecordedHand) -> u32 {
    let drawn = hand.events.iter().filter_map(|event| match event {
        Event::Draw { tile, .. } => *tile,
        Event::Indicator { tile } => Some(*tile),
        _ => None,
    });
    let shown: Vec<Tile> = hand
        .dealt
        .iter()
        .flatten()
        .copied()
        .chain(drawn)
        .chain(hand.ura_indicators.iter().copied())
        .collect();
    let count = |kind: TileKind| shown.iter().filter(|tile| tile.kind() == kind).count();
    let kind = TileKind::all().find(|kind| kind.is_honour() && count(*kind) < 4 || count(*kind) < 3);
    4 * u32::from(kind.expect("the dead wall has unseen tiles").number()) + 3
}

fn list<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Points of four seats in hundreds, 0 for an empty seat.
fn in_hundreds(points: &BySeat<i32>) -> Vec<i32> {
    points.iter().map(|points| points / 100).chain([0; 4]).take(4).collect()
}

fn draw_name(reason: DrawReason) -> Option<&'static str> {
    Some(match reason {
        DrawReason::Exhaustive => return None,
        DrawReason::KyuushuKyuuhai => "yao9",
        DrawReason::FourRiichi => "reach4",
        DrawReason::TripleRon => "ron3",
        DrawReason::FourKans => "kan4",
        DrawReason::FourWinds => "kaze4",
        DrawReason::Nagashi => "nm",
        DrawReason::Chombo => unreachable!("these games have no fouls"),
    })
}

/// Tenhou's number of a yaku, for East if it is a yaku of a wind.
fn yaku_number(yaku: Yaku) -> u32 {
    let yaku = if yaku == Yaku::OppositeWind { Yaku::RoundWind } else { yaku };
    let rows = include_str!("../../../../engine/tests/scores/yaku.csv").lines();
    let row = rows.map(|row| row.split(',')).find(|row| row.clone().next() == Some(yaku.name()));
    row.and_then(Iterator::last).and_then(|number| number.parse().ok()).expect("Tenhou has the yaku")
}
