//! `Round::after_hand` predicts what the game does after a hand.

use jantaku_engine::rules::PRESETS;
use jantaku_engine::{
    Action, ActionId, ActionSet, AfterHand, Declare, DrawReason, Game, HandEnd, Observation, Rng, Round,
    Seat, Standing, SupposedEnd, WonHand,
};

/// Plays games under all presets. The last answer of each hand is given to a copy of the
/// hand first.
#[test]
fn games_continue_as_predicted() {
    let (mut hands, mut asked, mut ended, mut supposed_ends) = (0, 0, 0, 0);
    for (seed, preset) in PRESETS.iter().cycle().take(8 * PRESETS.len()).enumerate() {
        let rules = preset.rules();
        let mut standing = Standing::start(&rules);
        if seed % 2 == 1 {
            // The last hand, with the dealer far ahead.
            let players = rules.players.count();
            standing.round = (u16::from(rules.wind_rounds) * u16::from(players)).saturating_sub(1);
            standing.scores[Seat::FIRST.after((standing.round % u16::from(players)) as u8, rules.players)] +=
                30_000;
        }
        let mut game = Game::at(&rules, seed as u64, &standing, None, &mut ()).expect("it can begin");
        let mut rng = Rng::new(seed as u64);
        while !game.is_over() && game.hand_count() < 30 {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            let action = choose(&game.observe(seat), legal, &mut rng);
            let is_answer = game.round().is_over();
            let before = game.round().clone();
            let mut round = before.clone();
            if !is_answer {
                round.submit(seat, action).expect("legal");
            }
            game.submit(seat, action).expect("legal");
            let Some(next) = round.after_hand().filter(|_| !is_answer) else { continue };
            hands += 1;
            assert_eq!(game.earlier().hands + 1, game.hand_count());
            if let Some(end) = supposed(&before, &round) {
                supposed_ends += 1;
                assert_eq!(before.after_hand_if(end), next, "{end:?}");
            }
            let is_stopped = rules.hands_limit.0.is_some_and(|limit| game.hand_count() >= u32::from(limit));
            match next {
                _ if is_stopped && game.is_over() => {}
                AfterHand::Hand(standing) => {
                    let table = game.table();
                    assert_eq!((standing.round, standing.honba), (table.round(), table.honba()));
                    assert_eq!((standing.sticks, standing.scores), (table.sticks(), *table.scores()));
                    assert_eq!(standing.dealer_wins, table.dealer_wins());
                }
                AfterHand::Ask(standing, _) => {
                    asked += 1;
                    assert!(game.pending().contains(game.table().dealer()));
                    assert_eq!(standing.scores, *game.table().scores());
                }
                AfterHand::End(results) => {
                    ended += 1;
                    assert_eq!(
                        game.results().map(|results| results.map(|r| r.placement)),
                        Some(results.map(|r| r.placement))
                    );
                    assert_eq!(game.results(), Some(results));
                }
            }
        }
    }
    assert!(hands > 500 && asked > 0 && ended > 20, "{hands} hands, {asked} questions, {ended} ends");
    assert!(supposed_ends > 300, "{supposed_ends} supposed ends");
}

/// The end of a hand as an evaluation would suppose it. None if it has something that no evaluation
/// supposes: several winners, liable players, an abortive draw, or a riichi in the last discard.
fn supposed(before: &Round, round: &Round) -> Option<SupposedEnd> {
    if before.table().standing() != round.table().standing() {
        return None;
    }
    match round.outcome()?.end {
        HandEnd::Win(wins) => {
            let [win] = &wins[..] else { return None };
            let WonHand { winner, from, ref score, .. } = *win;
            win.liable.is_empty().then_some(SupposedEnd::Win { winner, from, base: score.base })
        }
        HandEnd::Draw { reason, tenpai, .. } => {
            (reason == DrawReason::Exhaustive).then_some(SupposedEnd::Draw { tenpai })
        }
    }
}

/// Wins if it can, discards for the lowest shanten, and otherwise acts at random.
fn choose(o: &Observation<'_>, legal: ActionSet, rng: &mut Rng) -> Action {
    let wins = [Action::Ron, Action::Tsumo].map(Action::id);
    if let Some(win) = wins.into_iter().find(|win| legal.contains(*win)) {
        return win.action();
    }
    if legal.contains(Action::Pass.id()) && rng.below(8) > 0 {
        return Action::Pass;
    }
    let hand = o.hand_with_draw();
    let (_, kinds) = hand.least_discards(o.melds().len());
    let discards = hand
        .tiles()
        .filter(|tile| kinds.contains(tile.kind()))
        .map(|tile| Action::Discard { tile, declare: Declare::Nothing });
    let discard = discards.map(Action::id).find(|id| legal.contains(*id));
    let ids: Vec<ActionId> = legal.iter().collect();
    discard.unwrap_or_else(|| ids[rng.below(ids.len())]).action()
}

/// Nothing follows a hand in play.
#[test]
fn nothing_follows_a_hand_in_play() {
    assert_eq!(Game::new(&PRESETS[0].rules(), 1).round().after_hand(), None);
}
