//! Reads a game.

use jantaku_engine::replay::{HandLog, LogHeader, RecordedEnd, RecordedGame, RecordedHand};
use jantaku_engine::{DrawReason, Players, Rules, Seat, Standing, Yaku};

use super::cursor::walk;
use super::document::{Document, HandLists, TurnEntry, text, tiles};
use super::result::ResultReader;
use super::rules::{self, Stated};
use crate::logs::tenhou::{self, Date, SOUTH, THREE, fields};
use crate::logs::{LogError, Problem, break_off, json};

/// Reads a log that was played on this day, unless its `ref` states the day.
///
/// The given rules decide, except in a log that states rules for another number of players. Without
/// them, the rules are those that the log names, Tenhou's or Mahjong Soul's. If it names none, they
/// are Tenhou's rules under which the game replays as recorded.
///
/// A hand after the first that cannot be read leaves a gap after the hand before it.
///
/// # Errors
///
/// If the text is not such a log, its first hand or its results cannot be read, or it states rules that
/// cannot be read; or if it states no rules and the given ones are for another number of players.
pub fn read(text: &str, played: Option<Date>, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let document: Document = json::read(text)?;
    if document.log.is_empty() {
        return Err(LogError::at("`log`", Problem::missing("the first hand")));
    }
    let in_rules = |problem| LogError::at("the rules", problem);
    let played = Date::find(&document.reference).or(played);
    let mut notes = Vec::new();
    let (stated, first) = choose(&document, played, given, &mut notes).map_err(in_rules)?;
    first.check().map_err(|wrong| in_rules(Problem::new(wrong)))?;
    let hands = read_hands(&document, &first, &mut notes)?;
    let mut game = RecordedGame { hands, notes, ..RecordedGame::new(first) };
    game.name_players("name", document.name.clone()).map_err(|problem| LogError::at("the names", problem))?;
    read_results(&document, &mut game).map_err(|problem| LogError::at("the results", problem))?;
    leave_out_results_of_excerpt(&mut game);
    fit(&mut game, &stated, played);
    if game.rules.ura {
        leave_out_wrong_ura(&mut game.hands)?;
    }
    game.header = header(document);
    Ok(game)
}

/// The rules of a document, given or stated, and the rules to read its hands under. [`Stated`] has no
/// rules if the game shall get those of Tenhou that fit.
fn choose(
    document: &Document,
    played: Option<Date>,
    given: Option<&Rules>,
    notes: &mut Vec<String>,
) -> Result<(Stated, Rules), Problem> {
    let mut notes_of_rules = Vec::new();
    let stated = Stated::read(document, played, &mut notes_of_rules);
    // Given rules replace stated ones, whether they can be read or not.
    let players = rules::players(document, stated.as_ref().ok());
    let states = stated.as_ref().is_ok_and(|stated| !stated.rules.is_empty());
    if let Some(given) = tenhou::given_rules(given, players, states, notes)? {
        return Ok((Stated { rules: vec![given], lobby: None }, given));
    }
    let mut stated = stated?;
    notes.append(&mut notes_of_rules);
    let reds = rules::stated_reds(document);
    let with_reds = |rules: Rules| Rules { aka: reds.unwrap_or(rules.aka), ..rules };
    stated.rules = stated.rules.into_iter().map(with_reds).collect();
    if let Some(first) = stated.rules.first().copied() {
        return Ok((stated, first));
    }
    let disp = &document.rule.disp;
    if !disp.is_empty() {
        notes.push(rules::unknown_name(disp));
    }
    let bits = tenhou::game_type(&[(THREE, players == Players::Three), (SOUTH, true)]);
    Ok((stated, with_reds(tenhou::rules(bits, played)?)))
}

/// Gives a game the first of the stated rules that fit; without stated rules, those of Tenhou that fit.
fn fit(game: &mut RecordedGame, stated: &Stated, played: Option<Date>) {
    match (&stated.lobby, &stated.rules[..]) {
        (Some(lobby), _) => {
            let ends = game.final_scores.as_ref().zip(game.results.as_ref());
            let of_results =
                ends.and_then(|(scores, results)| lobby.rules_of_results(played, scores, results));
            let aka = game.rules.aka;
            game.rules = of_results.map_or(game.rules, |rules| Rules { aka, ..rules });
            if lobby.has_choice() {
                lobby.fit(game, played);
            }
        }
        (None, []) => tenhou::fit_rules(game, played),
        (None, [_]) => {}
        (None, rules) => drop(tenhou::first_fit(game, rules.iter().copied())),
    }
}

/// Reads all hands under these rules.
fn read_hands(
    document: &Document,
    rules: &Rules,
    notes: &mut Vec<String>,
) -> Result<Vec<RecordedHand>, LogError> {
    let has_winds = rules::names_true_winds(document);
    let mut hands = Vec::with_capacity(document.log.len().min(100));
    for (number, entry) in document.log.iter().enumerate() {
        let mut unknown = Vec::new();
        let hand = entry.lists(number).and_then(|hand| read_hand(hand, rules, has_winds, &mut unknown));
        let hand = hand.map_err(|problem| LogError::at(format!("hand {number}"), problem));
        push_hand(&mut hands, hand)?;
        notes.extend(unknown.into_iter().map(|problem| format!("hand {number}: {problem}")));
    }
    Ok(hands)
}

/// Leaves out the results of the game if hands before the first one were cut off: those after the last may
/// be, too.
fn leave_out_results_of_excerpt(game: &mut RecordedGame) {
    let start = Standing::start(&game.rules);
    let is_start =
        |hand: &RecordedHand| (hand.standing.round, hand.standing.honba) == (start.round, start.honba);
    if game.is_whole && !game.hands.first().is_some_and(is_start) {
        (game.final_scores, game.results, game.is_whole) = (None, None, false);
        game.notes.push("ignored `sc`: the log does not begin with the first hand of the game".to_owned());
    }
}

/// Reads the points and results at the end, if the log states them.
fn read_results(document: &Document, game: &mut RecordedGame) -> Result<(), Problem> {
    if let Some(sc) = &document.sc {
        let [scores, results] = fields::final_points("`sc`", sc, game.rules.players, 1.0)?;
        (game.final_scores, game.results, game.is_whole) = (Some(scores), Some(results), true);
    }
    Ok(())
}

/// What the document states beside the play.
fn header(document: Document) -> LogHeader {
    let title: Vec<String> = document.title.into_iter().map(text).collect();
    LogHeader {
        reference: document.reference,
        room: document.rule.disp,
        title: if title.iter().all(String::is_empty) { Vec::new() } else { title },
        dan: document.dan,
        rate: document.rate,
        sx: document.sx,
    }
}

fn read_hand(
    hand: &HandLists,
    rules: &Rules,
    has_winds: bool,
    unknown: &mut Vec<Problem>,
) -> Result<RecordedHand, Problem> {
    let players = rules.players;
    let [number, honba, sticks] = hand.0;
    let (round, _) = fields::round(u32::from(number), players)?;
    let scores = fields::by_seat("the points", &hand.1, players)?;
    let standing = Standing::at_deal(round, [honba, sticks], scores);
    let deal_of =
        |seat: Seat| tiles(format_args!("the deal of player {seat}"), hand.dealt()[seat.index()], rules.aka);
    let dealt = fields::deal(players, deal_of)?;
    let indicators = if rules.dora { tiles("the dora indicators", &hand.2, rules.aka)? } else { Vec::new() };
    let mut log = HandLog::new(standing, dealt, indicators.first().copied());
    let dealer = log.hand().dealer();
    let mut results = ResultReader { players, hand: has_winds.then_some(log.hand()), unknown };
    let end = results.read(&hand.16)?;
    log.list_indicators(indicators.into_iter().skip(1).collect());
    log.ura_indicators(tiles("the ura indicators", &hand.3, rules.aka)?);
    let lists = hand.turns();
    let discarder = end.as_ref().and_then(|end| end.wins.first()?.from);
    let is_triple_ron = end.as_ref().is_some_and(|end| end.draw == Some(DrawReason::TripleRon));
    let discarder = if is_triple_ron { last_declaration(&lists, players) } else { discarder };
    let mut log = walk(log, &lists, dealer, rules, discarder)?;
    if let Some(end) = end {
        log.end(end)?;
    }
    Ok(log.into_hand())
}

/// Leaves out the hands whose ura indicators contradict their wins, like hands that cannot be read
/// ([`push_hand`]). For rules with ura dora.
fn leave_out_wrong_ura(hands: &mut Vec<RecordedHand>) -> Result<(), LogError> {
    let mut checked = Vec::with_capacity(hands.len());
    for (number, hand) in hands.drain(..).enumerate() {
        let is_possible =
            hand.end.as_ref().map_or(Ok(()), |end| check_ura_of(hand.ura_indicators.is_empty(), end));
        let is_possible = is_possible.map_err(|problem| LogError::at(format!("hand {number}"), problem));
        push_hand(&mut checked, is_possible.map(|()| hand))?;
    }
    *hands = checked;
    Ok(())
}

/// Adds a hand. One that cannot be read leaves a gap after the hand before it, or is an error if it
/// is the first.
fn push_hand(hands: &mut Vec<RecordedHand>, hand: Result<RecordedHand, LogError>) -> Result<(), LogError> {
    match hand {
        Ok(hand) => hands.push(hand),
        Err(error) => break_off(None, hands.last_mut(), error)?,
    }
    Ok(())
}

/// Checks that there are ura indicators if and only if a winner is in riichi.
///
/// The yaku of a yakuman do not include riichi, and a log may leave out the yaku of a win. After such a
/// win, ura indicators are allowed without riichi.
fn check_ura_of(has_none: bool, end: &RecordedEnd) -> Result<(), Problem> {
    let any = |is_it: fn(Yaku) -> bool| {
        end.wins.iter().filter_map(|win| win.yaku.as_ref()).flatten().any(|(yaku, _)| is_it(*yaku))
    };
    let in_riichi = any(|yaku| matches!(yaku, Yaku::Riichi | Yaku::DoubleRiichi));
    let may_be = any(Yaku::is_yakuman) || end.wins.iter().any(|win| win.yaku.is_none());
    match has_none {
        true if in_riichi => Err(Problem::new(
            "no ura indicators, but a winner in riichi: if the game has no ura dora, give its rules",
        )),
        false if !in_riichi && !may_be => Err(Problem::new("ura indicators, but no winner in riichi")),
        _ => Ok(()),
    }
}

/// The player who declared riichi with the last discard of the hand, if a riichi discard was the last:
/// of the players whose own last discard declares riichi, the one with the most discards.
fn last_declaration(lists: &[[&[TurnEntry]; 2]; 4], players: Players) -> Option<Seat> {
    let declares = |entry: &TurnEntry| matches!(entry, TurnEntry::Text(text) if text.starts_with('r'));
    let discards = |seat: &Seat| lists[seat.index()][1].len();
    let last = players.seats().filter(|seat| lists[seat.index()][1].last().is_some_and(declares));
    last.max_by_key(discards)
}
