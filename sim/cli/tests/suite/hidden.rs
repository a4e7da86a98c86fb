//! Tiles hidden from a bot change no byte that it receives.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use jantaku_agents::{Agent, Catalog, Greedy, News, Policy as _, Random, Request, Setup, TableId, Update};
use jantaku_engine::replay::{HandReplayer, Script, Spectator};
use jantaku_engine::{
    Action, Declare, Event, Game, HandEnd, MeldKind, Observation, Observer, Outcome, Rng, Rules, Seat,
    SeatSet, Standing, Tile, Wall,
};

use crate::common::program::{folder, text};
use crate::hand_game::dealt;

/// The answers of all seats in a hand, by the number of events before them and the seat.
type Answers = BTreeMap<(usize, usize), VecDeque<Action>>;

/// A hand in play. Seats answer as in an earlier hand, and otherwise by policies.
struct InPlay<'a> {
    /// None if all seats answer as in an earlier hand.
    bot: Option<&'a mut (dyn Agent + 'static)>,
    own: Seat,
    table: TableId,
    earlier: Option<Answers>,
    answers: Answers,
    events: Vec<Event>,
}

impl Observer for InPlay<'_> {
    fn event(&mut self, event: &Event) {
        if let Some(bot) = &mut self.bot {
            let news = event.seen_by(self.own);
            let update = Update { table: self.table, seat: self.own, news: News::Event(&news) };
            bot.update(update).expect("the bot takes news");
        }
        self.events.push(event.clone());
    }
}

impl Spectator for InPlay<'_> {
    fn decision(&mut self, _: &Observation<'_>, _: Action) {}
}

impl Script for InPlay<'_> {
    type Stop = ();

    /// Stops if an answer of the earlier hand is not legal.
    fn answer(&mut self, game: &Game, o: &Observation<'_>) -> Result<Action, ()> {
        let (at, mut rng) = ((self.events.len(), o.seat().index()), game.random_stream(o.seat(), 0));
        let action = match (&mut self.bot, &mut self.earlier) {
            (Some(bot), _) if o.seat() == self.own => {
                let mut replies = Vec::new();
                let request = Request { table: self.table, observation: *o, rng };
                bot.decide(&mut [request], &mut replies).expect("the bot answers");
                replies[0].action
            }
            (_, Some(earlier)) => {
                let action = earlier.get_mut(&at).and_then(VecDeque::pop_front).unwrap_or(Action::Pass);
                if !o.legal().contains(action.id()) {
                    return Err(());
                }
                action
            }
            // Some players choose at random, so they call and kan often.
            _ if (o.seat().index() as u64 + self.table.0).is_multiple_of(3) => Random.choose(o, &mut rng),
            _ => Greedy::default().choose(o, &mut rng),
        };
        self.answers.entry(at).or_default().push_back(action);
        Ok(action)
    }
}

/// A hand that was played.
struct Played<'a> {
    /// The replay before the hand.
    replayer: HandReplayer<'a>,
    standing: Standing,
    wall: Wall,
    answers: Answers,
    events: Vec<Event>,
}

impl Played<'_> {
    /// The positions of the wall that the hand never shows to a seat, and the undrawn ones among
    /// them. The hands of players in riichi, of winners and of players tenpai at a draw do not
    /// count as hidden: with other tiles, these players could not act as they did.
    fn hidden(&self, own: Seat) -> (Vec<usize>, Vec<usize>) {
        let tiles = self.wall.tiles();
        let mut held: Vec<Vec<usize>> = Vec::new();
        let (mut live, mut replacements, mut indicators) = (52.., [134, 135, 132, 133].into_iter(), 0);
        let mut stays = BTreeSet::new();
        let mut fixed = SeatSet::from_iter([own]);
        let mut take = |hand: &mut Vec<usize>, tile: Tile| {
            let at = hand.iter().position(|at| tiles[*at] == tile).expect("the player has the tile");
            stays.insert(hand.remove(at));
        };
        for event in &self.events {
            match event {
                Event::Deal { dealer, .. } => {
                    let of = |steps: usize| (0..13).map(|nth| dealt(steps, nth, 4)).collect();
                    held = (0..4).map(|seat| of((seat + 4 - dealer.index()) % 4)).collect();
                }
                Event::Draw { seat, tile, replacement } => {
                    let at = if *replacement { replacements.next() } else { live.next() };
                    let at = at.expect("the wall has more tiles");
                    assert_eq!(Some(tiles[at]), *tile, "the draw is at {at}");
                    held[seat.index()].push(at);
                }
                Event::Discard { seat, tile, tsumogiri, declare } => {
                    let hand = &mut held[seat.index()];
                    if *tsumogiri {
                        hand.rotate_right(1);
                    }
                    take(hand, *tile);
                    if *declare != Declare::Nothing {
                        fixed.insert(*seat);
                    }
                }
                Event::Call { seat, meld } | Event::Ankan { seat, meld } => {
                    let mut own: Vec<Tile> = meld.tiles().collect();
                    if let Some(claimed) = meld.claimed() {
                        own.swap_remove(own.iter().position(|tile| *tile == claimed.tile).expect("it is in"));
                    }
                    own.into_iter().for_each(|tile| take(&mut held[seat.index()], tile));
                }
                Event::Kakan { seat, tile } => take(&mut held[seat.index()], *tile),
                Event::Indicator { .. } => indicators += 1,
                Event::HandEnd(outcome) => {
                    outcome.wins().iter().for_each(|win| fixed.insert(win.winner));
                    if let HandEnd::Draw { tenpai, .. } = &outcome.end {
                        fixed = fixed | *tenpai;
                    }
                }
                _ => {}
            }
        }
        let ura = self.outcome().wins().iter().map(|win| win.ura_indicators.len()).max().unwrap_or(0);
        stays.extend((0..=indicators).map(|k| 130 - 2 * k).chain((0..ura).map(|k| 131 - 2 * k)));
        stays.extend(fixed.iter().flat_map(|seat| held[seat.index()].clone()));
        let hidden: Vec<usize> = (0..tiles.len()).filter(|at| !stays.contains(at)).collect();
        let in_hands: BTreeSet<usize> = held.into_iter().flatten().collect();
        let undrawn = hidden.iter().copied().filter(|at| !in_hands.contains(at)).collect();
        (hidden, undrawn)
    }

    fn outcome(&self) -> &Outcome {
        outcome(&self.events)
    }

    /// The wall with other tiles at the hidden positions. All players can still act as they did,
    /// with the same payments. Also returns whether tiles of hands are among them.
    fn other_wall(&self, own: Seat, table: TableId, rules: &Rules, rng: &mut Rng) -> (Wall, bool) {
        const TRIES: usize = 60;
        let (hidden, undrawn) = self.hidden(own);
        assert!(undrawn.iter().any(|at| *at >= 122), "tiles of the dead wall are hidden");
        for attempt in 0..=TRIES {
            let wall = permuted(&self.wall, if attempt < TRIES { &hidden } else { &undrawn }, rules, rng);
            let (earlier, answers) = (Some(self.answers.clone()), Answers::new());
            let mut hand = InPlay { bot: None, own, table, earlier, answers, events: Vec::new() };
            let played = self.replayer.clone().play(&self.standing, Some(wall), &mut hand);
            if played.is_ok() && hand.events.len() == self.events.len() && {
                let [found, expected] = [outcome(&hand.events), self.outcome()];
                let is_draw = |outcome: &Outcome| matches!(outcome.end, HandEnd::Draw { .. });
                found.deltas == expected.deltas
                    && is_draw(found) == is_draw(expected)
                    && (!is_draw(found) || found.end == expected.end)
            } {
                return (wall, attempt < TRIES);
            }
        }
        panic!("other undrawn tiles change what the players may do");
    }
}

fn outcome(events: &[Event]) -> &Outcome {
    let ends = events.iter().find_map(|event| if let Event::HandEnd(end) = event { Some(end) } else { None });
    ends.expect("the hand has ended")
}

/// The wall with the tiles at these positions in another order.
fn permuted(wall: &Wall, positions: &[usize], rules: &Rules, rng: &mut Rng) -> Wall {
    let mut tiles = wall.tiles().to_vec();
    let mut moved: Vec<Tile> = positions.iter().map(|at| tiles[*at]).collect();
    rng.shuffle(&mut moved);
    positions.iter().zip(moved).for_each(|(at, tile)| tiles[*at] = tile);
    Wall::from_tiles(&tiles, rules).expect("the same tiles")
}

/// A bot that writes its input to a file.
fn bot(dialect: &str, told: &Path) -> Box<dyn Agent> {
    let program = env!("CARGO_BIN_EXE_jantaku");
    let command = format!("tee '{}' | '{program}' mjai --agent greedy", told.display());
    let text = format!(r#"mjai:command="sh -c \"{command}\"",dialect={dialect}"#);
    let agent = Catalog::standard().agent(&text).unwrap_or_else(|error| panic!("{error}"));
    agent.start(&Setup::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The input of the bot in a whole game.
fn read_told(told: &Path) -> String {
    let end = Instant::now() + Duration::from_mins(20);
    loop {
        let found = text(&fs::read(told).unwrap_or_default());
        let last = found.lines().last().unwrap_or_default();
        if found.ends_with('\n') && last.contains("end_game") {
            return found;
        }
        assert!(Instant::now() < end, "the game has no end: {last}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What happens in the games together.
const FEATURES: &str = "own Chi, own Pon, own riichi, own ron, own tsumo, other Chi, other Pon, other Daiminkan, \
    other kan, other riichi, other ron, other tsumo, draw, indicator";

/// The calls and ends of a hand, as seen from the bot's seat.
fn features(events: &[Event], own: Seat) -> Vec<String> {
    let whose = |seat: Seat| if seat == own { "own" } else { "other" };
    let feature = |event: &Event| match event {
        Event::Call { seat, meld } => Some(format!("{} {:?}", whose(*seat), meld.kind())),
        Event::Ankan { seat, meld } => {
            assert_eq!(meld.kind(), MeldKind::Ankan);
            Some(format!("{} kan", whose(*seat)))
        }
        Event::Kakan { seat, .. } => Some(format!("{} kan", whose(*seat))),
        Event::RiichiAccepted { seat } => Some(format!("{} riichi", whose(*seat))),
        Event::HandEnd(outcome) => Some(match outcome.wins() {
            [] => "draw".to_owned(),
            [win, ..] if win.from.is_some() => format!("{} ron", whose(win.winner)),
            [win, ..] => format!("{} tsumo", whose(win.winner)),
        }),
        Event::Indicator { .. } => Some("indicator".to_owned()),
        _ => None,
    };
    events.iter().filter_map(feature).collect()
}

/// A whole game is played twice. The second time, the tiles that the bot's seat does not see up to
/// the end of the hand are others. They are in the other players' hands, the live wall and the dead
/// wall. All players but the bot answer as before. Facts revealed at the end of a hand stay: the
/// tenpai players, the winning hands, and their ura indicators.
#[test]
fn hidden_tiles_change_no_byte_that_a_bot_receives() {
    let (rules, folder) = (Rules::default(), folder());
    let mut missing: BTreeSet<&str> = FEATURES.split(", ").collect();
    let (mut hands, mut with_hands) = (0, 0);
    for seed in 0.. {
        if seed >= 6 && missing.is_empty() {
            break;
        }
        assert!(seed < 30, "{missing:?}");
        let (table, own) = (TableId(seed), Seat::new(seed as u8 % 4).expect("a seat"));
        let dialect = ["app", "line", "line,can_act=on"][seed as usize % 3];
        let [told, told_again] = ["told", "again"].map(|name| folder.path().join(format!("{name} {seed}")));
        let mut agent = bot(dialect, &told);
        let start = Update { table, seat: own, news: News::GameStart { rules: &rules } };
        agent.update(start).expect("the bot starts");
        let (mut replayer, mut played) = (HandReplayer::new(&rules), Vec::new());
        let mut next = Some(Standing::start(&rules));
        while let Some(standing) = next {
            let wall = Wall::of_hand(seed, standing.round, standing.honba, standing.attempt, &rules);
            let (before, bot) = (replayer.clone(), Some(&mut *agent));
            let (answers, events) = (Answers::new(), Vec::new());
            let mut hand = InPlay { bot, own, table, earlier: None, answers, events };
            next = replayer.play(&standing, Some(wall), &mut hand).expect("legal answers").next();
            let InPlay { answers, events, .. } = hand;
            features(&events, own).iter().for_each(|feature| {
                missing.remove(feature.as_str());
            });
            played.push(Played { replayer: before, standing, wall, answers, events });
        }
        let told = read_told(&told);
        let mut agent = bot(dialect, &told_again);
        agent.update(start).expect("the bot starts");
        let rng = &mut Rng::new(seed);
        for hand in &played {
            let (wall, has_hands) = hand.other_wall(own, table, &rules, rng);
            hands += 1;
            with_hands += usize::from(has_hands);
            let (bot, earlier) = (Some(&mut *agent), Some(hand.answers.clone()));
            let (answers, events) = (Answers::new(), Vec::new());
            let mut again = InPlay { bot, own, table, earlier, answers, events };
            let ended = hand.replayer.clone().play(&hand.standing, Some(wall), &mut again);
            ended.expect("the others answer as before");
            assert_ne!(again.events, hand.events, "seed {seed}: the tiles differ");
        }
        assert_eq!(read_told(&told_again), told, "seed {seed} {dialect}");
        assert!(told.len() > 1000, "{told}");
    }
    assert!(with_hands * 2 > hands, "other hands in {with_hands} of {hands}");
}
