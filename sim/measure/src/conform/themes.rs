//! What is asked: positions of perft, rule cases, hands to score, random games.

use jantaku_agents::{Greedy, Policy as _};
use jantaku_engine::cases::{self, Play};
use jantaku_engine::rules::Preset;
use jantaku_engine::{Action, Event, Game, Phase, Rng, Rules, Seat, Win, perft};

use super::lockstep::{Lockstep, agree};
use super::peer::{Difference, Peer};
use super::{Asked, ConformRequest, Failure, Theme, vectors};

/// The presets of random games. The last two are for three players; random hands use the others.
const PRESETS: [&str; 6] = ["tenhou", "mjsoul", "mleague", "ema-2016", "tenhou-sanma", "mjsoul-sanma"];

impl Asked<'_, '_> {
    /// Asks all items of the theme.
    pub(super) fn run(&mut self, request: &ConformRequest) {
        match self.score.theme {
            Theme::Perft => self.perft(),
            Theme::Cases => self.cases(),
            Theme::Scoring => self.scoring(request),
            Theme::Games => self.games(request),
        }
    }

    /// Plays every answer at each position.
    fn perft(&mut self) {
        for (file, text) in perft::FILES {
            let (rules, positions) = perft::read(text, file).unwrap_or_else(|error| panic!("{error}"));
            for position in positions {
                self.item(format!("{file}: {}", position.name), &rules, |peer, failure| {
                    let round = position.round(&rules, &mut ()).expect("a position of the project");
                    perft::divide(&round, 1).into_iter().try_for_each(|(seat, id, _)| {
                        let mut dealt = Vec::new();
                        let mut game = position.deal(&rules, &mut dealt).expect("a wall of the project");
                        let answer = perft::move_text(&round.observe(seat), id);
                        let mut moves = position.moves.iter().chain([&answer]);
                        let choose = &mut |game: &Game| moves.next().and_then(|text| named(game, text));
                        hand(peer, failure, &mut game, dealt, choose).map(drop)
                    })
                });
            }
        }
    }

    /// Plays the hands of all rule cases, except those with fouls.
    fn cases(&mut self) {
        for (file, text) in cases::PLAYED {
            for row in cases::rows(text).iter().filter(|row| !cases::has_fouls(row)) {
                for (preset, rules) in cases::rule_sets(row) {
                    let name = format!("{file}: {} under {preset}", cases::text(row, "id"));
                    self.item(name.clone(), &rules, |peer, failure| {
                        let moves = Play::whole(row, &rules, &name).moves;
                        let (mut moves, Play { mut game, events, .. }) =
                            (moves.iter(), Play::start(row, &rules, &name));
                        let choose = &mut |game: &Game| moves.next().and_then(|text| named(game, text));
                        hand(peer, failure, &mut game, events, choose).map(drop)
                    });
                }
            }
        }
    }

    /// Scores the hands of the rule cases, and random ones.
    fn scoring(&mut self, request: &ConformRequest) {
        for row in cases::rows(cases::VALUES) {
            for (preset, rules) in cases::rule_sets(&row) {
                let name = format!("values: {} under {preset}", cases::text(&row, "id"));
                let (hand, dora) =
                    (cases::hand(&row), ["dora", "ura"].map(|key| cases::tiles(cases::text(&row, key))));
                self.score(name, &cases::win(&row, &rules, &hand, &dora));
            }
        }
        for (preset, rules) in PRESETS[..4].iter().map(|name| (name, of_preset(name))) {
            let mut rng = Rng::new(request.seed);
            for number in 0..request.hands {
                let hand = vectors::random_hand(&mut rng, &rules);
                let [dora, ura] = [(); 2].map(|()| [vectors::random_tile(&mut rng)]);
                let win = vectors::random_win(&mut rng, &rules, &hand, [&dora, &ura]);
                self.score(format!("{preset} hand {number}: {hand}"), &win);
            }
        }
    }

    fn score(&mut self, name: String, win: &Win<'_>) {
        self.item(name, win.rules, |peer, failure| {
            failure.question = vectors::question(win, peer.told(win.rules));
            let expected = vectors::answer(win);
            let found = vectors::sorted(peer.ask(&failure.question)?);
            let has_all = found["win"] == false || found["win"] == true && found["payments"].is_array();
            let agree = has_all && agree(&expected, &found);
            if agree { Ok(()) } else { Err(Difference::new(expected, found)) }
        });
    }

    /// Plays random games.
    fn games(&mut self, request: &ConformRequest) {
        for (preset, rules) in PRESETS.iter().map(|name| (name, of_preset(name))) {
            for seed in (request.seed..).take(request.games as usize) {
                self.item(format!("{preset} game {seed}"), &rules, |peer, failure| {
                    let mut rng = Rng::new(seed);
                    let mut events = Vec::new();
                    let mut game = Game::new_seen(&rules, seed, &mut events);
                    while !game.is_over() {
                        let choose = &mut |game: &Game| Some(random_answer(game, &mut rng));
                        events = hand(peer, failure, &mut game, std::mem::take(&mut events), choose)?;
                        while game.table().phase() == Phase::End && !game.is_over() {
                            let dealer = game.table().dealer();
                            game.submit_seen(dealer, Action::Pass, &mut events)
                                .expect("the dealer may play on");
                        }
                    }
                    Ok(())
                });
            }
        }
    }
}

/// Plays a hand in both engines, and keeps its question, answers and events in `failure`.
fn hand(
    peer: &mut Peer<'_>,
    failure: &mut Failure,
    game: &mut Game,
    dealt: Vec<Event>,
    choose: &mut dyn FnMut(&Game) -> Option<(Seat, Action)>,
) -> Result<Vec<Event>, Difference> {
    let mut hand = Lockstep::new(peer, game, dealt);
    let played = hand.play(choose);
    (failure.question, failure.moves, failure.events) = (hand.question, hand.moves, hand.events);
    played
}

/// The answer with this text, as in a file of perft positions. None if it is not legal.
fn named(game: &Game, text: &str) -> Option<(Seat, Action)> {
    let mut answers = game.decisions().flat_map(|(seat, legal)| legal.iter().map(move |id| (seat, id)));
    let is_meant =
        |(seat, id): &(Seat, jantaku_engine::ActionId)| perft::move_text(&game.observe(*seat), *id) == text;
    answers.find(is_meant).map(|(seat, id)| (seat, id.action()))
}

/// The answer of a player who builds towards wins, and often does something else.
fn random_answer(game: &Game, rng: &mut Rng) -> (Seat, Action) {
    let (seat, legal) = game.decisions().next().expect("a seat must answer");
    let view = game.observe(seat);
    let any = legal.nth(rng.below(legal.len() as usize) as u32).expect("a legal action").action();
    (seat, if rng.below(4) == 0 { any } else { Greedy::default().choose(&view, rng) })
}

fn of_preset(name: &str) -> Rules {
    Preset::named(name).expect("a preset of the program").rules()
}
