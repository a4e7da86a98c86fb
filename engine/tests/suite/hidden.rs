//! Observations do not depend on hidden tiles, and `determinize` deals possible hidden tiles.

use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::WallLayout;
use jantaku_engine::{
    Action, ActionSet, ChiPosition, Declare, Event, Game, Meld, MeldKind, Observation, OfferKind, Phase, Rng,
    Round, Rules, Seat, Standing, Tile, TileKind, TileSet, Wall,
};

use crate::eager::choose;
use crate::sizes::HIDDEN_HANDS;

/// A hand up to an open decision.
struct Prefix {
    game: Game,
    /// All events of the hand.
    events: Vec<Event>,
    /// All answers in the hand, each with the legal actions.
    answers: Vec<(Seat, ActionSet, Action)>,
}

/// Plays games under all presets and checks every tenth decision on average.
fn play(mut check: impl FnMut(&Prefix, &mut Rng)) {
    let (mut dealt, mut seed) = (0, 0);
    while dealt < HIDDEN_HANDS.get() {
        let rules = PRESETS[seed % PRESETS.len()].rules();
        let (mut rng, mut events) = (Rng::new(seed as u64), Vec::new());
        let game = Game::new_seen(&rules, seed as u64, &mut events);
        let mut hand = Prefix { game, events, answers: Vec::new() };
        while !hand.game.is_over() && hand.game.hand_count() < 5 {
            if rng.below(10) == 0 && hand.game.table().phase() != Phase::End {
                check(&hand, &mut rng);
            }
            hand.answer(&mut rng);
        }
        dealt += hand.game.hand_count();
        seed += 1;
    }
}

impl Prefix {
    /// Answers for all players who are asked.
    fn answer(&mut self, rng: &mut Rng) {
        for (seat, legal) in self.game.decisions().collect::<Vec<_>>() {
            let action = choose(&self.game.observe(seat), rng);
            self.answers.push((seat, legal, action));
            self.game.submit_seen(seat, action, &mut self.events).expect("a legal action is accepted");
        }
        let deal = self.events.iter().rposition(|event| matches!(event, Event::Deal { .. }));
        if let Some(deal @ 1..) = deal {
            self.events.drain(..deal);
            self.answers.clear();
        }
    }
}

fn any(legal: ActionSet, rng: &mut Rng) -> Action {
    legal.nth(rng.below(legal.len() as usize) as u32).expect("a choice").action()
}

/// The tiles of a hand in play that are not open, as indexes into the wall.
struct Concealment {
    /// The concealed tiles of each seat in the order of their draws.
    hands: [Vec<usize>; 4],
    /// Whether the seat has declared riichi.
    riichi: [bool; 4],
    /// The rest of the wall, with the tiles that are never drawn.
    wall: Vec<usize>,
}

/// The indexes of the dora indicators and of the replacement tiles, in the order of use.
///
/// `engine/docs/cases.md`, *Wall layouts*, has the sources.
fn dead_wall(layout: WallLayout) -> ([usize; 5], Vec<usize>) {
    match layout {
        WallLayout::Tenhou => ([130, 128, 126, 124, 122], vec![134, 135, 132, 133]),
        WallLayout::MahjongSoul => ([131, 129, 127, 125, 123], vec![135, 134, 133, 132]),
        WallLayout::MajiangCore => ([131, 130, 129, 128, 127], vec![135, 134, 133, 132]),
        WallLayout::Tenhou3p => ([98, 96, 94, 92, 90], vec![106, 107, 104, 105, 102, 103, 100, 101]),
        WallLayout::MahjongSoul3p => ([99, 97, 95, 93, 91], (100..108).rev().collect()),
    }
}

/// The indexes of the tiles in the wall that no player has seen.
///
/// `drawn` counts live draws, `replaced` replacement draws, `turned` open dora indicators.
fn unseen_indexes(rules: &Rules, wall: &Wall, drawn: usize, replaced: usize, turned: usize) -> Vec<usize> {
    let (indicators, replacements) = dead_wall(rules.wall_layout);
    let dealt = 13 * usize::from(rules.players.count());
    let seen =
        |index: &usize| indicators[..turned].contains(index) || replacements[..replaced].contains(index);
    (dealt + drawn..wall.tiles().len()).filter(|index| !seen(index)).collect()
}

impl Concealment {
    /// Follows the tiles of a hand from the deal.
    fn after(events: &[Event], rules: &Rules, wall: &Wall) -> Concealment {
        let (players, tiles) = (rules.players, wall.tiles());
        let count = usize::from(players.count());
        let (mut drawn, mut replaced, mut turned) = (0, 0, 0);
        let mut concealment = Concealment { hands: Default::default(), riichi: [false; 4], wall: Vec::new() };
        for event in events {
            match event {
                Event::Deal { dealer, indicator, .. } => {
                    turned = usize::from(indicator.is_some());
                    for seat in players.seats() {
                        let from_dealer = usize::from(dealer.steps_to(seat, players));
                        let own = |i| if i < 12 { 4 * from_dealer + i % 4 } else { from_dealer };
                        let index = |i| 4 * count * (i / 4) + own(i);
                        concealment.hands[seat.index()].extend((0..13usize).map(index));
                    }
                }
                Event::Draw { seat, replacement: false, .. } => {
                    concealment.hands[seat.index()].push(13 * count + drawn);
                    drawn += 1;
                }
                Event::Draw { seat, replacement: true, .. } => {
                    concealment.hands[seat.index()].push(dead_wall(rules.wall_layout).1[replaced]);
                    replaced += 1;
                }
                Event::Discard { seat, tile, tsumogiri, declare } => {
                    concealment.riichi[seat.index()] |= *declare != Declare::Nothing;
                    if *tsumogiri {
                        concealment.hands[seat.index()].pop();
                    } else {
                        concealment.take(*seat, *tile, tiles);
                    }
                }
                Event::Call { seat, meld } => {
                    own_tiles(*meld).for_each(|tile| concealment.take(*seat, tile, tiles));
                }
                Event::Ankan { seat, meld } => {
                    meld.tiles().for_each(|tile| concealment.take(*seat, tile, tiles));
                }
                Event::Kakan { seat, tile } => concealment.take(*seat, *tile, tiles),
                Event::Kita { seat } => concealment.take(*seat, Tile::plain(TileKind::NORTH), tiles),
                Event::Indicator { .. } => turned += 1,
                _ => {}
            }
        }
        concealment.wall = unseen_indexes(rules, wall, drawn, replaced, turned);
        concealment
    }

    /// Removes a tile that the seat shows: of equal tiles the oldest.
    fn take(&mut self, seat: Seat, tile: Tile, tiles: &[Tile]) {
        let hand = &mut self.hands[seat.index()];
        let at = hand.iter().position(|index| tiles[*index] == tile);
        hand.remove(at.expect("a tile of the hand"));
    }

    /// The tiles that the viewer cannot see, without the hands in riichi, which must stay tenpai.
    fn hidden_from(&self, viewer: Seat) -> Vec<usize> {
        let hands = self.hands.iter().zip(self.riichi).enumerate();
        let others = hands.filter(|(seat, (_, riichi))| *seat != viewer.index() && !riichi);
        others.flat_map(|(_, (hand, _))| hand).chain(&self.wall).copied().collect()
    }
}

/// The tiles of a meld that come from the caller's own hand.
fn own_tiles(meld: Meld) -> impl Iterator<Item = Tile> {
    let mut claimed = meld.claimed().map(|claimed| claimed.tile);
    meld.tiles().filter(move |tile| {
        let is_claimed = claimed == Some(*tile);
        claimed = claimed.filter(|_| !is_claimed);
        !is_claimed
    })
}

/// Plays a hand again on another wall up to the same number of events.
///
/// The viewer repeats their answers. The others choose what leads to the same events.
fn replay(hand: &Prefix, viewer: Seat, wall: Wall) -> (Game, Vec<Event>) {
    let Event::Deal { round, honba, sticks, scores, .. } = &hand.events[0] else {
        panic!("a hand begins with the deal")
    };
    let dealer_wins = hand.game.table().dealer_wins();
    let (round, honba, sticks, scores) = (*round, *honba, *sticks, *scores);
    let standing = Standing { round, honba, sticks, attempt: 0, dealer_wins, scores };
    let mut events = Vec::new();
    let game = Game::at(hand.game.rules(), 0, &standing, Some(wall), &mut events);
    let mut game = game.expect("the same tiles in another order");
    let mut answers = hand.answers.iter().filter(|(seat, ..)| *seat == viewer).peekable();
    // The other wall may ask the others more questions. They pass.
    while events.len() < hand.events.len() || answers.peek().is_some() || !game.pending().contains(viewer) {
        let (seat, legal) = game.decisions().next().expect("the hand is not over");
        let action = if seat == viewer {
            let (_, was_legal, action) =
                answers.next().expect("the viewer has no more decisions than before");
            assert_eq!(legal, *was_legal, "legal actions of the viewer");
            *action
        } else {
            action_of(seat, game.table().phase(), &hand.events[events.len()..])
        };
        game.submit_seen(seat, action, &mut events).expect("an action that repeats an event");
    }
    (game, events)
}

/// The action of a player, derived from the next events.
fn action_of(seat: Seat, phase: Phase, next: &[Event]) -> Action {
    if phase == Phase::Turn {
        return match &next[0] {
            Event::Discard { tsumogiri: true, declare, .. } => Action::Tsumogiri { declare: *declare },
            Event::Discard { tile, declare, .. } => Action::Discard { tile: *tile, declare: *declare },
            Event::Ankan { meld, .. } => Action::Kan { kind: meld.low() },
            Event::Kakan { tile, .. } => Action::Kan { kind: tile.kind() },
            Event::Kita { .. } => Action::Kita,
            other => panic!("{other:?} does not follow a turn"),
        };
    }
    let first = next.iter().find(|e| !matches!(e, Event::Indicator { .. } | Event::RiichiAccepted { .. }));
    match first {
        Some(Event::Call { seat: caller, meld }) if *caller == seat => call(*meld),
        _ => Action::Pass,
    }
}

fn call(meld: Meld) -> Action {
    let claimed = meld.claimed().expect("a call takes a discard").tile;
    let reds = own_tiles(meld).filter(|tile| tile.is_red()).count() as u8;
    match meld.kind() {
        MeldKind::Chi => {
            let position = ChiPosition::ALL[claimed.kind().index() - meld.low().index()];
            Action::Chi { position, red: reds > 0 }
        }
        MeldKind::Pon => Action::Pon { reds },
        _ => Action::Daiminkan,
    }
}

/// Permuting the tiles that a player cannot see changes none of their events, observations and
/// decisions when the hand is played again.
#[test]
fn observations_do_not_depend_on_hidden_tiles() {
    let (mut checked, mut other_hands) = (0, 0);
    play(|hand, rng| {
        for viewer in hand.game.pending().iter() {
            let wall = hand.game.round().wall();
            let indexes = Concealment::after(&hand.events, hand.game.rules(), wall).hidden_from(viewer);
            let mut tiles = wall.tiles().to_vec();
            let mut hidden: Vec<Tile> = indexes.iter().map(|index| tiles[*index]).collect();
            rng.shuffle(&mut hidden);
            indexes.iter().zip(hidden).for_each(|(index, tile)| tiles[*index] = tile);
            let wall = Wall::from_tiles(&tiles, hand.game.rules()).expect("the same tiles");
            let (other, events) = replay(hand, viewer, wall);
            let seen_by_viewer = |events: &[Event]| -> Vec<Event> {
                events.iter().map(|event| event.seen_by(viewer)).collect()
            };
            assert_eq!(seen_by_viewer(&events), seen_by_viewer(&hand.events));
            same_view(&hand.game.observe(viewer), &other.observe(viewer));
            checked += 1;
            let hand_of = |game: &Game, seat| *game.round().private(seat).hand();
            let mut seats = hand.game.rules().players.others(viewer);
            other_hands += u32::from(seats.any(|seat| hand_of(&hand.game, seat) != hand_of(&other, seat)));
        }
    });
    assert!(checked > HIDDEN_HANDS.get() && other_hands > checked / 2, "{other_hands} of {checked}");
}

fn same_view(one: &Observation<'_>, other: &Observation<'_>) {
    assert_eq!(one.table(), other.table());
    assert_eq!(one.legal(), other.legal());
    assert_eq!((one.hand(), one.drawn(), one.waits()), (other.hand(), other.drawn(), other.waits()));
    assert_eq!((one.is_furiten(), one.is_tenpai()), (other.is_furiten(), other.is_tenpai()));
    assert_eq!(one.decision_count(), other.decision_count());
    assert_eq!(one.unseen(), other.unseen());
}

/// `determinize` keeps the player's view, all tiles and the sizes of hands. Waits and furiten
/// follow from the new tiles, and the hand can be played to its end.
#[test]
fn determinized_hands_are_possible() {
    play(|hand, rng| {
        let (round, rules) = (hand.game.round(), hand.game.rules());
        for viewer in hand.game.pending().iter() {
            let mut guess = round.observe(viewer).determinize(rng);
            assert!(guess.pending().contains(viewer));
            same_view(&round.observe(viewer), &guess.observe(viewer));
            for seat in rules.players.seats() {
                let (private, table) = (guess.private(seat), guess.table());
                let real = round.private(seat);
                assert_eq!(private.hand().len(), real.hand().len());
                assert_eq!(private.drawn().is_some(), real.drawn().is_some());
                let melds = table.side(seat).melds();
                if private.hand().len() + 3 * melds.len() == 13 {
                    assert_eq!(private.waits(), private.hand().waits(melds.len()));
                }
                let discarded: TileSet = table.discards().of(seat).map(|d| d.tile.kind()).collect();
                if seat != viewer && !rules.kakan_tile_is_discard {
                    assert_eq!(guess.observe(seat).is_furiten(), private.waits().intersects(discarded));
                }
            }
            let all = {
                let mut tiles = round.wall().tiles().to_vec();
                tiles.sort_unstable();
                tiles
            };
            assert_eq!(all_tiles(round), all);
            assert_eq!(all_tiles(&guess), all);
            while !guess.is_over() {
                for (seat, legal) in guess.decisions().collect::<Vec<_>>() {
                    let action = any(legal, rng);
                    guess.submit(seat, action).expect("a legal action is accepted");
                }
            }
            assert_eq!(all_tiles(&guess), all);
            let outcome = guess.outcome().expect("the hand is over");
            let sticks = i32::from(guess.table().sticks()) - i32::from(outcome.sticks);
            assert_eq!(outcome.deltas.sum(), 1000 * sticks);
        }
    });
}

/// `complete` deals the hidden tiles in the order given: opponents by seat, live wall, dead wall.
#[test]
fn completed_hands_have_the_given_tiles() {
    play(|hand, rng| {
        let (round, players) = (hand.game.round(), hand.game.rules().players);
        for viewer in hand.game.pending().iter() {
            let o = round.observe(viewer);
            let hidden = o.hidden();
            let mut order = hidden.tiles().to_vec();
            rng.shuffle(&mut order);
            let guess = o.complete(&order);
            let mut left = order.as_slice();
            for seat in players.seats().filter(|seat| *seat != viewer) {
                let (private, real) = (guess.private(seat), round.private(seat));
                assert_eq!(hidden.in_hand(seat), real.hand_with_draw().len());
                let (own, rest) = left.split_at(hidden.in_hand(seat));
                assert_eq!(private.hand_with_draw(), own.iter().copied().collect());
                assert_eq!(private.drawn(), real.drawn().and(own.last().copied()));
                left = rest;
            }
            assert_eq!(hidden.in_hand(viewer), 0);
            assert_eq!(guess.wall().live_tiles(), &left[..usize::from(guess.wall().live())]);
            assert_eq!(all_tiles(&guess), all_tiles(round));
            assert_eq!(o.determinize(&mut Rng::new(7)), {
                let mut order = hidden.tiles().to_vec();
                Rng::new(7).shuffle_few(&mut order);
                o.complete(&order)
            });
        }
    });
}

/// `reshuffle` moves only tiles that are neither drawn nor turned.
#[test]
fn reshuffled_walls_keep_what_is_drawn_and_turned() {
    play(|hand, rng| {
        let round = hand.game.round();
        let mut other = round.clone();
        other.reshuffle(rng);
        for seat in hand.game.rules().players.seats() {
            assert_eq!(other.private(seat), round.private(seat));
        }
        assert_eq!((other.table(), other.pending()), (round.table(), round.pending()));
        assert_eq!(all_tiles(&other), all_tiles(round));
        // The hand sees the same indicators when it is shown from its wall.
        let turned = round.table().indicators().len();
        let indicators = |round: &Round| (0..turned).map(|k| round.wall().indicator(k)).collect::<Vec<_>>();
        assert_eq!(indicators(&other), indicators(round));
        let live = |round: &Round| round.wall().live_tiles().to_vec();
        let moved = live(round).len() < 8 || live(&other) != live(round);
        assert!(moved, "{} live tiles stay in their order", live(round).len());
        while !other.is_over() {
            for (seat, legal) in other.decisions().collect::<Vec<_>>() {
                let action = any(legal, rng);
                other.submit(seat, action).expect("a legal action is accepted");
            }
        }
    });
}

/// All tiles of a hand in play, sorted: in hands, open and in the wall.
fn all_tiles(round: &Round) -> Vec<Tile> {
    let (table, wall) = (round.table(), round.wall());
    let (rules, seats) = (table.rules(), || table.rules().players.seats());
    let private = seats().map(|seat| round.private(seat));
    let mut tiles: Vec<Tile> = private.flat_map(|own| own.hand().tiles().chain(own.drawn())).collect();
    tiles.extend(seats().flat_map(|seat| table.side(seat).melds()).flat_map(|meld| meld.tiles()));
    tiles.extend(table.discards().iter().filter(|d| d.claimed_by.is_none()).map(|d| d.tile));
    tiles.extend(table.indicators());
    let norths: u8 = seats().map(|seat| table.side(seat).norths()).sum();
    tiles.extend((0..norths).map(|_| Tile::plain(TileKind::NORTH)));
    let offered = table.offer().filter(|offer| matches!(offer.kind, OfferKind::Kakan | OfferKind::Kita));
    tiles.extend(offered.map(|offer| offer.tile));
    let replaced = usize::from(table.kans() + norths);
    let live_at_deal = wall.tiles().len() - 14 - 13 * usize::from(rules.players.count());
    let drawn = live_at_deal - replaced - usize::from(table.live());
    let left = unseen_indexes(rules, wall, drawn, replaced, table.indicators().len());
    tiles.extend(left.into_iter().map(|index| wall.tiles()[index]));
    tiles.sort_unstable();
    tiles
}
