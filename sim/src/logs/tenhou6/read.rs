//! Reads a game.

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedGame, RecordedHand};
use jantaku_engine::rules::options::Aka;
use jantaku_engine::{DrawReason, Players, Rules, Seat, Standing, Yaku};

use super::document::{Document, HandLists, Rule, TurnEntry, tiles};
use super::result;
use super::walk::walk;
use crate::logs::tenhou::{self, Date, NO_KUITAN, NO_RED, SOUTH, THREE, fields};
use crate::logs::{LogError, Problem};

/// Reads a log that was played on this day.
///
/// If the log does not name its rules, Tenhou's or Mahjong Soul's, they are the `assumed` ones.
/// Without those, they are Tenhou's rules under which the game replays as recorded.
///
/// # Errors
///
/// If the text is not such a log, is broken, or names special rules.
pub fn read(text: &str, played: Option<Date>, assumed: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| LogError::at("the text", Problem::syntax(error)))?;
    let in_rules = |problem| LogError::at("the rules", problem);
    let no_hand = || LogError::at("`log`", Problem::Missing("the first hand".to_owned()));
    let first = document.log.first().ok_or_else(no_hand)?;
    let played = Date::find(&document.reference).or(played);
    let three = document.rule.disp.contains('三') || first.dealt()[3].is_empty();
    let reds = stated_reds(&document.rule, three);
    let with_reds = |rules: Rules| Rules { aka: reds.unwrap_or(rules.aka), ..rules };
    let named_type = tenhou_type(&document.rule, reds, three);
    let named = named_rules(&document.rule, first, named_type, played, three).map_err(in_rules)?;
    let tenhous =
        || tenhou::rules(tenhou::game_type(&[(THREE, three), (SOUTH, true)]), played).map_err(in_rules);
    let known = named.or(assumed.copied());
    let rules = with_reds(known.map_or_else(tenhous, Ok)?);
    rules.check().map_err(|error| in_rules(Problem::Rules(error.to_string())))?;
    // Converters of Mahjong Soul's logs name the wind that the seat had at the start of the game.
    let has_winds = !document.rule.is_mahjong_soul();
    let mut hands = Vec::with_capacity(document.log.len().min(100));
    for (number, hand) in document.log.iter().enumerate() {
        let hand = read_hand(hand, &rules, has_winds);
        let hand = hand.map_err(|problem| LogError::at(format!("hand {number}"), problem));
        // A hand that cannot be read leaves a gap after the hand before it.
        match (hand, hands.last_mut()) {
            (Ok(hand), _) => hands.push(hand),
            (Err(error), Some(last)) => RecordedHand::break_off(last, &error.to_string()),
            (Err(error), None) => return Err(error),
        }
    }
    let mut game = RecordedGame { hands, ..RecordedGame::new(rules) };
    for (to, from) in game.names.iter_mut().zip(document.name) {
        *to = from;
    }
    if let Some(sc) = &document.sc {
        let [scores, results] = fields::final_points("`sc`", sc, rules.players, 1.0)
            .map_err(|problem| LogError::at("the results", problem))?;
        (game.final_scores, game.results, game.is_whole) = (Some(scores), Some(results), true);
        let of_results =
            named_type.and_then(|bits| tenhou::rules_of_results(bits, played, &scores, &results));
        game.rules = of_results.map_or(game.rules, with_reds);
    }
    if known.is_none() {
        tenhou::fit_rules(&mut game, played);
    }
    Ok(game)
}

/// The red fives, if the log states their numbers. They count whatever the marks say. Three players
/// have no 5m, which Tenhou's numbers ignore.
fn stated_reds(rule: &Rule, three: bool) -> Option<Aka> {
    let [m, p, s] = rule.reds().filter(|_| rule.rules.is_none())?;
    Some(Aka { m: if three { 0 } else { m }, p, s })
}

/// The game type, if the log names rules of Tenhou.
fn tenhou_type(rule: &Rule, reds: Option<Aka>, three: bool) -> Option<u32> {
    let is_tenhou = rule.rules.is_none() && !rule.disp.is_empty() && !rule.is_mahjong_soul();
    let has_reds = reds.map_or(rule.disp.contains('赤'), |reds| reds.by_suit() != [0; 3]);
    let bits =
        [(THREE, three), (SOUTH, rule.is_south()), (NO_KUITAN, !rule.is_kuitan()), (NO_RED, !has_reds)];
    is_tenhou.then(|| tenhou::game_type(&bits))
}

/// The rules, if the log names them.
fn named_rules(
    rule: &Rule,
    first: &HandLists,
    game_type: Option<u32>,
    played: Option<Date>,
    three: bool,
) -> Result<Option<Rules>, Problem> {
    if let Some(text) = &rule.rules {
        return Rules::from_toml(text, "rules").map(Some).map_err(|error| Problem::Rules(error.to_string()));
    }
    if let Some(bits) = game_type {
        return tenhou::rules(bits, played).map(Some);
    }
    if rule.disp.is_empty() {
        return Ok(None);
    }
    let preset = Rules::preset(if three { "mjsoul-sanma" } else { "mjsoul" });
    let mut rules = preset.expect("the engine has the rules of Mahjong Soul");
    if !rule.is_english() && !rule.disp.contains('赤') {
        rules.aka = Aka { m: 0, p: 0, s: 0 };
    }
    rules.wind_rounds = if rule.is_south() { 2 } else { 1 };
    rules.kuitan = rule.is_kuitan();
    // Tournaments choose the points at the start.
    if first.0 == [0; 3]
        && let Some(start) = first.1.first()
    {
        rules.start_points = *start;
        rules.return_points = *start;
    }
    Ok(Some(rules))
}

fn read_hand(hand: &HandLists, rules: &Rules, has_winds: bool) -> Result<RecordedHand, Problem> {
    let players = rules.players;
    let [number, honba, sticks] = hand.0;
    let (round, _) = fields::round(u32::from(number), players)?;
    let scores = fields::by_seat("the points", &hand.1, players)?;
    let standing = Standing { round, honba, sticks, attempt: 0, dealer_wins: 0, scores };
    let dealt = fields::deal(players, |seat| tiles(hand.dealt()[seat.index()]))?;
    let indicators = tiles(&hand.2)?;
    let mut log = HandLog::new(standing, dealt, indicators.first().copied());
    let dealer = log.hand().dealer();
    let end = result::read(&hand.16, players, |seat| has_winds.then(|| log.hand().winds(seat)))?;
    if let Some(end) = end.as_ref().filter(|_| rules.ura) {
        check_ura(&hand.3, end)?;
    }
    log.list_indicators(indicators.into_iter().skip(1).collect());
    log.ura_indicators(tiles(&hand.3)?);
    let lists = hand.turns();
    let discarder = end.as_ref().and_then(|end| end.wins.first()?.from);
    let is_triple_ron = end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::TripleRon));
    let ronned = if is_triple_ron { last_declaration(&lists, players) } else { discarder };
    let mut log = walk(log, &lists, dealer, players, ronned)?;
    if let Some(end) = end {
        log.end(end)?;
    }
    Ok(log.into_hand())
}

/// Checks that there are ura indicators if and only if a winner is in riichi.
///
/// The yaku of a yakuman do not include riichi, so a yakuman may have ura indicators or not.
fn check_ura(ura: &[u8], end: &RecordedEnd) -> Result<(), Problem> {
    let any = |is_it: fn(Yaku) -> bool| {
        end.wins.iter().filter_map(|win| win.yaku.as_ref()).flatten().any(|(yaku, _)| is_it(*yaku))
    };
    let in_riichi = any(|yaku| matches!(yaku, Yaku::Riichi | Yaku::DoubleRiichi));
    let may_be = any(Yaku::is_yakuman) || end.wins.iter().any(|win| win.yaku.is_none());
    match ura.is_empty() {
        true if in_riichi => Err(Problem::contradiction("no ura indicators, but a winner in riichi")),
        false if !in_riichi && !may_be => {
            Err(Problem::contradiction("ura indicators, but no winner in riichi"))
        }
        _ => Ok(()),
    }
}

/// The player whose riichi discard is the last discard of the hand.
fn last_declaration(lists: &[[&[TurnEntry]; 2]; 4], players: Players) -> Option<Seat> {
    let declares = |entry: &TurnEntry| matches!(entry, TurnEntry::Text(text) if text.starts_with('r'));
    let discards = |seat: &Seat| lists[seat.index()][1].len();
    let last = players.seats().filter(|seat| lists[seat.index()][1].last().is_some_and(declares));
    last.max_by_key(discards)
}
