//! Laws that hold at every decision of every game.
//!
//! Each takes a game that waits for an answer, and panics if the game breaks the law.

use std::collections::HashMap;

use jantaku_engine::{
    Action, ActionId, ActionSet, Concealed, Game, OfferKind, Phase, Rng, Round, Seat, Tile, TileKind, Unseen,
};

/// A random legal action. With `eager` usually a win, kan or call if one is legal, to reach rare
/// states.
pub fn choose(legal: ActionSet, eager: bool, rng: &mut Rng) -> Action {
    let any = |legal: ActionSet, rng: &mut Rng| {
        legal.nth(rng.below(legal.len() as usize) as u32).expect("a choice").action()
    };
    let rare: ActionSet = legal
        .iter()
        .map(ActionId::action)
        .filter(|action| !matches!(action, Action::Discard { .. } | Action::Tsumogiri { .. } | Action::Pass))
        .collect();
    if eager && !rare.is_empty() && rng.below(4) > 0 { any(rare, rng) } else { any(legal, rng) }
}

/// `submit` accepts the legal actions and no others. A player is asked if and only if they have a
/// choice.
pub fn accepted_actions_are_the_legal_actions(game: &Game, _: &mut Rng) {
    for seat in game.rules().players.seats() {
        let legal = game.observe(seat).legal();
        for id in ActionId::all() {
            let mut copy = game.round().clone();
            let accepted = copy.submit(seat, id.action());
            assert_eq!(accepted.is_ok(), legal.contains(id), "{seat:?} {id:?}");
            if let Err(error) = accepted {
                assert_eq!((error.seat, error.action, error.legal), (seat, id.action(), legal));
                assert!(copy == *game.round(), "a refused action changed the state");
            }
        }
        let asked = game.pending().contains(seat);
        assert_eq!(asked, legal.is_choice(), "{seat:?} is asked if and only if they have a choice");
    }
}

/// Incrementally updated waits, counts and hands equal those computed from scratch.
pub fn cached_state_matches_recomputed_state(game: &Game, _: &mut Rng) {
    let round = game.round();
    let after_claim =
        game.table().phase() == Phase::Turn && round.private(game.table().turn()).drawn().is_none();
    for seat in game.rules().players.seats() {
        let (private, melds) = (round.private(seat), game.table().side(seat).melds());
        let again: Concealed = private.hand().tiles().collect();
        assert_eq!(*private.hand(), again);
        if !(after_claim && seat == game.table().turn()) {
            assert_eq!(private.waits(), again.waits(melds.len()), "{again} {melds:?}");
        }
        assert_eq!(game.observe(seat).unseen(), recomputed_unseen(round, seat));
    }
    assert_eq!(game.table().kans() as usize, kans(round));
}

/// The kans that no player can rob any more.
fn kans(round: &Round) -> usize {
    let players = round.table().rules().players;
    let is_offered = round.table().offer().is_some_and(|offer| offer.kind == OfferKind::Ankan);
    let kans = players.seats().flat_map(|seat| round.table().side(seat).melds()).filter(|meld| meld.is_kan());
    kans.count() - usize::from(is_offered && round.table().phase() == Phase::KanClaim)
}

/// The tiles unseen by a seat, computed from the tiles that it sees.
fn recomputed_unseen(round: &Round, seat: Seat) -> Unseen {
    let mut unseen = Unseen::all_of(round.wall().tiles().iter().map(|tile| tile.kind()).collect());
    let mut see = |tile: Tile| unseen.see(tile.kind().into());
    round.private(seat).hand().tiles().chain(round.private(seat).drawn()).for_each(&mut see);
    open_tiles(round).into_iter().for_each(see);
    unseen
}

/// The open tiles.
fn open_tiles(round: &Round) -> Vec<Tile> {
    let table = round.table();
    let seats = || table.rules().players.seats();
    let mut tiles: Vec<Tile> = table.indicators().to_vec();
    tiles.extend(seats().flat_map(|seat| table.side(seat).melds()).flat_map(|meld| meld.tiles()));
    let norths: u8 = seats().map(|seat| table.side(seat).norths()).sum();
    tiles.extend((0..norths).map(|_| Tile::plain(TileKind::NORTH)));
    tiles.extend(
        table.offer().filter(|o| matches!(o.kind, OfferKind::Kakan | OfferKind::Kita)).map(|o| o.tile),
    );
    tiles.extend(table.discards().iter().filter(|d| d.claimed_by.is_none()).map(|d| d.tile));
    tiles
}

/// No tile and no point appears or disappears.
pub fn tiles_and_points_are_conserved(game: &Game, _: &mut Rng) {
    let (round, table, rules) = (game.round(), game.table(), game.rules());
    // A drawn tile is in a hand or open; the others are in the wall.
    let mut held: Vec<Tile> = open_tiles(round);
    for seat in rules.players.seats() {
        held.extend(round.private(seat).hand().tiles().chain(round.private(seat).drawn()));
    }
    let replaced = usize::from(table.kans()) + norths(round);
    let in_wall = usize::from(table.live()) + 14 - table.indicators().len();
    assert_eq!(held.len() + in_wall, round.wall().tiles().len(), "replaced {replaced}");
    let mut left: HashMap<Tile, i32> = HashMap::new();
    round.wall().tiles().iter().for_each(|tile| *left.entry(*tile).or_default() += 1);
    held.iter().for_each(|tile| *left.entry(*tile).or_default() -= 1);
    assert!(left.values().all(|n| *n >= 0), "a tile exists twice");
    let points = table.scores().sum() + table.rules().riichi_stick * i32::from(table.sticks());
    assert_eq!(points, i32::from(rules.players.count()) * rules.start_points);
}

fn norths(round: &Round) -> usize {
    let players = round.table().rules().players;
    players.seats().map(|seat| usize::from(round.table().side(seat).norths())).sum()
}

/// Players who decide at the same time may answer in any order and do not see each other's answers.
pub fn order_of_answers_does_not_matter(game: &Game, rng: &mut Rng) {
    let mut answers: Vec<(Seat, Action)> =
        game.decisions().map(|(seat, legal)| (seat, choose(legal, true, rng))).collect();
    if answers.len() < 2 {
        return;
    }
    let answer = |answers: &[(Seat, Action)]| {
        let (mut copy, mut events) = (game.clone(), Vec::new());
        for (seat, action) in answers {
            copy.submit_seen(*seat, *action, &mut events).expect("legal");
        }
        (copy, events)
    };
    let forwards = answer(&answers);
    // No player sees the answers of others.
    let mut asked = game.clone();
    for pair in answers.windows(2) {
        let ((first, action), (second, _)) = (pair[0], pair[1]);
        asked.submit(first, action).expect("legal");
        let (before, after) = (game.observe(second), asked.observe(second));
        assert_eq!((before.table(), before.legal()), (after.table(), after.legal()));
        assert_eq!((before.hand(), before.is_furiten()), (after.hand(), after.is_furiten()));
    }
    answers.reverse();
    assert!(answer(&answers) == forwards, "{answers:?}");
    rng.shuffle(&mut answers);
    assert!(answer(&answers) == forwards, "{answers:?}");
}
