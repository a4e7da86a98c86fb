//! A recorded game from its text.

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedGame, RecordedHand, RecordedWin};
use jantaku_engine::rules::knobs::Aka;
use jantaku_engine::{
    BySeat, DrawReason, Limit, Players, Rules, Seat, SeatSet, Standing, Tile, TileKind, Wind, Yaku,
};

use super::walk::walk;
use super::{Document, Entry, Hand, Item, Part, Rule, tile};
use crate::logs::LogError;
use crate::logs::tenhou::{self, Month, NO_KUITAN, NO_RED, SOUTH, THREE};

/// Reads a log. Where it does not name its rules – Tenhou's or Mahjong Soul's –, they are the assumed ones, or those of Tenhou under
/// which the game can have gone as recorded.
///
/// # Errors
///
/// If the text is no such log, is broken, or tells what no game can be.
pub fn read(text: &str, played: Option<Month>, assumed: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let document: Document = serde_json::from_str(text).map_err(|error| LogError::new("the text", error))?;
    let at_start = |what: String| LogError::new("the rules", what);
    let first = document.log.first().ok_or_else(|| LogError::new("`log`", "no hand"))?;
    let played = Month::find(&document.reference).or(played);
    let three = document.rule.disp.contains('三') || first.13.is_empty();
    let named_type = tenhou_type(&document.rule, three).map_err(at_start)?;
    let named = named_rules(&document.rule, first, named_type, played, three).map_err(at_start)?;
    let tenhous =
        || tenhou::rules(tenhou::game_type(&[(THREE, three), (SOUTH, true)]), played).map_err(at_start);
    let known = named.or(assumed.copied());
    let rules = known.map_or_else(tenhous, Ok)?;
    let players = rules.players;
    // Logs of Mahjong Soul are written by converters that name the wind with which a seat began.
    let names_winds = !document.rule.is_mahjong_soul();
    let mut hands = Vec::with_capacity(document.log.len().min(100));
    for (number, hand) in document.log.iter().enumerate() {
        let read = read_hand(hand, &rules, names_winds)
            .map_err(|what| LogError::new(format!("hand {number}"), what))?;
        hands.push(read);
    }
    let mut game = RecordedGame { hands, ..RecordedGame::new(rules) };
    for (to, from) in game.names.iter_mut().zip(document.name) {
        *to = from;
    }
    if let Some(sc) = &document.sc {
        let (scores, results) =
            tenhou::final_points(sc, players, 1.0).map_err(|what| LogError::new("`sc`", what))?;
        (game.final_scores, game.results, game.is_whole) = (Some(scores), Some(results), true);
        let of_results =
            named_type.and_then(|bits| tenhou::rules_of_results(bits, played, &scores, &results));
        game.rules = of_results.unwrap_or(game.rules);
    }
    if known.is_none() {
        tenhou::fit_rules(&mut game, played);
    }
    Ok(game)
}

/// The game type, if the log names rules of Tenhou.
fn tenhou_type(rule: &Rule, three: bool) -> Result<Option<u32>, String> {
    let has = |mark: char| rule.disp.contains(mark);
    let is_tenhou = rule.rules.is_none() && !rule.disp.is_empty() && !rule.is_mahjong_soul();
    if !is_tenhou {
        return Ok(None);
    }
    let no_reds = match (rule.reds(), has('赤')) {
        ([0, 0, 0], false) => true,
        ([1, 1, 1], true) => false,
        ([0, 1, 1], true) if three => false,
        (reds, _) => {
            return Err(format!(
                "`aka51`, `aka52` and `aka53` are {reds:?} under \"{}\": Tenhou plays with one each, and 赤, or none",
                rule.disp
            ));
        }
    };
    let bits = [(THREE, three), (SOUTH, has('南')), (NO_KUITAN, !has('喰')), (NO_RED, no_reds)];
    Ok(Some(tenhou::game_type(&bits)))
}

/// The rules, if the log names them.
fn named_rules(
    rule: &Rule,
    first: &Hand,
    game_type: Option<u32>,
    played: Option<Month>,
    three: bool,
) -> Result<Option<Rules>, String> {
    if let Some(text) = &rule.rules {
        return Rules::from_toml(text, "rules").map(Some).map_err(|error| error.to_string());
    }
    if let Some(bits) = game_type {
        return tenhou::rules(bits, played).map(Some);
    }
    if rule.disp.is_empty() {
        return Ok(None);
    }
    let preset = Rules::preset(if three { "mjsoul-sanma" } else { "mjsoul" });
    let mut rules = preset.ok_or("the rules of Mahjong Soul are not known")?;
    let [m, p, s] = rule.reds();
    rules.aka = Aka { m: if three { 0 } else { m }, p, s };
    rules.wind_rounds = if rule.disp.contains('南') { 2 } else { 1 };
    rules.kuitan = rule.disp.contains('喰');
    // Its tournaments set the points of the start.
    if first.0 == [0; 3]
        && let Some(start) = first.1.first()
    {
        rules.start_points = *start;
        rules.return_points = *start;
    }
    rules.check().map_err(|error| error.to_string())?;
    Ok(Some(rules))
}

fn read_hand(hand: &Hand, rules: &Rules, names_winds: bool) -> Result<RecordedHand, String> {
    let players = rules.players;
    let [winds, honba, sticks] = hand.0;
    let count = u16::from(players.count());
    // Rounds are counted in fours whoever plays.
    let (round, place) = (winds / 4 * count + winds % 4, winds % 4);
    if place >= count {
        return Err(format!("round {winds} has no dealer in a game of {count}"));
    }
    let points = |numbers: &[i32]| by_seat(numbers, players);
    let standing = Standing { round, honba, sticks, attempt: 0, dealer_wins: 0, scores: points(&hand.1)? };
    let dealt_lists = [&hand.4, &hand.7, &hand.10, &hand.13];
    let lists: [[&[Entry]; 2]; 4] =
        [[&hand.5, &hand.6], [&hand.8, &hand.9], [&hand.11, &hand.12], [&hand.14, &hand.15]];
    let mut dealt = BySeat::splat(players, [Tile::plain(TileKind::EAST); 13]);
    for seat in players.seats() {
        let tiles = tiles(dealt_lists[seat.index()])?;
        let found = tiles.len();
        dealt[seat] =
            tiles.try_into().map_err(|_| format!("{found} tiles are dealt to {seat}, expected 13"))?;
    }
    let indicators = tiles(&hand.2)?;
    let mut log = HandLog::new(standing, dealt, indicators.first().copied());
    let dealer = log.hand().dealer();
    let end = result(&hand.16, players, |seat| names_winds.then(|| log.hand().winds(seat)))?;
    if let Some(end) = end.as_ref().filter(|_| rules.ura) {
        check_ura(&hand.3, end)?;
    }
    log.list_indicators(indicators.into_iter().skip(1).collect());
    log.ura_indicators(tiles(&hand.3)?);
    let discarder = end.as_ref().and_then(|end| end.wins.first()?.from);
    let robbed_riichi = end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::TripleRon));
    let ronned = if robbed_riichi { last_declaration(&lists, players) } else { discarder };
    let mut log = walk(log, &lists, dealer, players, ronned)?;
    if let Some(end) = end {
        log.end(end)?;
    }
    Ok(log.into_hand())
}

/// The indicators under the others are shown for a winner in riichi, and only for one; no yakuman has it among its yaku.
fn check_ura(ura: &[u8], end: &RecordedEnd) -> Result<(), String> {
    let any = |is_it: fn(Yaku) -> bool| {
        end.wins.iter().filter_map(|win| win.yaku.as_ref()).flatten().any(|(yaku, _)| is_it(*yaku))
    };
    let in_riichi = any(|yaku| matches!(yaku, Yaku::Riichi | Yaku::DoubleRiichi));
    let may_be = any(Yaku::is_yakuman) || end.wins.iter().any(|win| win.yaku.is_none());
    match ura.is_empty() {
        true if in_riichi => Err("no indicators under the others, but a winner in riichi".to_owned()),
        false if !in_riichi && !may_be => {
            Err("indicators under the others, but no winner in riichi".to_owned())
        }
        _ => Ok(()),
    }
}

/// Who has declared riichi with his last discard, of players whose lists have nothing after it.
fn last_declaration(lists: &[[&[Entry]; 2]; 4], players: Players) -> Option<Seat> {
    let declares = |entry: &Entry| matches!(entry, Entry::Text(text) if text.starts_with('r'));
    let discards = |seat: &Seat| lists[seat.index()][1].len();
    let last = players.seats().filter(|seat| lists[seat.index()][1].last().is_some_and(declares));
    last.max_by_key(discards)
}

/// Points by seat; those of places where nobody plays are left out.
fn by_seat(numbers: &[i32], players: Players) -> Result<BySeat<i32>, String> {
    BySeat::from_slice(players, numbers)
        .ok_or_else(|| format!("{} numbers of points, expected one for each player", numbers.len()))
}

fn tiles(codes: &[u8]) -> Result<Vec<Tile>, String> {
    codes.iter().map(|code| tile(*code)).collect()
}

/// The result of a hand: a name and, after it, points and details by turns. No result ends a log in the middle of a hand.
fn result(
    parts: &[Part],
    players: Players,
    winds: impl Fn(Seat) -> Option<[Wind; 2]> + Copy,
) -> Result<Option<RecordedEnd>, String> {
    let Some(Part::Name(name)) = parts.first() else { return Ok(None) };
    let mut lists = parts[1..].iter().map(|part| match part {
        Part::List(items) => Ok(items.as_slice()),
        Part::Name(text) => Err(format!("`{text}` in the result, expected a list")),
    });
    let nothing = RecordedEnd { wins: Vec::new(), draw: None, tenpai: None, deltas: None };
    if name == "和了" {
        let mut end = nothing;
        while let Some(changes) = lists.next().transpose()? {
            let deltas = changes_by_seat(changes, players)?;
            let details = lists.next().transpose()?.ok_or("points without the winner")?;
            end.wins.push(win(details, deltas, players, winds)?);
            if end.wins.len() >= usize::from(players.count()) {
                return Err("more winners than players".to_owned());
            }
        }
        let deltas = |seat| {
            end.wins.iter().filter_map(|win| Some(win.deltas.as_ref()?[seat])).fold(0, i32::saturating_add)
        };
        end.deltas = Some(BySeat::from_fn(players, deltas));
        return if end.wins.is_empty() { Err("a win without a winner".to_owned()) } else { Ok(Some(end)) };
    }
    let deltas = lists.next().transpose()?.map(|changes| changes_by_seat(changes, players)).transpose()?;
    let all: SeatSet = players.seats().collect();
    // Where nothing is paid, all or none are tenpai.
    let paid = deltas.as_ref().map(|deltas| players.seats().filter(|seat| deltas[*seat] > 0).collect());
    let paid = paid.filter(|seats: &SeatSet| !seats.is_empty());
    let (draw, tenpai) = match name.as_str() {
        "流局" => (DrawReason::Exhaustive, paid),
        "全員聴牌" => (DrawReason::Exhaustive, Some(all)),
        "全員不聴" => (DrawReason::Exhaustive, Some(SeatSet::EMPTY)),
        name => {
            (tenhou::draw_reason_in_words(name).ok_or_else(|| format!("`{name}` is no known result"))?, None)
        }
    };
    Ok(Some(RecordedEnd { draw: Some(draw), tenpai, deltas, ..nothing }))
}

fn changes_by_seat(items: &[Item], players: Players) -> Result<BySeat<i32>, String> {
    let number = |item: &Item| match item {
        Item::Number(number) => Ok(*number),
        Item::Text(text) => Err(format!("`{text}` in the result, expected points")),
    };
    by_seat(&items.iter().map(number).collect::<Result<Vec<i32>, String>>()?, players)
}

/// Winner, discarder, who is liable or the winner again, what the hand is worth, and the yaku; logs may leave out the end.
fn win(
    items: &[Item],
    deltas: BySeat<i32>,
    players: Players,
    winds: impl Fn(Seat) -> Option<[Wind; 2]>,
) -> Result<RecordedWin, String> {
    let seat = |place: usize| match items.get(place) {
        Some(Item::Number(number)) => players
            .seats()
            .find(|seat| i32::from(seat.number()) == *number)
            .ok_or_else(|| format!("player {number} does not play")),
        _ => Err("expected winner, discarder and who is liable".to_owned()),
    };
    let (winner, from, liable) = (seat(0)?, seat(1)?, seat(2)?);
    let texts: Vec<&str> = items[3..]
        .iter()
        .map(|item| match item {
            Item::Text(text) => Ok(text.as_str()),
            Item::Number(number) => Err(format!("{number} in the result, expected a text")),
        })
        .collect::<Result<_, _>>()?;
    let (worth, listed) = match texts.split_first() {
        Some((worth, listed)) => (
            Worth::parse(worth, players)?,
            (!listed.is_empty()).then(|| yaku_of(listed, winds(winner))).transpose()?,
        ),
        None => (Worth::default(), None),
    };
    let is_yakuman = listed.as_ref().is_some_and(|(yaku, _)| yaku.iter().any(|(yaku, _)| yaku.is_yakuman()));
    let sum = |(yaku, dora): &Listed| {
        yaku.iter().map(|(_, han)| u32::from(*han)).sum::<u32>()
            + dora.iter().map(|han| u32::from(*han)).sum::<u32>()
    };
    let han = listed.as_ref().map(|listed| if is_yakuman { 0 } else { sum(listed) });
    if let (Some(told), Some(listed)) = (worth.han, han)
        && told != listed
    {
        return Err(format!("a hand of {told} han, but its yaku have {listed}"));
    }
    let is_liable = liable != winner;
    Ok(RecordedWin {
        winner,
        from: (from != winner).then_some(from),
        tile: None,
        han: han.or(worth.han),
        dora: listed.as_ref().filter(|_| !is_yakuman).map(|(_, dora)| *dora),
        yaku: listed.map(|(yaku, _)| yaku),
        fu: worth.fu,
        points: worth.points,
        limit: worth.limit,
        base: None,
        liable: Some(is_liable.then_some(liable)),
        deltas: Some(deltas),
    })
}

type Listed = (Vec<(Yaku, u8)>, [u8; 3]);

/// The yaku with their han, and the bonus han by indicators, by those under them and by red fives, from texts such as `平和(1飜)`.
fn yaku_of(texts: &[&str], winds: Option<[Wind; 2]>) -> Result<Listed, String> {
    let (mut yaku, mut dora) = (Vec::new(), [0; 3]);
    for text in texts {
        let wrong = || format!("`{text}` is no yaku");
        let (name, worth) = text.split_once('(').ok_or_else(wrong)?;
        let digits: String = worth.chars().take_while(char::is_ascii_digit).collect();
        let is_yakuman = worth.starts_with("役満");
        let han: u8 = if is_yakuman { 0 } else { digits.parse().map_err(|_| wrong())? };
        match name {
            "ドラ" | "抜きドラ" => dora[0] = u8::saturating_add(dora[0], han.min(100)),
            "裏ドラ" => dora[1] = u8::saturating_add(dora[1], han.min(100)),
            "赤ドラ" => dora[2] = u8::saturating_add(dora[2], han.min(100)),
            name => {
                let (found, wind) = tenhou::yaku_in_words(name, is_yakuman).ok_or_else(wrong)?;
                if let (Some(wind), Some(winds)) = (wind, winds) {
                    tenhou::check_wind(found, wind, winds)?;
                }
                yaku.push((found, han));
            }
        }
    }
    yaku.sort_unstable();
    Ok((yaku, dora))
}

/// What a text such as `30符2飜2900点`, `満貫4000点∀` or `跳満3000-6000点` tells.
#[derive(Default)]
struct Worth {
    fu: Option<u8>,
    han: Option<u32>,
    limit: Option<Limit>,
    points: Option<i32>,
}

impl Worth {
    fn parse(text: &str, players: Players) -> Result<Worth, String> {
        Worth::find(text, players).ok_or_else(|| {
            format!("`{text}` does not say what a hand is worth: expected fu and han or a limit, and points")
        })
    }

    fn find(text: &str, players: Players) -> Option<Worth> {
        let (amount, is_from_all) = match text.strip_suffix('∀') {
            Some(amount) => (amount, true),
            None => (text, false),
        };
        let amount = amount.strip_suffix('点')?;
        let (worth, amount) =
            amount.split_at(amount.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').len());
        let count = i32::from(players.count());
        let number = |text: &str| text.parse::<i32>().ok();
        let points = match amount.split_once('-') {
            Some((each, dealer)) => number(each)?.checked_mul(count - 2)?.checked_add(number(dealer)?)?,
            None if is_from_all => number(amount)?.checked_mul(count - 1)?,
            None => number(amount)?,
        };
        let worth = match worth.split_once('符') {
            Some((fu, han)) => Worth {
                fu: Some(fu.parse().ok()?),
                han: Some(han.strip_suffix('飜')?.parse().ok()?),
                limit: Some(Limit::None),
                points: None,
            },
            None if worth.is_empty() => Worth::default(),
            None => Worth { limit: Some(tenhou::limit_in_words(worth)?), ..Worth::default() },
        };
        Some(Worth { points: Some(points), ..worth })
    }
}
