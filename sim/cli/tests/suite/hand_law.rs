//! A law of `hand`: under every rule set, it pays as the game does, and it refuses the same wins.

use std::collections::BTreeMap;

use jantaku_agents::{Greedy, Policy as _};
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_engine::{
    Action, ActionId, Declare, Event, Game, Observation, Rng, Round, Rules, Standing, Tile, TileKind, Wall,
    notation,
};
use serde_json::Value;

use crate::hand_game::{agree, arrange, ask, dealt, question};
use crate::sizes::LAW_HANDS;

/// Rule sets that no preset covers, as changes of a preset.
const VARIANTS: [&str; 17] = [
    "base = 'tenhou'\natozuke = 'Nashi'",
    "base = 'ema-2008'\natozuke = 'Nashi'\nshibari = [[1, 2], [3, 4]]",
    "base = 'tenhou'\ndora = false\nkan_dora_on = false",
    "base = 'mjsoul'\nkan_ura = false",
    "base = 'tenhou'\nopen_riichi = 'OneHan'",
    "base = 'mjsoul'\nopen_riichi = 'YakumanFromOthers'\nmin_yaku = 2",
    "base = 'tenhou-sanma'\nkita_rinshan_yaku = false\nrinshan_tsumo_fu = false\ntsumo_split = 'Bisect'",
    "base = 'tenhou-sanma'\nnorth = 'Yakuhai'\npao_tsumo_total = 'RonValue'",
    "base = 'tenhou'\nscoring_mode = 'Aotenjou'",
    "base = 'tenhou'\nrenhou = { HanAdd = 5 }\nopen_pinfu = 'Twenty'\npinfu_tsumo = 'none'",
    "base = 'tenhou'\nrenhou = { HanAlone = 4 }\ndouble_wind_pair_fu = 2",
    "base = 'mjsoul'\npao = ['daisangen', 'daisuushii', 'suukantsu']\npao_counts_ankan = true\ndaiminkan_pao = true",
    "base = 'tenhou'\npao = ['daisangen', 'daisuushii', 'suukantsu']\npao_ron_honba = 'Discarder'",
    "base = 'tenhou'\naka = { m = 2, p = 4, s = 0 }\nmulti_ron_sticks = 'OwnBackThenNearest'",
    "base = 'tenhou'\nankan_rob = 'KokushiOnly'\nyakuman_stack = false\nkazoe = 'Sanbaiman'\nmax_yakuman = 1",
    "base = 'tenhou'\nstart_indicators = 3\nriichi_stick = 500\ndouble_round_wind = true\nmulti_ron_sticks = 'Shared'",
    "base = 'tenhou'\nkuitan = false\nkiriage = true\nhonba_ron = 1500\nhonba_tsumo = 500",
];

/// Hands dealt in some games, so that rare wins and liability occur.
const DEALT: [&str; 9] = [
    "19m19p19s1234567z",
    "123p456p789s1122z",
    "1112345678999p",
    "223344p556677s8s",
    "55667799p23445s",
    "556677z234p5699s",
    "11223344z456p99s",
    "111444p999s111m1s",
    "147p258s19m12345z",
];

/// The number of hands under each rule set.
fn hands() -> u64 {
    LAW_HANDS.get().into()
}

fn rule_sets() -> Vec<Rules> {
    let local: Vec<String> =
        jantaku_engine::Yaku::all().filter(|yaku| yaku.is_local()).map(|yaku| format!("'{yaku}'")).collect();
    let local = format!("base = 'tenhou'\nlocal_yaku = [{}]", local.join(", "));
    let variants = VARIANTS.into_iter().chain([local.as_str()]);
    let variants = variants.map(|text| Rules::from_toml(text, text).unwrap_or_else(|e| panic!("{e}")));
    PRESETS.iter().map(Preset::rules).chain(variants).collect()
}

#[test]
fn hand_answers_what_the_game_pays() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for rules in rule_sets() {
        for seed in 0..hands() {
            play(&rules, seed, &mut counts);
        }
    }
    // Every fact occurs in some wins.
    let facts = "tsumo ron open_riichi ippatsu haitei rinshan kita_replacement chankan first_turn riichi_tile after_kan \
        discarder_riichi dealer_wins kita honba ura pao riichi_sticks double refused";
    for fact in facts.split_whitespace() {
        assert!(hands() < 200 || counts.get(fact).is_some_and(|count| *count > 0), "{fact}: {counts:?}");
    }
}

/// Plays a hand, and compares its wins and refusals with the answers.
fn play(rules: &Rules, seed: u64, counts: &mut BTreeMap<String, u32>) {
    let mut rng = Rng::new(seed);
    let standing = Standing {
        round: rng.below(8) as u16,
        honba: rng.below(7) as u16,
        sticks: rng.below(3) as u16,
        dealer_wins: rng.below(9) as u8,
        ..Standing::start(rules)
    };
    let mut events = Vec::new();
    let wall = wall(rules, seed, &mut rng);
    let mut game = Game::at(rules, seed, &standing, Some(wall), &mut events).expect("a wall of the rules");
    while !game.is_over() && !events.iter().any(|event| matches!(event, Event::HandEnd(_))) {
        let before = game.round().clone();
        refusals_agree(&before, counts);
        for (seat, _) in game.decisions().collect::<Vec<_>>() {
            let action = choose(&game.observe(seat), &mut rng);
            game.submit_seen(seat, action, &mut events).expect("a legal action");
        }
        if let Some(Event::HandEnd(outcome)) = events.iter().find(|e| matches!(e, Event::HandEnd(_))) {
            agree(&before, outcome).iter().for_each(|question| count(question, counts));
        }
    }
}

/// Counts the facts of a win.
fn count(question: &Value, counts: &mut BTreeMap<String, u32>) {
    for (key, value) in question.as_object().expect("an object") {
        let holds = match value {
            Value::Bool(holds) => *holds,
            Value::Number(number) => number.as_u64() > Some(0),
            Value::Array(list) => !list.is_empty(),
            Value::Object(entries) => !entries.is_empty(),
            Value::String(_) | Value::Null => false,
        };
        *counts.entry(key.clone()).or_default() += u32::from(holds);
    }
    for key in ["by", "riichi"] {
        *counts.entry(question[key].as_str().unwrap_or("").to_owned()).or_default() += 1;
    }
}

/// The player in turn may declare tsumo if and only if `hand` has a score.
fn refusals_agree(round: &Round, counts: &mut BTreeMap<String, u32>) {
    let turn = round.table().turn();
    let Some(drawn) = round.private(turn).drawn().filter(|_| round.pending().contains(turn)) else { return };
    let may_win = round.observe(turn).legal().contains(Action::Tsumo.id());
    if may_win || round.private(turn).waits().contains(drawn.kind()) {
        let rules = round.table().rules();
        let question = question(round, turn, drawn, None);
        let answer = ask(&question, rules);
        let agrees = answer["score"].is_null() != may_win && answer["no_score"].is_null() == may_win;
        assert!(agrees, "{question}\n{answer}\n{}", rules.to_toml());
        *counts.entry("refused".to_owned()).or_default() += u32::from(!may_win);
    }
}

/// A wall at random. In every other hand, one player is dealt one of [`DEALT`], and the first draws
/// complete it.
fn wall(rules: &Rules, seed: u64, rng: &mut Rng) -> Wall {
    let wall = Wall::of_hand(seed, 0, 0, 0, rules);
    if rng.below(2) == 0 {
        return wall;
    }
    let players = usize::from(rules.players.count());
    let hand = notation::parse_tiles(DEALT[rng.below(DEALT.len())]).expect("notation");
    let steps = rng.below(players);
    let mut placed: Vec<(usize, Tile)> =
        hand.iter().enumerate().map(|(nth, tile)| (dealt(steps, nth, players), *tile)).collect();
    let more: Vec<Tile> = (0..8).map(|_| hand[rng.below(hand.len())]).collect();
    placed.extend(more.into_iter().enumerate().map(|(nth, tile)| (13 * players + 2 * nth, tile)));
    arrange(&wall, &placed, rules)
}

/// Wins, usually declares kans, kita, open riichi and pon of honours, and otherwise plays like
/// `greedy`.
fn choose(o: &Observation<'_>, rng: &mut Rng) -> Action {
    let offered = o.table().offer().map(|offer| offer.tile.kind());
    let pon = offered.is_some_and(TileKind::is_honour) || rng.below(8) == 0;
    let is_rare = |action: &Action| match action {
        Action::Daiminkan | Action::Kan { .. } | Action::Kita => true,
        Action::Pon { .. } => pon,
        Action::Discard { declare, .. } | Action::Tsumogiri { declare } => *declare == Declare::OpenRiichi,
        _ => false,
    };
    let legal = || o.legal().iter().map(ActionId::action);
    let wins = legal().any(|action| matches!(action, Action::Tsumo | Action::Ron));
    let rare: Vec<Action> = legal().filter(is_rare).collect();
    if !wins && !rare.is_empty() && rng.below(3) > 0 {
        return rare[rng.below(rare.len())];
    }
    Greedy::default().choose(o, rng)
}
