//! `hand` and the game agree: asked with the facts of a win, `hand` answers with the payments of
//! the game.

use jantaku_engine::{
    Action, Declare, DrawSource, Event, Game, Limit, OfferKind, Outcome, Round, Rules, Seat, Standing, Tile,
    Wall, WonHand, notation,
};
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
pub fn question_of(round: &Round, win: &WonHand, collects_honba: bool) -> Value {
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
pub fn score_of(win: &WonHand, round: &Round) -> Value {
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

fn tiles(text: &str) -> Vec<Tile> {
    notation::parse_tiles(text).unwrap_or_else(|e| panic!("{e}"))
}

fn rules(text: &str) -> Rules {
    Rules::from_toml(text, "the test").unwrap_or_else(|e| panic!("{e}"))
}

/// A hand to be played: the tiles that matter, in the layout of Tenhou.
#[derive(Default)]
struct Deal<'a> {
    /// The seat after the dealer, and the tiles dealt to it.
    hand: (usize, &'a str),
    /// The first live tiles, one text each.
    draws: &'a [&'a str],
    /// Dora indicators, ura indicators and replacement tiles in order.
    dora: &'a str,
    ura: &'a str,
    rinshan: &'a str,
    honba: u16,
}

/// A step of a seat: it is taken at the first decision where it is legal.
type Step = (usize, Action);

/// Plays a hand. Without a step, players pass and discard the drawn tile. Returns the hand as it
/// was before the last decision, and how it ended.
fn play(deal: &Deal<'_>, steps: &[Step], rules: &Rules) -> (Round, Outcome) {
    let players = usize::from(rules.players.count());
    let mut placed: Vec<(usize, Tile)> = Vec::new();
    let hand = tiles(deal.hand.1).into_iter().enumerate();
    placed.extend(hand.map(|(nth, tile)| (dealt(deal.hand.0, nth, players), tile)));
    let draws = deal.draws.iter().enumerate();
    placed.extend(draws.map(|(nth, tile)| (13 * players + nth, tiles(tile)[0])));
    for (first, text) in [(130, deal.dora), (131, deal.ura)] {
        placed.extend(tiles(text).into_iter().enumerate().map(|(k, tile)| (first - 2 * k, tile)));
    }
    placed.extend([134, 135, 132, 133].into_iter().zip(tiles(deal.rinshan)));
    let wall = arrange(&Wall::of_hand(7, 0, 0, 0, rules), &placed, rules);
    let standing = Standing { honba: deal.honba, ..Standing::start(rules) };
    let mut events = Vec::new();
    let mut game = Game::at(rules, 7, &standing, Some(wall), &mut events).expect("a wall of the rules");
    let mut steps = steps.iter().peekable();
    loop {
        let before = game.round().clone();
        for (seat, legal) in game.decisions().collect::<Vec<_>>() {
            let step = steps.next_if(|(who, action)| *who == seat.index() && legal.contains(action.id()));
            let pass = if legal.contains(Action::Pass.id()) { Action::Pass } else { TSUMOGIRI };
            game.submit_seen(seat, step.map_or(pass, |(_, action)| *action), &mut events)
                .unwrap_or_else(|e| panic!("{e}"));
        }
        let end = events.iter().find_map(|event| match event {
            Event::HandEnd(outcome) => Some(outcome.clone()),
            _ => None,
        });
        if let Some(outcome) = end {
            return (before, outcome);
        }
    }
}

const TSUMOGIRI: Action = Action::Tsumogiri { declare: Declare::Nothing };

/// Plays a hand that ends with a win of South, compares it with the answer, and returns the
/// question.
fn won(deal: &Deal<'_>, steps: &[Step], rules: &Rules) -> Value {
    let (round, outcome) = play(deal, steps, rules);
    let winners: Vec<usize> = outcome.wins().iter().map(|win| win.winner.index()).collect();
    assert_eq!(winners, [deal.hand.0], "{outcome:?}");
    agree(&round, &outcome).remove(0)
}

/// Plays a hand without a winner.
fn nobody_wins(deal: &Deal<'_>, steps: &[Step], rules: &Rules) {
    let (_, outcome) = play(deal, steps, rules);
    assert!(outcome.wins().is_empty(), "{outcome:?}");
}

fn refused(question: &Value, key: &str, value: Value, rules: &Rules, error: &str) {
    let mut question = question.clone();
    question[key] = value;
    assert_eq!(ask(&question, rules)["error"], error, "{question}");
}

fn no_score(question: &Value, rules: &Rules, reason: &str) {
    let answer = ask(question, rules);
    assert_eq!((&answer["score"], &answer["no_score"]), (&Value::Null, &json!(reason)), "{answer}");
    assert_eq!(answer["error"], Value::Null);
}

fn kan(tile: &str) -> Action {
    Action::Kan { kind: tiles(tile)[0].kind() }
}

fn discard(tile: &str) -> Action {
    Action::Discard { tile: tiles(tile)[0], declare: Declare::Nothing }
}

/// South waits for 1m and 4m, and has tanyao with 4m alone.
#[test]
fn without_atozuke_every_wait_needs_a_yaku() {
    let deal = Deal { hand: (1, "23m456m333p678s88p"), draws: &["4m"], ..Deal::default() };
    let (ari, nashi) = (rules("base = 'tenhou'"), rules("base = 'tenhou'\natozuke = 'Nashi'"));
    let question = won(&deal, &[(1, Action::Ron)], &ari);
    nobody_wins(&deal, &[(1, Action::Ron)], &nashi);
    let reason = "every wait needs a yaku (atozuke), and 1m gives none without luck";
    no_score(&question, &nashi, reason);
    let pinfu = Deal { hand: (1, "23m456m345p678s99s"), ..deal };
    won(&pinfu, &[(1, Action::Ron)], &nashi);
}

#[test]
fn rules_without_dora_have_no_indicators() {
    let rules = rules("base = 'tenhou'\ndora = false\nkan_dora_on = false\nkan_ura = false");
    let deal = Deal { hand: (1, "23m456m345p678s99s"), draws: &["4m"], dora: "3m", ..Deal::default() };
    let question = won(&deal, &[(1, Action::Ron)], &rules);
    assert_eq!(question["dora"], json!([]));
    refused(&question, "dora", json!("3m"), &rules, "`dora`: these rules have no dora indicators");
}

/// South makes an ankan and wins on the replacement tile.
#[test]
fn rules_without_kan_dora_have_one_indicator() {
    let deal = Deal {
        hand: (1, "111z23m456m345p99s"),
        draws: &["7z", "1z"],
        dora: "3m7p",
        rinshan: "4m",
        ..Deal::default()
    };
    let steps = [(1, kan("1z")), (1, Action::Tsumo)];
    let (tenhou, jpml) = (rules("base = 'tenhou'"), rules("base = 'jpml-a'"));
    assert_eq!(won(&deal, &steps, &tenhou)["dora"], json!(["3m", "7p"]));
    let question = won(&deal, &steps, &jpml);
    assert_eq!(question["dora"], json!(["3m"]));
    let error = "`dora`: 2 indicators, expected one: these rules have no kan dora";
    refused(&question, "dora", json!(["3m", "7p"]), &jpml, error);
    refused(&question, "ura", json!("1p"), &jpml, "`ura`: these rules have no ura dora");
}

/// More than those of the deal need kan dora, and a kan for each.
#[test]
fn the_number_of_indicators_is_that_of_the_rules() {
    let question = json!({ "hand": "23m456m345p678s99s+4m", "riichi": true });
    let (two, fixed) = ("base = 'tenhou'\nstart_indicators = 2", "\nkan_dora_on = false\nkan_ura = false");
    let (two, fixed) = (rules(two), rules(&format!("{two}{fixed}")));
    let error = "`dora`: 6 indicators, expected at most 5: 2, and one for each kan";
    refused(&question, "dora", json!("112233z"), &two, error);
    let error = "`ura`: 3 indicators, expected at most 2: one under each dora indicator";
    refused(&question, "ura", json!("112z"), &two, error);
    let error = "`dora`: 3 indicators, expected 2: these rules have no kan dora";
    refused(&question, "dora", json!("112z"), &fixed, error);
    let error = "`ura`: 3 indicators, expected 2: these rules have no kan ura dora";
    refused(&question, "ura", json!("112z"), &fixed, error);
}

/// South makes an ankan, declares riichi and wins.
#[test]
fn ura_indicators_are_those_of_the_rules() {
    let deal = Deal {
        hand: (1, "111z23m456m345p99s"),
        draws: &["7z", "1z", "4m"],
        dora: "3m7p",
        ura: "8s8s",
        rinshan: "6z",
        ..Deal::default()
    };
    let steps = [(1, kan("1z")), (1, Action::Tsumogiri { declare: Declare::Riichi }), (1, Action::Ron)];
    let (one, two) = (rules("base = 'tenhou'\nkan_ura = false"), rules("base = 'tenhou'"));
    let question = won(&deal, &steps, &two);
    assert_eq!(question["ura"], json!(["8s", "8s"]));
    let error = "`ura`: 3 indicators, expected at most 2: one under each dora indicator";
    refused(&question, "ura", json!("8s8s1p"), &two, error);
    refused(&question, "riichi", json!(false), &two, "`ura`: needs riichi");
    let question = won(&deal, &steps, &one);
    assert_eq!(question["ura"], json!(["8s"]));
    let error = "`ura`: 2 indicators, expected one: these rules have no kan ura dora";
    refused(&question, "ura", json!("8s8s"), &one, error);
}

/// South has one han, and five honba require two.
#[test]
fn honba_raise_the_minimum() {
    let rules = rules("base = 'ema-2008'");
    // Not in the first turn, where the win is renhou.
    let draws = ["7z", "6z", "5z", "7s", "4m"];
    let deal = Deal { hand: (1, "23m456m345p678s99s"), draws: &draws, honba: 4, ..Deal::default() };
    let mut question = won(&deal, &[(1, Action::Ron)], &rules);
    nobody_wins(&Deal { honba: 5, ..deal }, &[(1, Action::Ron)], &rules);
    question["honba"] = 5.into();
    no_score(&question, &rules, "a win at 5 honba needs 2 han of yaku");
}

#[test]
fn a_local_yaku_needs_no_shape() {
    let local = rules("base = 'tenhou'\nlocal_yaku = ['shiisanpuutaa']");
    let deal = Deal { hand: (0, "147m258p369s1123z"), draws: &["4z"], ..Deal::default() };
    let question = won(&deal, &[(0, Action::Tsumo)], &local);
    let answer = ask(&question, &local);
    assert_eq!(answer["score"]["yaku"], json!([{"name": "shiisanpuutaa", "han": 0}]));
    assert!(answer["shanten"]["best"].as_i64() > Some(3), "{answer}");
    nobody_wins(&deal, &[(0, Action::Tsumo)], &Rules::default());
    assert_eq!(ask(&question, &Rules::default())["no_score"], Value::Null, "the hand is not complete");
}

#[test]
fn red_fives_are_those_of_the_set() {
    for (name, reds) in [("tenhou", 1), ("tenhou-noaka", 0), ("saki", 2)] {
        let rules = rules(&format!("base = '{name}'"));
        let wall = Wall::of_hand(7, 0, 0, 0, &rules);
        assert_eq!(wall.tiles().iter().filter(|tile| tile.to_string() == "0p").count(), reds);
        let hand = |fives: &str| json!({ "hand": format!("34m567m34{fives}p678s+2m") });
        assert_eq!(ask(&hand("555"), &rules)["error"], Value::Null);
        let error = match reds {
            0 => "`hand`: found 0p, but these rules have no red five of this suit".to_owned(),
            _ => format!("`hand`: found 0p {} times, but these rules have {reds}", reds + 1),
        };
        let more = "0".repeat(reds + 1) + &"5".repeat(2 - reds);
        assert_eq!(ask(&hand(&more), &rules)["error"], error);
    }
    let rules = rules("base = 'tenhou'");
    let question = json!({ "hand": "34m567m340p678s99s+2m", "dora": "0p" });
    assert_eq!(ask(&question, &rules)["error"], "`dora`: found 0p 2 times, but these rules have 1");
}

/// South claims a triplet of each dragon, the last one from West.
#[test]
fn liability_is_paid_as_in_the_game() {
    let draws = ["5z", "6z", "7z", "1s"];
    let deal = Deal { hand: (1, "234m567p1s556677z"), draws: &draws, honba: 1, ..Deal::default() };
    let later = ["5z", "6z", "7z", "9m", "1s"];
    let from_north = Deal { draws: &later, ..deal };
    let own = ["5z", "6z", "7z", "9m", "8m", "2z", "1s"];
    let own = Deal { draws: &own, ..deal };
    let pon = Action::Pon { reds: 0 };
    let mut steps =
        vec![(1, pon), (1, discard("5p")), (1, pon), (1, discard("6p")), (1, pon), (1, discard("7p"))];
    for name in ["tenhou", "ema-2016", "majiang-default", "mleague", "tenhou-noaka"] {
        let rules = rules(&format!("base = '{name}'"));
        for (deal, last) in [(&deal, Action::Ron), (&from_north, Action::Ron), (&own, Action::Tsumo)] {
            steps.push((1, last));
            let question = won(deal, &steps, &rules);
            steps.pop();
            assert_eq!(question["pao"], json!({"daisangen": "W"}), "{name}");
            // The same player by side; without liability, others pay.
            let mut side = question.clone();
            side["pao"] = json!({"daisangen": "right"});
            assert_eq!(ask(&side, &rules), ask(&question, &rules));
            side["pao"] = Value::Null;
            let without = ask(&side, &rules)["score"]["payments"]["by_seat"].clone();
            let by_seat = &ask(&question, &rules)["score"]["payments"]["by_seat"];
            assert_eq!(without == *by_seat, question["from"] == "W", "{name}: {by_seat}");
        }
    }
}

/// The payments of a rule book: daisangen and tsuuiisou of South, with one honba, West liable.
#[test]
fn liability_has_the_payments_of_the_rule_books() {
    let by_seat = |name: &str, from: Value| {
        let by = if from.is_null() { "tsumo" } else { "ron" };
        let question = json!({
            "hand": "1122z[555z][666z][777z]+1z", "by": by, "from": from, "honba": 1, "pao": {"daisangen": "W"},
        });
        ask(&question, &rules(&format!("base = '{name}'")))["score"]["payments"]["by_seat"].clone()
    };
    assert_eq!(by_seat("tenhou", Value::Null), json!([0, 64_300, -64_300, 0]));
    assert_eq!(by_seat("mjsoul", Value::Null), json!([-16_000, 64_300, -40_300, -8000]));
    assert_eq!(by_seat("tenhou", json!("N")), json!([0, 64_300, -32_300, -32_000]));
    assert_eq!(by_seat("mjsoul", json!("left")), json!([-48_000, 64_300, -16_300, 0]));
    assert_eq!(by_seat("ema-2016", json!("N")), json!([0, 32_300, -16_000, -16_300]));
}

/// South makes a daiminkan of West's discard and wins on the replacement tile.
#[test]
fn a_daiminkan_is_liable_under_some_rules() {
    let deal = Deal {
        hand: (1, "222z23m456m345p99s"),
        draws: &["7z", "6z", "2z"],
        rinshan: "4m",
        ..Deal::default()
    };
    let steps = [(1, Action::Daiminkan), (1, Action::Tsumo)];
    let question = won(&deal, &steps, &rules("base = 'riichi-city'"));
    assert_eq!(question["pao"], json!({"daiminkan": "W"}));
    let tenhou = Rules::default();
    assert_eq!(won(&deal, &steps, &tenhou)["pao"], json!({}));
    let error = "`pao`: these rules have no liability for daiminkan";
    refused(&question, "pao", json!({"daiminkan": "W"}), &tenhou, error);
}
