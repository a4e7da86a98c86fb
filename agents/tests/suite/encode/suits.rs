//! Permuted games have permuted encodings: encode ∘ permute = permute ∘ encode.

use jantaku_agents::encode::{EventsV1, OracleV1, PlanesV1, SparseV1, SuitOrder};
use jantaku_engine::rules::Preset;
use jantaku_engine::{ActionId, Game, Observation, Rng, Rules, Standing, Tile, TileSet, Wall};

use super::oracle::Oracle;
use super::{events, play, sparse};

/// Starts a hand from its own wall, or from the wall with permuted suits.
fn start(rules: &Rules, seed: u64, standing: &Standing, order: SuitOrder) -> Game {
    let wall = Wall::of_hand(seed, standing.round, standing.honba, 0, rules);
    let tiles: Vec<Tile> = wall.tiles().iter().map(|tile| order.tile(*tile)).collect();
    let wall = Wall::from_tiles(&tiles, rules).expect("the order keeps the tiles of the rules");
    Game::at(rules, seed, standing, Some(wall), &mut ()).expect("a standing of these rules")
}

/// Plays a hand and its permuted twin, and compares the encodings of every decision.
fn compare(rules: &Rules, seed: u64, order: SuitOrder) -> usize {
    let mut rng = Rng::new(seed);
    let mut standing = Standing::start(rules);
    standing.round = rng.below(6) as u16;
    standing.honba = rng.below(3) as u16;
    let mut game = start(rules, seed, &standing, SuitOrder::ALL[0]);
    let mut twin = start(rules, seed, &standing, order);
    let mut compared = 0;
    while !game.is_over() && game.hand_count() == 1 {
        for seat in game.pending().iter() {
            let (o, permuted) = (game.observe(seat), twin.observe(seat));
            assert_eq!(order.actions(o.legal()), permuted.legal());
            let mut planes = [0; PlanesV1::BYTES];
            let mut expected = [0; PlanesV1::BYTES];
            PlanesV1::encode(&o, &mut expected);
            PlanesV1::encode(&permuted, &mut planes);
            order.planes(&mut expected);
            for ((channel, plane), expected) in PlanesV1::ENCODER
                .table()
                .channels
                .iter()
                .zip(planes.as_chunks::<34>().0)
                .zip(expected.as_chunks::<34>().0)
            {
                assert_eq!(plane, expected, "{channel}, {order}");
            }
            compare_oracles(order, Oracle::of(game.round(), seat), &Oracle::of(twin.round(), seat));
            let ((features, scalars), twins) = (sparse::encoded(&o), sparse::encoded(&permuted));
            let feature = |number| order.feature(SparseV1::ENCODER.table().features, number);
            let mut features: Vec<u16> = features.into_iter().map(feature).collect();
            features.sort_unstable();
            assert_eq!((features, scalars), twins);
            compare_events(order, &o, &permuted);
            compared += 1;
            let action = play::choose(&o, &mut rng);
            game.submit(seat, action).expect("a legal action");
            let action = order.action(action.id()).action();
            twin.submit(seat, action).expect("the permuted action is legal in the permuted hand");
        }
    }
    compared
}

/// The tokens of the hand and those at the end are in the order of the kinds, which an order of suits changes.
fn compare_events(order: SuitOrder, o: &Observation<'_>, permuted: &Observation<'_>) {
    let ((sequence, scalars), (twin, twins)) = (events::encoded(o), events::encoded(permuted));
    assert_eq!(scalars.map(f32::to_bits), twins.map(f32::to_bits));
    let is_event = |token: &u16| events::in_words(*token).starts_with("event.");
    let sequence: Vec<u16> =
        sequence.iter().map(|token| order.feature(EventsV1::ENCODER.table().features, *token)).collect();
    let told = |sequence: &[u16]| sequence.iter().copied().filter(is_event).collect::<Vec<_>>();
    assert_eq!(told(&sequence), told(&twin));
    let sorted = |mut sequence: Vec<u16>| {
        sequence.sort_unstable();
        sequence
    };
    assert_eq!(sorted(sequence), sorted(twin));
}

fn compare_oracles(order: SuitOrder, mut expected: Oracle, found: &Oracle) {
    order.planes(expected.0.as_mut_slice());
    for channel in OracleV1::channels() {
        let name = channel.to_string();
        assert_eq!(found.channel(&name), expected.channel(&name), "{name}, {order}");
    }
}

#[test]
fn permuted_hands_have_permuted_encodings() {
    for name in ["tenhou", "tenhou-sanma", "mjsoul-sanma", "duo", "dragon-kong", "riichi-city"] {
        let rules = Preset::named(name).expect("a preset").rules();
        let orders: Vec<SuitOrder> = SuitOrder::allowed(&rules).collect();
        let compared: usize = (0..u64::from(play::hands() / 6))
            .map(|seed| compare(&rules, seed, orders[seed as usize % orders.len()]))
            .sum();
        assert!(compared > 3 * play::hands() as usize, "{name}: {compared} decisions");
    }
}

/// Orders that would change the tiles of the rules are not allowed.
#[test]
fn allowed_orders_keep_the_tiles() {
    let allowed = |name: &str| {
        let rules = Preset::named(name).expect("a preset").rules();
        SuitOrder::allowed(&rules).map(|order| order.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(allowed("tenhou"), ["mps", "msp", "pms", "psm", "smp", "spm"]);
    assert_eq!(allowed("tenhou-noaka").len(), 6);
    assert_eq!(allowed("tenhou-sanma"), ["mps", "msp"]);
    let mut rules = Rules::default();
    rules.aka.p = 2;
    let orders: Vec<String> = SuitOrder::allowed(&rules).map(|order| order.to_string()).collect();
    assert_eq!(orders, ["mps", "spm"]);
}

#[test]
fn an_order_and_its_inverse_undo_each_other() {
    let kinds: TileSet = "1258m37p9s1357z".parse().expect("notation");
    for order in SuitOrder::ALL {
        let inverse = order.inverse();
        assert_eq!(inverse.kinds(order.kinds(kinds)), kinds);
        assert_eq!(order.kinds(kinds), kinds.iter().map(|kind| order.kind(kind)).collect());
        let mut policy = [0; ActionId::COUNT];
        for id in ActionId::all() {
            assert_eq!(inverse.action(order.action(id)), id);
            policy[usize::from(id.number())] = id.number();
        }
        let permuted = order.policy(&policy);
        assert!(ActionId::all().all(|id| permuted[usize::from(order.action(id).number())] == id.number()));
        assert_eq!(inverse.policy(&permuted), policy);
        assert!(Tile::all().all(|tile| inverse.tile(order.tile(tile)) == tile));
    }
}
