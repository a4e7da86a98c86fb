//! Laws of the game, checked in random play under many rule sets.

mod decisions;
mod fouls;
mod kept_draws;
mod recorded;
mod rule_sets;
mod stops;

use std::collections::{HashMap, HashSet};

use decisions::choose;
use jantaku_engine::rules::options::{Aka, Chombo, Enforce, InvalidCall, Renchan, RiichiFouls, Tobi, Uma};
use jantaku_engine::rules::{FIELDS, PRESETS};
use jantaku_engine::{
    Action, ActionId, ActionSet, BySeat, Concealed, Declare, Discard, DrawReason, Event, Game, HandEnd,
    NoFouls, Outcome, Phase, Players, Riichi, Rng, Rules, Seat, Shanten, Signature, Standing, StartError,
    Tile, TileKind, TileSet, Wall,
};
use rule_sets::rule_sets;

use crate::level::Size;
use crate::sizes::{LAW_HANDS, SEEDS, SLOW_LAW_HANDS};

/// Plays random games until enough hands are dealt, and checks every decision.
///
/// In some games the players usually choose wins, kans and calls where legal, to reach rare states.
fn play(hands: Size, mut check: impl FnMut(&Game, &mut Rng)) {
    let (sets, mut dealt, mut seed) = (rule_sets(), 0, 0);
    while dealt < hands.get() {
        let (_, rules) = &sets[seed % sets.len()];
        let mut rng = Rng::new(seed as u64);
        let eager = seed / sets.len() % 2 == 1;
        let mut game = Game::new(rules, seed as u64);
        while !game.is_over() && game.hand_count() < 30 {
            check(&game, &mut rng);
            let seats: Vec<(Seat, ActionSet)> = game.decisions().collect();
            for (seat, legal) in seats {
                let action = choose(legal, eager, &mut rng);
                game.submit(seat, action).expect("a legal action is accepted");
            }
        }
        dealt += game.hand_count();
        seed += 1;
    }
}

#[test]
fn accepted_actions_are_the_legal_actions() {
    play(SLOW_LAW_HANDS, decisions::accepted_actions_are_the_legal_actions);
}

#[test]
fn cached_state_matches_recomputed_state() {
    play(LAW_HANDS, decisions::cached_state_matches_recomputed_state);
}

#[test]
fn tiles_and_points_are_conserved() {
    play(LAW_HANDS, decisions::tiles_and_points_are_conserved);
}

/// With a referee an illegal action is a foul: the offender pays, riichi sticks go back and the
/// hand is dealt again from another wall. A win at the same moment takes precedence.
#[test]
fn fouls_cost_points_and_deal_the_hand_again() {
    let refereed = |preset: &str, chombo| {
        let rules = Rules::preset(preset).expect("a preset");
        let (invalid_call, riichi_fouls) = (InvalidCall::Chombo, RiichiFouls::AtOnce);
        Rules { enforce: Enforce::Referee, chombo, invalid_call, riichi_fouls, ..rules }
    };
    let sets = [
        refereed("ema-2008", Chombo::ReverseMangan),
        refereed("wrc", Chombo::FinalPenalty(20_000)),
        refereed("tenhou", Chombo::FlatToOthers),
        refereed("tenhou-sanma", Chombo::ReverseMangan),
        refereed("duo", Chombo::FlatToOthers),
    ];
    let (mut dealt, mut seed, mut fouls) = (0, 0, 0);
    while dealt < LAW_HANDS.get() {
        let rules = &sets[seed % sets.len()];
        let mut rng = Rng::new(seed as u64);
        let mut game = Game::new(rules, seed as u64);
        let mut penalties = 0;
        while !game.is_over() && game.hand_count() < 30 {
            let before = game.clone();
            let Some((offender, outcome)) = answer_with_fouls(&mut game, &mut rng) else { continue };
            if outcome.wins().is_empty() {
                fouls += 1;
                penalties += 1;
                check_foul(&before, &game, offender, &outcome);
            }
        }
        if let Some(results) = game.results().filter(|_| rules.chombo == Chombo::FinalPenalty(20_000)) {
            // Leftover riichi sticks are lost under these rules.
            let sum: i32 = results.iter().map(|result| result.result).sum();
            let points = game.scores().sum() - 120_000;
            assert_eq!(sum, points - 20_000 * penalties);
        }
        dealt += game.hand_count();
        seed += 1;
    }
    assert!(fouls > 10, "{fouls} fouls");
}

/// Answers the open decisions, rarely with one foul. Then returns the offender and the outcome.
fn answer_with_fouls(game: &mut Game, rng: &mut Rng) -> Option<(Seat, Outcome)> {
    let seats: Vec<(Seat, ActionSet)> = game.decisions().collect();
    let (offender, legal) = seats[rng.below(seats.len())];
    let foul = (game.table().phase() != Phase::End && rng.below(40) == 0).then(|| {
        let illegal: Vec<ActionId> = ActionId::all().filter(|id| !legal.contains(*id)).collect();
        illegal[rng.below(illegal.len())].action()
    });
    let mut events = Vec::new();
    for (seat, legal) in seats {
        let action = choose(legal, true, rng);
        let action = foul.filter(|_| seat == offender).unwrap_or(action);
        game.submit_seen(seat, action, &mut events).expect("an answer or a foul");
    }
    foul?;
    let end = events.into_iter().find_map(|event| match event {
        Event::HandEnd(outcome) => Some(outcome),
        _ => None,
    });
    Some((offender, end.expect("a foul or a win ends the hand")))
}

fn check_foul(before: &Game, after: &Game, offender: Seat, outcome: &Outcome) {
    let HandEnd::Draw { reason: DrawReason::Chombo, fouls, .. } = &outcome.end else {
        panic!("{:?}", outcome.end);
    };
    assert_eq!(fouls.iter().collect::<Vec<_>>(), [offender]);
    if after.is_over() {
        return;
    }
    let (old, new, players) = (before.table(), after.table(), before.rules().players);
    assert_eq!((new.round(), new.honba(), new.dealer()), (old.round(), old.honba(), old.dealer()));
    assert_ne!(after.round().wall().tiles(), before.round().wall().tiles());
    let riichi = players.seats().filter(|seat| old.side(*seat).riichi() != Riichi::None).count();
    assert_eq!(usize::from(old.sticks() - new.sticks()), riichi);
    let points = new.scores().sum() + 1000 * i32::from(new.sticks());
    assert_eq!(points, i32::from(players.count()) * before.rules().start_points);
}

#[test]
fn players_who_are_not_asked_make_no_foul() {
    let rules = Rules { enforce: Enforce::Referee, chombo: Chombo::ReverseMangan, ..Rules::default() };
    let mut game = Game::new(&rules, 1);
    let other = rules.players.seats().find(|seat| !game.pending().contains(*seat)).expect("others");
    let refused = game.submit(other, Action::Pass).expect_err("only the dealer is asked");
    assert_eq!(refused.to_string(), format!("{other:?} may not pass; this seat has no decision to make"));
    let mut plain = Game::new(&Rules::default(), 1);
    assert_eq!(plain.foul(Seat::FIRST, &mut ()), Err(NoFouls(Seat::FIRST)));
}

#[test]
fn a_refused_action_lists_the_legal_ones() {
    let mut game = Game::new(&Rules::default(), 1);
    let legal: Vec<String> =
        game.observe(Seat::FIRST).legal().iter().map(|id| id.action().to_string()).collect();
    let refused = game.submit(Seat::FIRST, Action::Ron).expect_err("there is no discard yet");
    assert_eq!(refused.to_string(), format!("seat 0 may not ron; legal actions are {}", legal.join(", ")));
}

/// The random numbers of a decision depend on the hand, the seat, its earlier decisions and the
/// salt.
#[test]
fn no_two_decisions_share_random_numbers() {
    let (mut game, mut rng, mut seen) = (Game::new(&Rules::default(), 1), Rng::new(1), HashSet::new());
    while !game.is_over() && game.hand_count() < 5 {
        for (seat, legal) in game.decisions().collect::<Vec<_>>() {
            for salt in 0..2 {
                assert!(seen.insert(game.random_stream(seat, salt).next_u64()), "{seat:?}");
            }
            game.submit(seat, choose(legal, false, &mut rng)).expect("legal");
        }
    }
}

/// The table lists the discards as the events report them.
#[test]
fn the_table_lists_the_discards() {
    let (mut dealt, mut seed, mut called) = (0, 0, 0);
    while dealt < LAW_HANDS.get() / 4 {
        let rules = PRESETS[seed % PRESETS.len()].rules();
        let (mut rng, mut events) = (Rng::new(seed as u64), Vec::new());
        let mut game = Game::new_seen(&rules, seed as u64, &mut events);
        let mut discards: Vec<Discard> = Vec::new();
        while !game.is_over() && game.hand_count() < 5 {
            for event in events.drain(..) {
                match event {
                    Event::Deal { .. } => discards.clear(),
                    Event::Discard { seat, tile, tsumogiri, declare } => {
                        let riichi = declare != Declare::Nothing;
                        discards.push(Discard { seat, tile, tsumogiri, riichi, claimed_by: None });
                    }
                    Event::Call { seat, .. } => {
                        discards.last_mut().expect("a call claims a discard").claimed_by = Some(seat);
                        called += 1;
                    }
                    _ => {}
                }
            }
            let listed = game.table().discards();
            assert!(listed.iter().eq(discards.iter().copied()), "{discards:?}");
            assert_eq!((listed.len(), listed.is_empty()), (discards.len(), discards.is_empty()));
            for seat in rules.players.seats() {
                let count = discards.iter().filter(|discard| discard.seat == seat).count();
                assert_eq!(usize::from(game.table().side(seat).discard_count()), count);
            }
            let (seat, legal) = game.decisions().next().expect("an open decision");
            let action = choose(legal, seed % 2 == 1, &mut rng);
            game.submit_seen(seat, action, &mut events).expect("legal");
        }
        dealt += game.hand_count();
        seed += 1;
    }
    assert!(called > 0, "no discard was called");
}

/// `dealer_wins` counts the wins of the dealer since they became dealer.
#[test]
fn table_counts_wins_of_the_dealer() {
    let mut most = 0;
    for seed in 0..u64::from(LAW_HANDS.get() / 4) {
        let rules = Rules { tobi: Tobi::Off, ..Rules::default() };
        let (mut game, mut rng, mut events) = (Game::new(&rules, seed), Rng::new(seed), Vec::new());
        let (mut dealer, mut wins) = (game.table().dealer(), 0);
        while !game.is_over() && game.hand_count() < 30 {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            let prefers_win = [Action::Tsumo, Action::Ron].into_iter().find(|win| legal.contains(win.id()));
            let action = prefers_win.unwrap_or_else(|| choose(legal, false, &mut rng));
            game.submit_seen(seat, action, &mut events).expect("legal");
            for event in events.drain(..) {
                match event {
                    Event::HandEnd(outcome) => {
                        wins += u8::from(outcome.wins().iter().any(|win| win.winner == dealer));
                    }
                    Event::Deal { dealer: next, .. } if next != dealer => (dealer, wins) = (next, 0),
                    _ => {}
                }
            }
            if !game.is_over() {
                assert_eq!(game.table().dealer_wins(), wins);
                most = most.max(wins);
            }
        }
    }
    assert!(most > 0, "no dealer won");
}

#[test]
fn order_of_answers_does_not_matter() {
    play(LAW_HANDS, decisions::order_of_answers_does_not_matter);
}

#[test]
fn replayed_actions_give_the_same_events() {
    let (sets, mut dealt, mut seed) = (rule_sets(), 0, 0);
    while dealt < LAW_HANDS.get() {
        let (_, rules) = &sets[seed % sets.len()];
        let (mut events, mut record) = (Vec::new(), Vec::new());
        let mut rng = Rng::new(seed as u64);
        let mut game = Game::new_seen(rules, seed as u64, &mut events);
        while !game.is_over() && game.hand_count() < 30 {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            let action = choose(legal, seed % 2 == 0, &mut rng);
            record.push((seat, action.id()));
            game.submit_seen(seat, action, &mut events).expect("legal");
        }
        let (mut again, mut signature) = (Vec::new(), Signature::default());
        let mut replayed = Game::new_seen(rules, seed as u64, &mut again);
        let mut signed = Game::new_seen(rules, seed as u64, &mut signature);
        for (seat, id) in record {
            replayed.submit_seen(seat, id.action(), &mut again).expect("legal");
            signed.submit_seen(seat, id.action(), &mut signature).expect("legal");
        }
        assert!(replayed == game && events == again);
        let mut from_events = Signature::default();
        events.iter().for_each(|event: &Event| jantaku_engine::Observer::event(&mut from_events, event));
        assert_eq!(signature, from_events);
        dealt += game.hand_count();
        seed += 1;
    }
}

#[test]
fn neighbouring_seeds_give_different_deals() {
    let rules = Rules::default();
    let mut deals = HashSet::new();
    let mut count = 0;
    for seed in 0..u64::from(SEEDS.get()) {
        for (round, honba) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (7, 3)] {
            let wall = Wall::of_hand(seed, round, honba, 0, &rules);
            let dealt: Vec<Tile> = wall.tiles()[..52].to_vec();
            deals.insert(dealt);
            count += 1;
        }
    }
    assert_eq!(deals.len(), count);
}

/// Shanten by a search over all sets and pairs of each suit, independent of the engine's tables.
struct SlowShanten {
    targets: [Vec<(usize, Vec<u8>)>; 2],
    known: HashMap<Vec<u8>, [u8; 10]>,
}

impl SlowShanten {
    fn new() -> SlowShanten {
        SlowShanten {
            targets: [SlowShanten::targets(7, false), SlowShanten::targets(9, true)],
            known: HashMap::new(),
        }
    }

    /// All combinations of sets and at most one pair with up to four copies of a tile.
    ///
    /// Each has its goal, the number of sets plus 5 with a pair, and its copies of each rank.
    fn targets(ranks: usize, sequences: bool) -> Vec<(usize, Vec<u8>)> {
        let mut sets: Vec<Vec<usize>> = (0..ranks).map(|r| vec![r; 3]).collect();
        if sequences {
            sets.extend((0..ranks - 2).map(|r| vec![r, r + 1, r + 2]));
        }
        let mut all = HashSet::from([(0, vec![0u8; ranks])]);
        let add = |from: &(usize, Vec<u8>), tiles: &[usize], goal: usize| {
            let mut copies = from.1.clone();
            tiles.iter().for_each(|r| copies[*r] += 1);
            copies.iter().all(|n| *n <= 4).then_some((from.0 + goal, copies))
        };
        for sets_so_far in 0..4 {
            let last: Vec<_> = all.iter().filter(|t| t.0 == sets_so_far).cloned().collect();
            all.extend(last.iter().flat_map(|t| sets.iter().filter_map(|s| add(t, s, 1))));
        }
        let without_pair: Vec<_> = all.iter().cloned().collect();
        all.extend(without_pair.iter().flat_map(|t| (0..ranks).filter_map(|r| add(t, &[r, r], 5))));
        all.into_iter().collect()
    }

    /// The fewest missing tiles for each goal in one suit.
    fn distances(&mut self, suit: &[u8]) -> [u8; 10] {
        let targets = &self.targets[usize::from(suit.len() == 9)];
        *self.known.entry(suit.to_vec()).or_insert_with(|| {
            let mut best = [99; 10];
            for (goal, want) in targets {
                best[*goal] = best[*goal].min(want.iter().zip(suit).map(|(w, h)| w.saturating_sub(*h)).sum());
            }
            best
        })
    }

    fn shanten(&mut self, hand: &Concealed, melds: usize) -> i8 {
        let counts = *hand.counts().as_array();
        let parts =
            [&counts[..9], &counts[9..18], &counts[18..27], &counts[27..]].map(|suit| self.distances(suit));
        let mut whole = [99u8; 10];
        whole[0] = 0;
        for part in parts {
            let mut next = [99u8; 10];
            for a in 0..10 {
                for b in (0..10).filter(|b| a / 5 + b / 5 < 2 && a % 5 + b % 5 < 5) {
                    next[a + b] = next[a + b].min(whole[a].saturating_add(part[b]));
                }
            }
            whole = next;
        }
        let standard = whole[5 + 4 - melds] as i8 - 1;
        if melds > 0 {
            return standard;
        }
        let at_least = |n: u8| counts.iter().filter(|c| **c >= n).count() as i8;
        let pairs = 6 - at_least(2) + (7 - at_least(1)).max(0);
        let orphans: Vec<u8> = TileSet::YAOCHUU.iter().map(|kind| counts[kind.index()]).collect();
        let kinds = orphans.iter().filter(|n| **n > 0).count() as i8;
        standard.min(pairs).min(13 - kinds - i8::from(orphans.iter().any(|n| *n > 1)))
    }
}

#[test]
fn shanten_and_ukeire_match_a_slow_search() {
    let (mut slow, mut rng) = (SlowShanten::new(), Rng::new(3));
    for round in 0..SLOW_LAW_HANDS.get() {
        let melds = rng.below(5);
        let mut deck: Vec<TileKind> = TileKind::all().flat_map(|kind| [kind; 4]).collect();
        // Hands with few suits and consecutive ranks have the most readings.
        match round % 3 {
            0 => {}
            1 => deck.retain(|kind| kind.number() < 9 || kind.is_honour()),
            _ => deck.retain(|kind| kind.number() % 9 < 4 && !kind.is_honour()),
        }
        rng.shuffle(&mut deck);
        let mut hand: Concealed = deck[..14 - 3 * melds].iter().map(|kind| Tile::plain(*kind)).collect();
        assert_eq!(hand.shanten(melds).number(), slow.shanten(&hand, melds), "{hand} {melds}");
        for option in hand.discard_options(melds).as_slice() {
            let mut rest = hand;
            rest.remove_any(option.kind);
            let shanten = slow.shanten(&rest, melds);
            let lowers = |kind: &TileKind| {
                let mut more = rest;
                rest.count(*kind) < 4 && {
                    more.add(Tile::plain(*kind));
                    slow.shanten(&more, melds) < shanten
                }
            };
            let ukeire: TileSet = TileKind::all().filter(lowers).collect();
            assert_eq!((option.shanten.number(), option.ukeire), (shanten, ukeire), "{rest} {melds}");
        }
        assert_eq!(hand.discard_options(melds).as_slice().len() as u32, hand.kinds().len());
        hand.remove_any(deck[0]);
        let waits = hand.waits(melds);
        assert_eq!(waits.is_empty(), hand.shanten(melds) != Shanten::TENPAI);
    }
}

#[test]
fn start_must_fit_the_rules() {
    let (four, two) =
        (Rules::default(), Rules { players: Players::Two, uma: Uma::new(&[10, -10]), ..Rules::default() });
    let start = |standing: &Rules, wall: &Rules| {
        let wall = Wall::of_hand(1, 0, 0, 0, wall);
        Game::at(&four, 1, &Standing::start(standing), Some(wall), &mut ()).map(|game| game.hand_count())
    };
    assert_eq!(start(&four, &four), Ok(1));
    assert_eq!(start(&two, &four), Err(StartError::Seats));
    assert_eq!(start(&four, &two), Err(StartError::Wall));
    assert_eq!(start(&four, &Rules { aka: Aka { m: 0, p: 0, s: 0 }, ..four }), Err(StartError::Wall));
    // Counts that could overflow during the game.
    let extremes: [fn(&mut Standing); 5] = [
        |standing| standing.scores[Seat::FIRST] = i32::MAX,
        |standing| standing.round = u16::MAX,
        |standing| standing.honba = u16::MAX,
        |standing| standing.sticks = u16::MAX,
        |standing| standing.attempt = u16::MAX,
    ];
    for make in extremes {
        let mut standing = Standing::start(&four);
        make(&mut standing);
        assert_eq!(Game::at(&four, 1, &standing, None, &mut ()).unwrap_err(), StartError::Extreme);
    }
    // The limits themselves are allowed.
    let limit = Standing { round: 10_000, honba: 10_000, sticks: 10_000, ..Standing::start(&four) };
    assert!(Game::at(&four, 1, &limit, None, &mut ()).is_ok());
    let error =
        Game::at(&Rules { max_ron: 1, ..four }, 1, &Standing::start(&four), None, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "`triple_ron`: expected HeadBump with max_ron = 1, found \"Abort\"");
}

/// Under these rules a game without wins never ends by itself: the engine ends it after
/// `MAX_HANDS`.
#[test]
fn endless_games_end() {
    let rules = Rules { renchan: Renchan::Always.into(), ..Rules::default() };
    let mut game = Game::new(&rules, 1);
    while !game.is_over() {
        let decisions: Vec<(Seat, ActionSet)> = game.decisions().collect();
        for (seat, legal) in decisions {
            let pass = Action::Pass;
            let action = if legal.contains(pass.id()) {
                pass
            } else {
                Action::Tsumogiri { declare: Declare::Nothing }
            };
            game.submit(seat, action).expect("tsumogiri is legal");
        }
    }
    assert_eq!((game.is_endless(), game.hand_count()), (true, Game::MAX_HANDS));
    assert_eq!(u32::from(game.table().honba()), Game::MAX_HANDS - 1);
    assert_eq!(game.scores().iter().sum::<i32>(), 100_000);
    assert!(game.results().is_some());
}

/// A game of nothing but fouls ends after `MAX_HANDS`, and a game with extreme points ends at
/// once.
#[test]
fn games_end_before_their_numbers_overflow() {
    let rules =
        Rules { enforce: Enforce::Referee, chombo: Chombo::FinalPenalty(100_000), ..Rules::default() };
    let mut game = Game::new(&rules, 1);
    while !game.is_over() {
        game.foul(Seat::FIRST, &mut ()).expect("the rules punish fouls");
    }
    assert_eq!((game.is_endless(), game.hand_count()), (true, Game::MAX_HANDS));
    assert!(game.results().expect("the game is over")[Seat::FIRST].result < -900_000_000);

    let rules = Rules { chombo: Chombo::ReverseMangan, tobi: Tobi::Off, ..rules };
    let mut standing = Standing::start(&rules);
    standing.scores[Seat::FIRST] = -100_000_000;
    let mut game = Game::at(&rules, 1, &standing, None, &mut ()).expect("it can begin");
    game.foul(Seat::FIRST, &mut ()).expect("the rules punish fouls");
    assert_eq!((game.is_over(), game.is_endless(), game.hand_count()), (true, true, 1));
}

/// Games under the other values of a field without effect are the same.
#[test]
fn idle_fields_have_no_effect() {
    for (name, rules) in rule_sets() {
        let played = decisions_of_a_game(&rules);
        for idle in rules.idle_fields() {
            for other in with_other_values(&rules, idle.field) {
                assert!(decisions_of_a_game(&other) == played, "{name}: {idle:?}");
            }
        }
    }
}

/// Valid rules with the other values of a field.
fn with_other_values(rules: &Rules, field: &str) -> Vec<Rules> {
    let field = FIELDS.iter().find(|known| known.name == field).expect("a field");
    let (base, mut others) = (rules.to_table(), Vec::new());
    for (value, _) in (field.values)() {
        let value = value.parse::<bool>().map_or(toml::Value::String(value), toml::Value::Boolean);
        let mut table = base.clone();
        table.insert(field.name.to_owned(), value);
        others.extend(Rules::from_toml(&table.to_string(), "text").ok().filter(|other| other != rules));
    }
    others
}

/// The decisions of a game with many wins, kans and calls, and the points after each.
fn decisions_of_a_game(rules: &Rules) -> Vec<(Seat, ActionSet, BySeat<i32>)> {
    let (mut rng, mut game, mut decisions) = (Rng::new(1), Game::new(rules, 1), Vec::new());
    while !game.is_over() && game.hand_count() < 30 {
        for (seat, legal) in game.decisions().collect::<Vec<_>>() {
            game.submit(seat, choose(legal, true, &mut rng)).expect("a legal action is accepted");
            decisions.push((seat, legal, *game.table().scores()));
        }
    }
    decisions
}
