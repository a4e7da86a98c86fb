//! Questions for `hand` with the facts of a win in a game, and walls with wanted tiles.

use jantaku_engine::{DrawSource, Limit, OfferKind, Outcome, Round, Rules, Seat, Tile, Wall, WonHand};
use jantaku_show::analysis::{Answer, answer};
use serde_json::{Value, json};

/// The answer to a question under these rules.
pub fn ask(question: &Value, rules: &Rules) -> Value {
    as_value(&answer(question.to_string().as_bytes(), |_| Ok(*rules)))
}

fn as_value(answer: &Answer) -> Value {
    let line = serde_json::to_string(answer).expect("an answer is JSON");
    serde_json::from_str(&line).expect("an answer is JSON")
}

/// The question for a win on this tile in a hand in play.
pub fn question(round: &Round, winner: Seat, tile: Tile, from: Option<Seat>) -> Value {
    let (table, private) = (round.table(), round.private(winner));
    let side = table.side(winner);
    let wind = |seat| table.seat_wind(seat).letter().to_string();
    let offer = table.offer().filter(|_| from.is_some()).map(|offer| offer.kind);
    let discarded = offer == Some(OfferKind::Discard);
    let live = from.is_none() && table.source() == DrawSource::Live;
    let shown = !table.shown_waits(winner).is_empty();
    json!({
        "hand": private.hand().to_string(),
        "melds": side.melds().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "win": tile.to_string(),
        "by": if from.is_some() { "ron" } else { "tsumo" },
        "from": from.map(wind),
        "seat": wind(winner),
        "round": table.round_wind().letter().to_string(),
        "riichi": match side.riichi() {
            jantaku_engine::Riichi::None => json!(false),
            jantaku_engine::Riichi::Single => json!("single"),
            jantaku_engine::Riichi::Double => json!("double"),
        },
        "open_riichi": shown,
        "ippatsu": side.ippatsu(),
        "dora": table.indicators().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "haitei": table.live() == 0 && (live || discarded),
        "rinshan": from.is_none() && table.source() == DrawSource::Kan,
        "kita_replacement": from.is_none() && table.source() == DrawSource::Kita,
        "chankan": matches!(offer, Some(OfferKind::Kakan | OfferKind::Ankan)),
        "first_turn": table.uninterrupted() && side.discard_count() == 0,
        "riichi_tile": discarded && table.discards().iter().last().is_some_and(|discard| discard.riichi),
        "after_kan": discarded && table.source() == DrawSource::Kan,
        "discarder_riichi": shown
            && from.is_some_and(|seat| table.side(seat).riichi() != jantaku_engine::Riichi::None),
        "dealer_wins": table.dealer_wins(),
        "kita": side.norths(),
        "honba": table.honba(),
    })
}

/// The question for a win, with the facts that only its event has.
fn question_of(round: &Round, win: &WonHand, collects_honba: bool) -> Value {
    let mut question = question(round, win.winner, win.tile, win.from);
    question["ura"] = win.ura_indicators.iter().map(ToString::to_string).collect();
    question["pao"] = win
        .liable
        .iter()
        .map(|liability| {
            let fed = liability.yaku.map_or("daiminkan", jantaku_engine::Yaku::name);
            (fed.to_owned(), json!(round.table().seat_wind(liability.seat).letter().to_string()))
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    question["riichi_sticks"] = win.sticks.into();
    if !collects_honba {
        question["honba"] = 0.into();
    }
    question
}

/// The score in an answer, as the game would state it.
fn score_of(win: &WonHand, round: &Round) -> Value {
    let (rules, dealer) = (round.table().rules(), round.table().dealer());
    let players = rules.players;
    let by_seat: Vec<i32> =
        (0..players.count()).map(|steps| win.payments[dealer.after(steps, players)]).collect();
    let score = &win.score;
    let yaku = score.yaku.iter().map(|yaku| json!({"name": yaku.name(), "han": score.han_of(yaku, rules)}));
    let sticks = rules.riichi_stick * i32::from(win.sticks);
    json!({
        "yaku": yaku.collect::<Vec<_>>(),
        "han": score.han(),
        "fu": score.fu,
        "yakuman": score.yakuman,
        "limit": Some(score.limit).filter(|limit| *limit != Limit::None).map(Limit::name),
        "points": win.points,
        "payments": { "by_seat": by_seat, "riichi_sticks": sticks, "total": win.payments[win.winner] + sticks },
    })
}

/// Compares the answer about each win of a hand with the payments of the game. Returns the
/// questions.
pub fn agree(round: &Round, outcome: &Outcome) -> Vec<Value> {
    let rules = round.table().rules();
    let each = rules.multi_ron_honba == jantaku_engine::rules::options::MultiRonHonba::Each;
    let mut questions = Vec::new();
    for (index, win) in outcome.wins().iter().enumerate() {
        let question = question_of(round, win, index == 0 || each);
        let answer = ask(&question, rules);
        let mut score = answer["score"].clone();
        check_roles(&score["payments"], win, round.table().dealer());
        if let Some(payments) = score["payments"].as_object_mut() {
            payments.retain(|key, _| !["discarder", "dealer", "others"].contains(&key.as_str()));
        }
        assert_eq!(score, score_of(win, round), "{question}\n{answer}\n{}", rules.to_toml());
        questions.push(question);
    }
    questions
}

/// The payments by role are those of the seats.
fn check_roles(payments: &Value, win: &WonHand, dealer: Seat) {
    let paid = |seat: Seat| json!(-win.payments[seat]);
    if !win.liable.is_empty() {
        assert!(payments["discarder"].is_null() && payments["others"].is_null(), "{payments}");
    } else if let Some(from) = win.from {
        assert_eq!(payments["discarder"], paid(from));
    } else {
        let mut others = win.payments.players().others(win.winner).filter(|seat| *seat != dealer);
        assert_eq!(payments["dealer"], if win.winner == dealer { Value::Null } else { paid(dealer) });
        assert!(others.all(|seat| payments["others"] == paid(seat)), "{payments}");
    }
}

/// Puts tiles to indexes of a wall, and the tiles that were there elsewhere. Takes a plain tile for
/// a red five, and the other way round, if there is no other; leaves out tiles that are all placed.
pub fn arrange(wall: &Wall, placed: &[(usize, Tile)], rules: &Rules) -> Wall {
    let mut tiles = wall.tiles().to_vec();
    let mut fixed: Vec<usize> = Vec::new();
    for (index, tile) in placed {
        let free = |at: &usize| !fixed.contains(at);
        let same = (0..tiles.len()).filter(free).find(|at| tiles[*at] == *tile);
        let alike = || (0..tiles.len()).filter(free).find(|at| tiles[*at].kind() == tile.kind());
        if let Some(at) = same.or_else(alike) {
            tiles.swap(*index, at);
            fixed.push(*index);
        }
    }
    Wall::from_tiles(&tiles, rules).expect("the tiles of the set")
}

/// The index of a dealt tile: the `nth` of the player who sits `steps` after the dealer.
pub fn dealt(steps: usize, nth: usize, players: usize) -> usize {
    if nth == 12 { 12 * players + steps } else { 4 * players * (nth / 4) + 4 * steps + nth % 4 }
}
