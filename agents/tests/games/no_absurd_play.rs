//! The agent `heuristic` avoids plays that no sane player makes.

use jantaku_agents::{Heuristic, Policy};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{
    Action, Declare, Observation, Phase, Players, Position, Riichi, Rules, Seat, Shanten, Tile, TileKind,
    TileSet,
};

use crate::common::each_action_of_heuristic;

/// Plays games of the agent with itself and calls `see` with each decision and the action chosen.
fn play(rules: &Rules, seeds: std::ops::Range<u64>, mut see: impl FnMut(&Observation<'_>, Action)) {
    for seed in seeds {
        each_action_of_heuristic(rules, seed, |game, seat, action| see(&game.observe(seat), action));
    }
}

/// The discarded tile of a turn. None for other actions.
fn discarded(o: &Observation<'_>, action: Action) -> Option<Tile> {
    match action {
        Action::Discard { tile, .. } => Some(tile),
        Action::Tsumogiri { .. } => o.drawn(),
        _ => None,
    }
}

fn in_riichi(o: &Observation<'_>, seat: Seat) -> bool {
    o.side(seat).riichi() != Riichi::None
}

/// The shanten after this discard.
fn shanten_after(o: &Observation<'_>, tile: Tile) -> Shanten {
    let mut hand = o.hand_with_draw();
    hand.remove(tile);
    hand.shanten(o.melds().len())
}

/// Hands that wait for a yakuman, with a useless drawn tile.
const YAKUMAN: [&str; 12] = [
    "19m19p19s1234567z+6p",
    "111222333z4477s+2p",
    "555666z77z234p88s+1p",
    "111m333p666s777z4z+2s",
    "111999p111999s1z+4m",
    "222333444666s8s+3p",
    "1112345679999s+5z",
    "1111345678999s+5z",
    "111p444z999s2255z+7p",
    "111222333z44z78p+9s",
    "111z222z333z44z78p+4z",
    "19m19p1119s13567z+4z",
];

/// A hand that waits for a yakuman stays tenpai without a threat, under every preset with its
/// tiles.
#[test]
fn it_does_not_leave_a_tenpai_for_a_yakuman() {
    let mut asked = 0;
    for preset in PRESETS.iter().filter(|preset| preset.rules().players != Players::Two) {
        let has_middle = preset.rules().kinds().contains(TileKind::from_index(1));
        for hand in YAKUMAN.into_iter().filter(|hand| has_middle || !hand.ends_with("4m")) {
            asked_early(preset.name, hand, |_, o, action| {
                let tile = match action {
                    Action::Kita => Some(Tile::plain(TileKind::NORTH)),
                    _ => discarded(o, action),
                };
                let tile = tile.unwrap_or_else(|| panic!("{hand} {}: {action}", preset.name));
                assert_eq!(shanten_after(o, tile), Shanten::TENPAI, "{hand} under {}: {action}", preset.name);
            });
            asked += 1;
        }
    }
    assert!(asked >= 200, "{asked} positions");
}

/// In riichi only the drawn tile can be discarded, also if it is a red five beside plain ones.
#[test]
fn its_estimates_are_of_legal_actions() {
    let (agent, mut seen) = (Heuristic::default(), 0);
    for rules in ["tenhou", "tenhou-sanma"] {
        let rules = Rules::preset(rules).unwrap_or_else(|| panic!("no preset {rules}"));
        play(&rules, 0..150, |o, _| {
            for candidate in agent.explain(o) {
                assert!(o.legal().contains(candidate.action.id()), "{} in {o:?}", candidate.action);
            }
            let in_riichi = o.side(o.seat()).riichi() != Riichi::None;
            let red = o.drawn().filter(|tile| in_riichi && tile.is_red());
            seen += u32::from(red.is_some_and(|tile| o.hand().count(tile.kind()) > 0));
        });
    }
    assert!(seen > 5, "{seen} red fives drawn in riichi beside plain ones");
}

/// The player who feeds the third triplet of dragons may be liable for daisangen.
#[test]
fn it_keeps_the_last_dragon_from_a_big_hand() {
    let text = "rules = \"tenhou\"\nround = \"E2\"\nindicators = \"3p\"\nseat = \"south\"\n\
         [east]\nriver = \"2p 1p 4p 8s 9m* 1s* 6s*\"\n\
         [south]\nriver = \"1m 9p 1s 5z' 6z' 2m\"\nhand = \"345m246p35678s7z9s+2z\"\n\
         [west]\nriver = \"2s 3s 7m 9m\"\n\
         [north]\nriver = \"8m 9m 8p 1m 1p 2p\"\nmelds = \"[55'5z][66'6z]\"\n";
    asked(text, "two dragons", |_, o, action| {
        let tile = discarded(o, action).unwrap_or_else(|| panic!("{action}"));
        assert_ne!(tile.to_string(), "7z", "{action}");
    });
}

/// Asks the agent in an early turn of South with this hand.
fn asked_early(rules: &str, hand: &str, see: impl FnOnce(&Heuristic, &Observation<'_>, Action)) {
    let players = Rules::preset(rules).unwrap_or_else(|| panic!("no preset {rules}")).players;
    let (indicator, [east, south, west]) = match players {
        Players::Four => ("6m", ["6m 7m 6p 7p", "4m 8m 8p", "6m 7m 8p"]),
        _ => ("6p", ["6p 7p 6p 7p", "8p 5p 4p", "8p 5p 9m"]),
    };
    let north = if players == Players::Four { "[north]\nriver = \"4m 7m 8p\"\n" } else { "" };
    let text = format!(
        "rules = \"{rules}\"\nround = \"E2\"\nindicators = \"{indicator}\"\nseat = \"south\"\n\
         [east]\nriver = \"{east}\"\n[south]\nriver = \"{south}\"\nhand = \"{hand}\"\n\
         [west]\nriver = \"{west}\"\n{north}"
    );
    asked(&text, hand, see);
}

/// Asks the agent in a position.
fn asked(text: &str, hand: &str, see: impl FnOnce(&Heuristic, &Observation<'_>, Action)) {
    let agent = Heuristic::default();
    let position = Position::from_toml(text, hand).unwrap_or_else(|error| panic!("{error}"));
    let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
    let o = game.observe(position.seat());
    let action = agent.choose(&o, &mut game.random_stream(position.seat(), agent.salt()));
    see(&agent, &o, action);
}

/// Riichi adds nothing to a yakuman, warns the others, and costs a stick.
#[test]
fn it_does_not_declare_riichi_with_a_yakuman() {
    for rules in ["tenhou", "mjsoul"] {
        for hand in
            ["19m19p19s1234567z+6p", "111m333p666s777z4z+2s", "222333444666s8s+3p", "1112345678999p+2s"]
        {
            asked_early(rules, hand, |_, _, action| {
                let is_riichi = matches!(
                    action,
                    Action::Discard { declare: Declare::Riichi, .. }
                        | Action::Tsumogiri { declare: Declare::Riichi }
                );
                assert!(!is_riichi, "{hand} under {rules}: {action}");
            });
        }
    }
}

/// An ankan of terminals takes the only yaku from an open hand for tanyao.
#[test]
fn it_declares_no_kan_that_takes_its_only_yaku() {
    let kan = |called: &str, melds: &str| {
        let text = format!(
            "rules = \"tenhou\"\nround = \"E2\"\nindicators = \"6m\"\nseat = \"south\"\n\
             [east]\nriver = \"6m 7m {called} 5s' 6p\"\n\
             [south]\nriver = \"4m 8m 8p 9p\"\nhand = \"111m55p67m+1m\"\nmelds = \"{melds} [5'67s]\"\n\
             [west]\nriver = \"6m 7m 8p 9p\"\n[north]\nriver = \"4m 7m 8p 9p\"\n"
        );
        let mut is_kan = false;
        asked(&text, melds, |_, _, action| is_kan = matches!(action, Action::Kan { .. }));
        is_kan
    };
    assert!(!kan("2p'", "[2'34p]"));
    assert!(kan("5z'", "[5'55z]"), "a triplet of dragons is a yaku of its own");
}

/// Without ippatsu and ura dora, riichi adds little more than its han.
#[test]
fn points_in_riichi_follow_the_rules() {
    let points = |rules: &str| {
        let mut found = 0.0;
        asked_early(rules, "23m456m345p678s99s+1z", |agent, o, _| {
            let is_riichi = |action: Action| action.id().action().to_string().contains("riichi");
            let candidates = agent.explain(o);
            let riichi = candidates.iter().find(|candidate| is_riichi(candidate.action));
            found = riichi.expect("riichi is legal").points;
        });
        found
    };
    let (usual, plain) = (points("tenhou"), points("jpml-a"));
    assert!(plain < 0.8 * usual, "{plain} and {usual}");
}

/// A closed tenpai hand with six unseen winning tiles is broken at most once in 20 times while no
/// other player is in riichi or has called.
#[test]
fn it_keeps_a_good_tenpai_while_nobody_threatens() {
    let (mut kept, mut left) = (0, 0);
    play(&Rules::default(), 0..200, |o, action| {
        let mut others = o.rules().players.others(o.seat());
        let calm = others.all(|other| !in_riichi(o, other) && o.side(other).melds().is_empty());
        let hand = o.hand_with_draw();
        let is_turn = o.phase() == Phase::Turn && !in_riichi(o, o.seat());
        if !is_turn || !calm || o.melds().are_open() || o.live() < 24 {
            return;
        }
        let options = hand.discard_options(o.melds().len());
        let live = |kinds: TileSet| o.unseen().count(kinds) >= 6;
        let good = options.as_slice().iter().any(|x| x.shanten == Shanten::TENPAI && live(x.ukeire));
        if let Some(tile) = discarded(o, action).filter(|_| good) {
            let keeps = shanten_after(o, tile) == Shanten::TENPAI;
            *(if keeps { &mut kept } else { &mut left }) += 1;
        }
    });
    assert!(kept > 120 && left * 20 <= kept, "kept {kept}, left {left}");
}

/// A red five stays while the hand has a plain one, under every preset.
#[test]
fn it_discards_plain_fives_before_red_ones() {
    for preset in PRESETS {
        let rules = Rules { hands_limit: Maybe(Some(8)), ..preset.rules() };
        play(&rules, 0..4, |o, action| {
            if let Action::Discard { tile, .. } = action
                && tile.is_red()
            {
                let hand = o.hand_with_draw();
                let fives = hand.count(tile.kind());
                assert_eq!(hand.reds_of(tile.kind()), fives, "{} under {}", o.describe(action), preset.name);
            }
        });
    }
}

/// Far from tenpai against riichi, a hand with genbutsu discards one, or a tile that is equally safe.
#[test]
fn it_folds_bad_hands_against_riichi() {
    let agent = Heuristic::default();
    let (mut safe, mut all) = (0, 0);
    play(&Rules::default(), 0..60, |o, action| {
        let riichi = o.rules().players.others(o.seat()).find(|other| in_riichi(o, *other));
        let (Some(riichi), Some(tile)) = (riichi, discarded(o, action)) else { return };
        let hand = o.hand_with_draw();
        if hand.shanten(o.melds().len()).number() < 3 {
            return;
        }
        let chances = agent.wait_chances(o, riichi);
        let chance = |kind: TileKind| chances[kind.index()];
        if hand.kinds().iter().any(|kind| chance(kind) <= 0.0) {
            all += 1;
            safe += u32::from(chance(tile.kind()) < 0.02);
        }
    });
    assert!(all > 300 && safe * 10 >= all * 9, "{safe} of {all}");
}

/// Open hands can win: at most one offered wait in ten has no yaku or is furiten.
#[test]
fn its_open_hands_can_win() {
    let (mut with, mut without) = (0, 0);
    play(&Rules::default(), 0..120, |o, _| {
        let hand = o.hand();
        let waits = hand.waits(o.melds().len());
        if o.phase() != Phase::Claim || !o.melds().are_open() || waits.is_empty() || o.live() < 24 {
            return;
        }
        let yaku = o.legal().contains(Action::Ron.id());
        let offered = o.offer().is_some_and(|offer| waits.contains(offer.tile.kind()));
        if offered {
            *(if yaku { &mut with } else { &mut without }) += 1;
        }
    });
    assert!(with > 100 && without * 10 <= with, "{with} with a yaku, {without} without");
}
