//! The documented behaviours of `greedy`, one scenario each.

mod scene;

use jantaku_agents::{Greedy, Policy};
use jantaku_engine::rules::options::{Yame, YameCondition};
use jantaku_engine::{Action, Event, Game, HandEnd, Phase, Rules, Tile, TileKind};
use scene::{Play, Scene};

const GREEDY: Greedy = Greedy { calls: true };

/// The dealer's choice with these tiles, the last one drawn.
fn turn(hand: &str, drawn: &str) -> String {
    Scene::new().hand("E", hand).draws(drawn).start().choice("E", &GREEDY)
}

/// The decision of the player after the dealer, who discards this tile.
fn offer(hand: &str, discard: &str) -> Play {
    Scene::new().hand("S", hand).draws(discard).start().then("E", "tsumogiri")
}

/// The choice in such a decision.
fn claim(hand: &str, discard: &str) -> String {
    offer(hand, discard).choice("S", &GREEDY)
}

/// Two sequences, two incomplete sequences and a pair: 1-shanten, and two tiles are missing.
const ONE_SHANTEN: &str = "234m567m34p68s99s";

#[test]
fn wins_whenever_it_can() {
    assert_eq!(turn("234m567m345p678s5s", "5s"), "tsumo");
    assert_eq!(claim("234m567m345p678s5s", "5s"), "ron");
}

#[test]
fn declares_riichi_whenever_it_can() {
    assert_eq!(turn("234m567m345p67s55s", "9m"), "riichi tsumogiri 9m");
}

#[test]
fn discards_for_the_least_shanten() {
    // Only 6s keeps the hand tenpai; 1s would leave more ukeire. The player has no points for
    // riichi.
    let scene = Scene::new().hand("E", "123m456m789p12s99s").draws("6s").scores([500; 4]);
    assert_eq!(scene.start().choice("E", &GREEDY), "tsumogiri 6s");
}

#[test]
fn prefers_more_ukeire_among_discards_of_equal_shanten() {
    // 5s leaves a wait for four 8s; 9s leaves a wait for two 6s.
    assert_eq!(turn("234m567m345p66s57s", "9s"), "riichi discard 5s");
}

#[test]
fn keeps_dora_among_discards_of_equal_ukeire() {
    let choice = |indicator: &str| {
        let scene = Scene::new().hand("E", &format!("{ONE_SHANTEN}1z")).draws("7z").dora(indicator);
        scene.start().choice("E", &GREEDY)
    };
    assert_eq!(choice("9m"), "discard 1z");
    assert_eq!(choice("4z"), "tsumogiri 7z");
    // A dora does not outweigh ukeire.
    let scene = Scene::new().hand("E", "234m567m34p668s99s").draws("7z").dora("6z");
    assert_eq!(scene.start().choice("E", &GREEDY), "tsumogiri 7z");
}

#[test]
fn keeps_middle_tiles_among_discards_of_equal_dora() {
    for (hand, drawn, choice) in [
        ("9p", "2s", "discard 9p"),
        ("9p", "4z", "tsumogiri 4z"),
        ("2s", "7z", "discard 2s"),
        // The wind of the next player goes first.
        ("4z", "2z", "tsumogiri 2z"),
    ] {
        assert_eq!(turn(&format!("{ONE_SHANTEN}{hand}"), drawn), choice, "{hand} {drawn}");
    }
}

#[test]
fn discards_a_plain_five_before_a_red_one_and_the_drawn_tile_before_an_equal_one() {
    // Both 4s and 5s leave a wait for six tiles, but 4s is dora.
    let choice = |suit: &str, drawn: &str| {
        let scene = Scene::new().hand("E", &format!("123m789m123p{suit}")).draws(drawn).dora("3s");
        scene.start().choice("E", &GREEDY)
    };
    assert_eq!(choice("4567s", "0s"), "riichi discard 5s");
    assert_eq!(choice("4067s", "5s"), "riichi tsumogiri 5s");
    assert_eq!(choice("4567s", "5s"), "riichi tsumogiri 5s");
}

#[test]
fn calls_if_the_shanten_falls_and_a_yaku_stays_possible() {
    let tanyao = "346m678p45p678s55s";
    assert_eq!(claim(tanyao, "3p"), "chi 45p");
    assert_eq!(claim(tanyao, "7p"), "pass", "the shanten does not fall");
    assert_eq!(claim("134m789p45p123s99s", "3p"), "pass", "no yaku is possible");
    assert_eq!(claim("134m789p123s99s55z", "5z"), "pon 55z", "yakuhai");
    assert_eq!(claim("112345668m11p33z", "7m"), "chi 68m", "honitsu");
    assert_eq!(claim("111m444s99p33s7p44z", "9p"), "pon 99p", "toitoi");
}

#[test]
fn keeps_closed_hands_if_calls_are_off() {
    assert_eq!(offer("346m678p45p678s55s", "3p").choice("S", &Greedy { calls: false }), "pass");
}

#[test]
fn never_makes_a_daiminkan() {
    let play = offer("34m789p123s99s555z", "5z");
    assert!(play.is_legal("S", Action::Daiminkan));
    assert_eq!(play.choice("S", &GREEDY), "pass");
}

#[test]
fn declares_a_kan_unless_the_shanten_rises() {
    assert_eq!(turn("555z234m567p99s68s", "5z"), "kan 5z");
    // Without the fourth 3m, 45m is no sequence.
    let play = Scene::new().hand("E", "333m45m678p23s99s1z").draws("3m").start();
    let three: Tile = "3m".parse().expect("a tile");
    assert!(play.is_legal("E", Action::Kan { kind: three.kind() }));
    assert_eq!(play.choice("E", &GREEDY), "riichi discard 1z");
    // A kakan.
    let scene = Scene::new().hand("S", "134m789p123s99s55z").draws("5z _ _ _ 5z");
    let play = scene.start().then("E", "tsumogiri").then("S", "pon 55z").then("S", "discard 1m");
    let play = play.until("S", Phase::Turn);
    assert!(play.is_legal("S", Action::Kan { kind: TileKind::WHITE }));
    assert_eq!(play.choice("S", &GREEDY), "kan 5z");
}

#[test]
fn sets_norths_aside() {
    let rules = Rules::preset("tenhou-sanma").expect("a preset");
    let scene = Scene::under(&rules).hand("E", "123p456p789s1155z").draws("4z");
    assert_eq!(scene.start().choice("E", &GREEDY), "kita");
}

#[test]
fn declares_kyuushu_kyuuhai_at_four_shanten_or_more() {
    let name = Action::KyuushuKyuuhai.to_string();
    assert_eq!(turn("19m19p19s123z258m6p", "3s"), name);
    // One more yaochuu kind is 3-shanten for thirteen orphans.
    let play = Scene::new().hand("E", "19m19p19s1234z258m").draws("6p").start();
    assert!(play.is_legal("E", Action::KyuushuKyuuhai));
    assert_ne!(play.choice("E", &GREEDY), name);
}

#[test]
fn shows_a_tenpai_hand_at_an_exhaustive_draw() {
    let rules = Rules { noten_declaration: true, ..Rules::default() };
    let scene = Scene::under(&rules).hand("S", "234m567m345p678s5s");
    let play = scene.start().until("S", Phase::Draw);
    assert!(play.is_legal("S", Action::KeepClosed));
    assert_eq!(play.choice("S", &GREEDY), "pass");
}

#[test]
fn ends_the_game_if_it_is_first() {
    let (agari_yame, tenpai_yame, yame_condition) = (Yame::Choice, Yame::Off, YameCondition::TeamLeads);
    let rules = Rules { agari_yame, tenpai_yame, yame_condition, ..Rules::default() };
    let choice = |scores| {
        let scene = Scene::under(&rules).hand("E", "234m567m345p678s5s").draws("5s").round(7).scores(scores);
        scene.start().then("E", "tsumo").until("E", Phase::End).choice("E", &GREEDY)
    };
    assert_eq!(choice([40_000, 20_000, 20_000, 20_000]), "end game");
    assert_eq!(choice([0, 100_000, 20_000, 20_000]), "pass");
}

#[test]
fn wins_most_hands_in_self_play_and_calls_only_if_allowed() {
    for calls in [true, false] {
        let mut events: Vec<Event> = Vec::new();
        for seed in 0..20 {
            let mut game = Game::new_seen(&Rules::default(), seed, &mut events);
            while !game.is_over() {
                let (seat, _) = game.decisions().next().expect("a seat has to decide");
                let action = Greedy { calls }.choose(&game.observe(seat), &mut game.random_stream(seat, 0));
                game.submit_seen(seat, action, &mut events).expect("greedy answers legally");
            }
        }
        let ends = events.iter().filter_map(|event| match event {
            Event::HandEnd(outcome) => Some(&outcome.end),
            _ => None,
        });
        let wins = ends.clone().filter(|end| matches!(end, HandEnd::Win(_))).count();
        let hands = ends.count();
        assert!(wins * 2 > hands, "{wins} of {hands}");
        assert_eq!(events.iter().any(|event| matches!(event, Event::Call { .. })), calls);
    }
}
