//! Compares the perft counts in the files with the engine's and with those of [`Referee`], a second
//! and slower generator of legal actions.
//!
//! `JANTAKU_WRITE=1` writes the files instead of comparing them.

mod referee;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jantaku_engine::perft::{self, PerftPosition};
use jantaku_engine::{
    Action, ActionId, ActionSet, Declare, Event, Game, Observer, Phase, Rng, Round, Rules, Seat, Standing,
    Wall,
};
use referee::{Asked, Referee};

use crate::sizes::{PERFT_FILES, PERFT_LINES, REFEREE_HANDS};

/// The files, and their rules as TOML.
const FILES: [(&str, &str); 7] = [
    ("tenhou", "base = \"tenhou\""),
    ("mjsoul", "base = \"mjsoul\""),
    ("mleague", "base = \"mleague\""),
    ("ema-2016", "base = \"ema-2016\""),
    ("tenhou-sanma", "base = \"tenhou-sanma\""),
    ("mjsoul-sanma", "base = \"mjsoul-sanma\""),
    (
        "two-players",
        "base = \"tenhou\"\nplayers = 2\nmax_ron = 1\ntriple_ron = \"HeadBump\"\numa = [10, -10]\nriichi_min_live = 2\nnoten_pool = 1000",
    ),
];

/// The files count to the last depth with fewer lines than this.
const MAX_LINES: u64 = 300_000;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft").join(name).with_extension("toml")
}

fn read(name: &str) -> (Rules, Vec<PerftPosition>) {
    let text = std::fs::read_to_string(file(name)).expect("the file is there");
    perft::read(&text, name).unwrap_or_else(|error| panic!("{error}"))
}

/// The counts in the files and the engine's counts below each action are the referee's.
#[test]
fn counts_match_the_referee() {
    let most = u64::from(PERFT_LINES.get());
    for (name, _) in FILES {
        let (rules, positions) = read(name);
        for position in positions {
            let mut referee = Referee::new(&rules);
            let round = played(&position, &rules, &mut referee);
            for (depth, expected) in (1..).zip(&position.counts).filter(|(_, lines)| **lines <= most) {
                let asked = same_decisions(&round, &referee);
                let divided = slow_divide(&round, &referee, &asked, &[], depth);
                let context = format!("{name} {} at depth {depth}", position.name);
                assert_eq!(divided.iter().map(|(_, _, lines)| lines).sum::<u64>(), *expected, "{context}");
                assert_eq!(perft::divide(&round, depth), divided, "{context}");
            }
        }
    }
}

/// Rules without a file of positions: those of a room that bear on a hand in play.
const ROOM: (&str, &str) =
    ("room", "base = \"tenhou\"\nriichi_stick = 5000\nstart_indicators = 3\ndouble_round_wind = true");

#[test]
fn engine_and_referee_agree_from_deal_to_end() {
    for (name, toml) in FILES.into_iter().chain([ROOM]) {
        let rules = Rules::from_toml(toml, name).expect("valid rules");
        for seed in 0..u64::from(REFEREE_HANDS.get()) {
            let (mut referee, mut rng) = (Referee::new(&rules), Rng::new(seed));
            let mut round = dealt(&rules, seed, &mut referee);
            while !round.is_over() {
                let (mut events, mut answers) = (Vec::new(), Vec::new());
                for (seat, allowed) in same_decisions(&round, &referee) {
                    let action = plausible(&round, seat, allowed, &mut rng);
                    round.submit_seen(seat, action, &mut events).expect("an action that the referee allows");
                    answers.push(action);
                }
                referee.answered(&answers);
                tell(&mut referee, &events);
            }
            assert!(referee.ends(), "{name} {seed}: the hand should continue");
        }
    }
}

/// The first hand of a game.
fn dealt(rules: &Rules, seed: u64, seen: &mut impl Observer) -> Round {
    let wall = Wall::of_hand(seed, 0, 0, 0, rules);
    let game = Game::at(rules, seed, &Standing::start(rules), Some(wall), seen).expect("a fresh wall");
    game.round().clone()
}

/// Plays the moves of a position while the referee checks every decision.
fn played(position: &PerftPosition, rules: &Rules, referee: &mut Referee) -> Round {
    let start = PerftPosition { moves: Vec::new(), ..position.clone() };
    let mut round = start.round(rules, referee).expect("a valid wall");
    let mut moves = position.moves.iter();
    while moves.len() > 0 {
        let asked = same_decisions(&round, referee);
        let mut events = Vec::new();
        let mut answers = Vec::new();
        for (seat, allowed) in asked {
            let Some(text) = moves.next() else { return round };
            let is_meant = |id: &ActionId| perft::move_text(&round.observe(seat), *id) == *text;
            let id = allowed.iter().find(is_meant).unwrap_or_else(|| panic!("`{text}` is not a legal move"));
            answers.push(id.action());
            round.submit_seen(seat, id.action(), &mut events).expect("an action that the referee allows");
        }
        referee.answered(&answers);
        tell(referee, &events);
    }
    round
}

fn tell(referee: &mut Referee, events: &[Event]) {
    events.iter().for_each(|event| referee.event(event));
}

/// The decisions of the engine and of the referee, which must be the same.
fn same_decisions(round: &Round, referee: &Referee) -> Asked {
    let asked = referee.asked();
    let mut expected = asked.clone();
    expected.sort_by_key(|(seat, _)| seat.number());
    assert_eq!(round.decisions().collect::<Asked>(), expected, "{:#?}", round.table());
    assert_eq!(perft::next_decision(round), asked.first().copied(), "order of answers");
    asked
}

/// [`perft::count`] by the referee.
fn slow_count(round: &Round, referee: &Referee, depth: u32) -> u64 {
    if round.is_over() {
        assert!(referee.ends(), "the hand should continue: {:#?}", round.table());
        return 1;
    }
    let asked = same_decisions(round, referee);
    slow_lines(round, referee, &asked, &[], depth)
}

/// The lines of the players in `asked`, who still have to answer, after these answers.
fn slow_lines(
    round: &Round,
    referee: &Referee,
    asked: &[(Seat, ActionSet)],
    answers: &[Action],
    depth: u32,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    slow_divide(round, referee, asked, answers, depth).iter().map(|(_, _, lines)| lines).sum()
}

/// [`perft::divide`] by the referee, who decides who answers and what is legal.
///
/// It tries all actions on a copy: the engine must accept the legal ones and refuse the others.
fn slow_divide(
    round: &Round,
    referee: &Referee,
    asked: &[(Seat, ActionSet)],
    answers: &[Action],
    depth: u32,
) -> Vec<(Seat, ActionId, u64)> {
    let [(seat, allowed), others @ ..] = asked else { panic!("no player is asked: {:#?}", round.table()) };
    let mut divided = Vec::new();
    for id in ActionId::all() {
        let (mut copy, mut events) = (round.clone(), Vec::new());
        let accepted = copy.submit_seen(*seat, id.action(), &mut events).is_ok();
        assert_eq!(accepted, allowed.contains(id), "{seat:?} {id:?} in {:#?}", round.table());
        if !accepted {
            continue;
        }
        let answers: Vec<Action> = answers.iter().copied().chain([id.action()]).collect();
        let lines = if others.is_empty() {
            let mut referee = referee.clone();
            referee.answered(&answers);
            tell(&mut referee, &events);
            slow_count(&copy, &referee, depth - 1)
        } else {
            slow_lines(&copy, referee, others, &answers, depth - 1)
        };
        divided.push((*seat, id, lines));
    }
    divided
}

/// The name of a position, and the test that a hand in play must pass.
type Feature = (&'static str, fn(&Round) -> bool);

/// The positions to look for: each kind of action, and the points where rules differ.
const FEATURES: [Feature; 21] = [
    ("deal", |round| round.table().discards().is_empty()),
    ("first turn of the second player", |round| {
        round.table().discards().len() == 1 && round.table().phase() == Phase::Turn
    }),
    ("kyuushu kyuuhai", |round| may(round, |action| action == Action::KyuushuKyuuhai)),
    ("chi", |round| may(round, |action| matches!(action, Action::Chi { .. }))),
    ("chi with and without a red five", |round| {
        may(round, |action| matches!(action, Action::Chi { red: true, .. }))
            && may(round, |action| matches!(action, Action::Chi { red: false, .. }))
    }),
    ("pon", |round| may(round, |action| matches!(action, Action::Pon { .. }))),
    ("several claims", |round| round.decisions().count() > 1),
    ("discard after a call", |round| {
        let table = round.table();
        table.phase() == Phase::Turn && round.private(table.turn()).drawn().is_none()
    }),
    ("daiminkan", |round| may(round, |action| action == Action::Daiminkan)),
    ("ankan or kakan", |round| may(round, |action| matches!(action, Action::Kan { .. }))),
    ("two kans", |round| round.table().kans() == 2),
    ("kan in riichi", |round| {
        let table = round.table();
        table.side(table.turn()).riichi() != jantaku_engine::Riichi::None
            && may(round, |action| matches!(action, Action::Kan { .. }))
    }),
    ("kan claim", |round| round.table().phase() == Phase::KanClaim),
    ("riichi", |round| {
        may(round, |action| matches!(action, Action::Discard { declare: Declare::Riichi, .. }))
    }),
    ("two riichi", |round| round.table().sticks() == 2),
    ("kita", |round| may(round, |action| action == Action::Kita)),
    ("tsumo", |round| may(round, |action| action == Action::Tsumo)),
    ("ron", |round| may(round, |action| action == Action::Ron)),
    ("two rons", |round| round.decisions().filter(|(_, l)| l.contains(Action::Ron.id())).count() > 1),
    ("hands shown", |round| round.table().phase() == Phase::Draw),
    ("last tiles", |round| round.table().live() < 3),
];

/// Whether a player may choose such an action.
fn may(round: &Round, wanted: impl Fn(Action) -> bool) -> bool {
    round.decisions().any(|(_, legal)| legal.iter().any(|id| wanted(id.action())))
}

/// The files have the positions and counts that the engine finds.
#[test]
fn files_match_the_engine() {
    let write = std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1");
    for (name, toml) in FILES.into_iter().take(PERFT_FILES.get() as usize) {
        let rules = Rules::from_toml(toml, name).expect("valid rules");
        let mut text =
            format!("# Perft positions. engine/src/perft.rs defines the counts.\n[rules]\n{toml}\n");
        for mut position in found_positions(&rules) {
            let round = position.round(&rules, &mut ()).expect("a position from play");
            position.counts =
                (1..12).map(|depth| perft::count(&round, depth)).take_while(|n| *n < MAX_LINES).collect();
            write_position(&mut text, &position);
        }
        if write {
            std::fs::write(file(name), &text).expect("the file can be written");
        }
        let kept = std::fs::read_to_string(file(name)).expect("the file is there");
        let differs = kept.lines().zip(text.lines()).find(|(kept, found)| kept != found);
        assert!(kept == text, "{name}: first difference: {differs:?}; JANTAKU_WRITE=1 rewrites the file");
    }
}

fn write_position(text: &mut String, position: &PerftPosition) {
    let PerftPosition { name, wall, moves, counts } = position;
    let moves: Vec<String> = moves.iter().map(|text| format!("\n    \"{text}\",")).collect();
    let (moves, end) = (moves.concat(), if moves.is_empty() { "" } else { "\n" });
    write!(
        text,
        "\n[[position]]\nname = \"{name}\"\nwall = \"{wall}\"\nmoves = [{moves}{end}]\ncounts = {counts:?}\n"
    )
    .expect("writing to a string");
}

/// The first position with each feature in the first hands of games, in order of seeds.
fn found_positions(rules: &Rules) -> Vec<PerftPosition> {
    let mut found: Vec<Option<PerftPosition>> = FEATURES.map(|_| None).to_vec();
    for seed in 0..4000 {
        let (mut round, mut rng, mut moves) = (dealt(rules, seed, &mut ()), Rng::new(seed), Vec::new());
        let wall = Wall::of_hand(seed, 0, 0, 0, rules);
        while let Some((seat, legal)) = perft::next_decision(&round) {
            // One position from each hand, for variety.
            let new = FEATURES
                .iter()
                .zip(&mut found)
                .find(|((_, has), position)| position.is_none() && has(&round));
            if let Some(((name, _), position)) = new {
                *position = Some(PerftPosition::new(name, &wall, moves));
                break;
            }
            let action = plausible(&round, seat, legal, &mut rng);
            moves.push(perft::move_text(&round.observe(seat), action.id()));
            round.submit(seat, action).expect("a legal action is accepted");
        }
    }
    found.into_iter().flatten().collect()
}

/// A plausible action: mostly a discard towards tenpai, sometimes a call or kan, never a win.
fn plausible(round: &Round, seat: Seat, legal: ActionSet, rng: &mut Rng) -> Action {
    let view = round.observe(seat);
    let actions: Vec<Action> = legal.iter().map(ActionId::action).collect();
    let choose = |wanted: &dyn Fn(&Action) -> bool, rng: &mut Rng| {
        let some: Vec<Action> = actions.iter().copied().filter(|action| wanted(action)).collect();
        (!some.is_empty()).then(|| some[rng.below(some.len())])
    };
    let is_kan = |a: &Action| matches!(a, Action::Kan { .. } | Action::Daiminkan);
    let is_riichi = |a: &Action| {
        matches!(
            a,
            Action::Discard { declare: Declare::Riichi, .. } | Action::Tsumogiri { declare: Declare::Riichi }
        )
    };
    let is_call = |a: &Action| matches!(a, Action::Chi { .. } | Action::Pon { .. } | Action::Kita);
    let options = view.hand_with_draw().discard_options(view.melds().len());
    let best = options.as_slice().iter().map(|option| option.shanten).min();
    let keeps_pace = |a: &Action| {
        let kind = match a {
            Action::Discard { tile, declare: Declare::Nothing } => tile.kind(),
            Action::Tsumogiri { declare: Declare::Nothing } => view.drawn().expect("a drawn tile").kind(),
            _ => return false,
        };
        options.as_slice().iter().any(|option| option.kind == kind && Some(option.shanten) == best)
    };
    let sometimes = |often: usize, rng: &mut Rng| rng.below(4) < often;
    let chosen = (if sometimes(3, rng) { choose(&is_kan, rng) } else { None })
        .or_else(|| if sometimes(3, rng) { choose(&is_riichi, rng) } else { None })
        .or_else(|| if sometimes(1, rng) { choose(&is_call, rng) } else { None })
        .or_else(|| choose(&|a| *a == Action::Pass, rng))
        .or_else(|| choose(&keeps_pace, rng));
    chosen.or_else(|| choose(&|_| true, rng)).expect("something is legal")
}
