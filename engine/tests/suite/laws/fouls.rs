//! Laws of games with a referee, checked in random play with fouls.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::{Chombo, Enforce, InvalidCall, RiichiFouls};
use jantaku_engine::{
    Action, ActionId, DrawReason, Event, Game, HandEnd, Observer, Phase, Rng, Rules, Seat, SeatSet,
};

use super::decisions::choose;
use crate::sizes::LAW_HANDS;

/// The rules of EMA 2008 with a referee, dead hands and late judgement of riichi.
fn ema() -> Rules {
    Rules { enforce: Enforce::Referee, ..Rules::preset("ema-2008").expect("a preset") }
}

/// The rules for two players.
fn duo() -> Rules {
    Rules::preset("duo").expect("a preset")
}

/// An illegal action: usually a call or kan, sometimes a riichi or a win.
fn foul(game: &Game, seat: Seat, rng: &mut Rng) -> Option<Action> {
    let legal = game.observe(seat).legal();
    let wanted = rng.below(8);
    let fits = |action: &Action| match action {
        Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan | Action::Kan { .. } => wanted < 6,
        Action::Discard { declare, .. } => wanted == 6 && *declare as u8 == 1,
        Action::Ron | Action::Tsumo => wanted == 7,
        _ => false,
    };
    let fouls: Vec<Action> =
        ActionId::all().filter(|id| !legal.contains(*id)).map(ActionId::action).filter(fits).collect();
    (!fouls.is_empty()).then(|| fouls[rng.below(fouls.len())])
}

/// The seats whose hands died, and how the hands ended.
#[derive(Default)]
struct Seen {
    dead: SeatSet,
    deaths: u32,
    draws_with_dead_hands: u32,
    chombos: u32,
}

impl Observer for Seen {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { .. } => self.dead = SeatSet::EMPTY,
            Event::DeadHand { seat } => {
                assert!(!self.dead.contains(*seat), "a hand dies once");
                self.dead.insert(*seat);
                self.deaths += 1;
            }
            Event::Call { seat, .. } | Event::Ankan { seat, .. } | Event::Kakan { seat, .. } => {
                assert!(!self.dead.contains(*seat), "a dead hand makes no meld");
            }
            Event::HandEnd(outcome) => match &outcome.end {
                HandEnd::Win(wins) => {
                    assert!(wins.iter().all(|win| !self.dead.contains(win.winner)), "a dead hand wins");
                }
                HandEnd::Draw { reason: DrawReason::Chombo, .. } => self.chombos += 1,
                HandEnd::Draw { tenpai, .. } => {
                    assert!((*tenpai & self.dead).is_empty(), "a dead hand is tenpai");
                    self.draws_with_dead_hands += u32::from(!self.dead.is_empty());
                }
            },
            _ => {}
        }
    }
}

#[test]
fn dead_hands_only_draw_and_discard() {
    let (rules, mut seen, mut dealt) = (ema(), Seen::default(), 0);
    for seed in 0.. {
        let mut rng = Rng::new(seed);
        let mut game = Game::new_seen(&rules, seed, &mut seen);
        while !game.is_over() && game.hand_count() < 30 {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            if game.table().side(seat).is_dead() {
                let idle = |action: &Action| {
                    matches!(action, Action::Pass | Action::Discard { .. } | Action::Tsumogiri { .. })
                };
                let actions: Vec<Action> = legal.iter().map(ActionId::action).collect();
                assert!(actions.iter().all(idle), "{actions:?}");
            }
            let wrong = if rng.below(200) == 0 { foul(&game, seat, &mut rng) } else { None };
            let action = wrong.unwrap_or_else(|| choose(legal, seed % 2 == 1, &mut rng));
            game.submit_seen(seat, action, &mut seen).expect("a foul is an answer");
        }
        dealt += game.hand_count();
        if dealt >= LAW_HANDS.get() {
            break;
        }
    }
    let Seen { deaths, draws_with_dead_hands, chombos, .. } = seen;
    assert!(
        deaths > 10 && draws_with_dead_hands > 3 && chombos > 3,
        "{deaths} {draws_with_dead_hands} {chombos}"
    );
}

/// With a referee, all players are asked about every tile, and every turn is a decision.
#[test]
fn a_referee_asks_everyone() {
    let duo = Rules { enforce: Enforce::Referee, chombo: Chombo::ReverseMangan, ..duo() };
    for rules in [ema(), duo] {
        let mut rng = Rng::new(5);
        let mut game = Game::new(&rules, 5);
        let mut single = 0;
        while !game.is_over() && game.hand_count() < 10 {
            let pending = game.pending();
            let others = rules.players.count() - 1;
            match game.table().phase() {
                Phase::Claim | Phase::KanClaim => assert_eq!(pending.len(), u32::from(others)),
                Phase::Turn => assert!(pending.contains(game.table().turn())),
                _ => {}
            }
            for seat in pending.iter() {
                let legal = game.observe(seat).legal();
                single += u32::from(!legal.is_choice());
                game.submit(seat, choose(legal, false, &mut rng)).expect("legal");
            }
        }
        assert!(single > 0, "some players have a single legal action");
    }
}

/// A recording of a game with dead hands and fouls in riichi replays without a difference, if no
/// hand ends with a foul.
#[test]
fn games_with_dead_hands_replay() {
    let rules = ema();
    let (mut deaths, mut replayed) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut both = (RecordedGame::new(rules), Seen::default());
        let mut observer = |event: &Event| {
            both.0.event(event);
            both.1.event(event);
        };
        let mut game = Game::new_seen(&rules, seed, &mut observer);
        while !game.is_over() {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            let may_foul = !game.table().side(seat).is_dead() && rng.below(300) == 0;
            let wrong = foul(&game, seat, &mut rng).filter(|action| {
                may_foul && (matches!(action, Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan))
            });
            let action = wrong.unwrap_or_else(|| choose(legal, false, &mut rng));
            game.submit_seen(seat, action, &mut observer).expect("a foul is an answer");
        }
        let (recording, seen) = both;
        assert_eq!(seen.chombos, 0);
        deaths += seen.deaths;
        let report = recording.replay(&mut ());
        assert_eq!(report.differences, [], "seed {seed}");
        replayed += report.hands;
    }
    assert!(deaths > 10 && replayed > 100, "{deaths} dead hands in {replayed} hands");
}

/// The new rules do not matter without a referee.
#[test]
fn foul_rules_need_a_referee() {
    let rules = Rules { chombo: Chombo::ReverseMangan, ..Rules::default() };
    let lenient = Rules { invalid_call: InvalidCall::DeadHand, riichi_fouls: RiichiFouls::AtEnd, ..rules };
    for seed in 0..5 {
        let mut games = [Game::new(&rules, seed), Game::new(&lenient, seed)];
        let mut rng = Rng::new(seed);
        while !games[0].is_over() && games[0].hand_count() < 10 {
            let (seat, legal) = games[0].decisions().next().expect("an open decision");
            assert!(games[1].decisions().eq(games[0].decisions()));
            let action = choose(legal, true, &mut rng);
            for game in &mut games {
                let wrong = ActionId::all().find(|id| !legal.contains(*id)).expect("an illegal action");
                game.submit(seat, wrong.action()).expect_err("it is illegal");
                game.submit(seat, action).expect("legal");
            }
        }
    }
}
