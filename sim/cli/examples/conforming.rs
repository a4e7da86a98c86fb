//! This engine behind the protocol of `jantaku conform`, as an example of an adapter, with planted bugs:
//!
//! ```sh
//! cargo build --example conforming
//! jantaku conform -- target/debug/examples/conforming --bug kuikae
//! ```
//!
//! `--rules NAME` states that it plays this preset alone, without changed fields.

use std::io::{BufRead as _, Write as _};

use jantaku_agents::mjai::{Event as Mjai, Translator};
use jantaku_engine::settle::{PricedWin, payments};
use jantaku_engine::{
    Action, ActionSet, Circumstances, Event, Game, Hand, Moment, Observation, Phase, Riichi, Rules, Seat,
    Shown, Standing, Tile, Wall, Win, Wind, Yaku,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Bugs that play by another rule.
const OTHER_RULES: [(&str, &str); 6] = [
    ("kuikae", "kuikae = 'Free'"),
    ("head-bump", "max_ron = 1\ntriple_ron = 'HeadBump'"),
    ("kiriage", "kiriage = true"),
    ("double-wind", "double_wind_pair_fu = 2"),
    ("late-riichi", "riichi_min_live = 1"),
    ("kan-dora", "kan_dora = { ankan = 'Immediate', minkan = 'Immediate' }"),
];

/// The engine, which plays one hand at a time.
struct Engine {
    bug: String,
    rules: Vec<String>,
    fields: Vec<String>,
    game: Option<(Game, Translator)>,
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let option = |name: &str| Some(words[words.iter().position(|word| word == name)? + 1].clone());
    let bug = option("--bug").unwrap_or_default();
    let all = || vec!["all".to_owned()];
    let (rules, fields) = option("--rules").map_or((all(), all()), |name| (vec![name], Vec::new()));
    let mut engine = Engine { bug, rules, fields, game: None };
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.expect("stdin is text")).expect("a line is JSON");
        let answer = match question["ask"].as_str() {
            Some("hello") => engine.hello(),
            Some("start") => engine.start(&question),
            Some("act") => engine.act(&question),
            Some("score") => engine.score(&question),
            _ => json!({ "error": "an unknown question" }),
        };
        println!("{answer}");
        std::io::stdout().flush().expect("stdout is open");
    }
}

fn get<T: DeserializeOwned>(question: &Value, key: &str) -> T {
    T::deserialize(&question[key]).unwrap_or_else(|error| panic!("{key}: {error}"))
}

impl Engine {
    fn hello(&self) -> Value {
        json!({
            "name": "jantaku", "version": env!("CARGO_PKG_VERSION"), "rules": self.rules, "fields": self.fields,
            "themes": ["perft", "cases", "scoring", "games"],
        })
    }

    fn rules(&self, question: &Value) -> Rules {
        let mut fields: toml::Table = get(question, "set");
        if let Some((_, other)) = OTHER_RULES.iter().find(|(bug, _)| *bug == self.bug) {
            fields.extend(other.parse::<toml::Table>().expect("TOML"));
        }
        fields.insert("base".to_owned(), get::<String>(question, "rules").into());
        Rules::from_toml(&fields.to_string(), "the question").unwrap_or_else(|error| panic!("{error}"))
    }

    fn start(&mut self, question: &Value) -> Value {
        let rules = self.rules(question);
        let wall = Wall::from_tiles(&get::<Vec<Tile>>(question, "wall"), &rules).expect("a wall");
        let counters = [get(question, "honba"), get(question, "sticks")];
        let standing = Standing::at_deal(get(question, "round"), counters, get(question, "scores"));
        let mut events = Vec::new();
        let game = Game::at(&rules, 0, &standing, Some(wall), &mut events).expect("a standing");
        self.game = Some((game, Translator::new(&rules, standing.scores)));
        self.state(&events)
    }

    fn act(&mut self, question: &Value) -> Value {
        let (game, _) = self.game.as_mut().expect("a hand was started");
        let mut events = Vec::new();
        for (seat, text) in question["actions"].as_object().expect("actions by seat") {
            let seat = Seat::new(seat.parse().expect("a seat")).expect("a seat");
            let view = game.observe(seat);
            let action =
                view.legal().iter().find(|id| Some(view.describe(id.action()).as_str()) == text.as_str());
            let Some(action) = action else { return json!({ "error": format!("{text} is not legal") }) };
            game.submit_seen(seat, action.action(), &mut events).expect("a legal action");
        }
        self.state(&events)
    }

    fn state(&mut self, events: &[Event]) -> Value {
        let (game, translator) = self.game.as_mut().expect("a hand was started");
        let (mut state, mut told): (_, Vec<Mjai>) = (json!({ "legal": {} }), Vec::new());
        let mut is_over = false;
        for event in events {
            match event {
                Event::Deal { round, honba, sticks, scores, .. } if is_over => {
                    state["next"] =
                        json!({ "round": round, "honba": honba, "sticks": sticks, "scores": scores });
                }
                Event::GameEnd { results, .. } => state["results"] = json!(results),
                event if !is_over => translator.translate(event, &mut told),
                _ => {}
            }
            is_over |= matches!(event, Event::HandEnd(_));
        }
        if !is_over {
            for (seat, legal) in game.decisions() {
                let view = game.observe(seat);
                let legal = wrong(&self.bug, &view, legal);
                let texts: Vec<String> = legal.iter().map(|id| view.describe(id.action())).collect();
                state["legal"][seat.number().to_string()] = json!(texts);
            }
        }
        state["events"] = json!(told);
        state
    }

    fn score(&self, question: &Value) -> Value {
        let rules = self.rules(question);
        let win: Tile = get(question, "win");
        let mut concealed: Vec<Tile> = get(question, "concealed");
        let place = concealed.iter().position(|tile| tile.kind() == win.kind()).expect("the winning tile");
        let last = concealed.swap_remove(place);
        let list = |tiles: &[Tile]| tiles.iter().map(Tile::to_string).collect::<String>();
        let melds = question["melds"].as_array().expect("melds").iter().map(|meld| {
            let [open, close] = if meld["type"] == "ankan" { ["<", ">"] } else { ["[", "]"] };
            format!("{open}{}{close}", list(&get::<Vec<Tile>>(meld, "tiles")))
        });
        let text = format!("{}{}+{last}", list(&concealed), melds.collect::<String>());
        let hand: Hand = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let [dora, ura] = ["dora", "ura"].map(|key| get::<Vec<Tile>>(question, key));
        let wind = |key| Wind::ALL["ESWN".find(question[key].as_str().expect("a wind")).expect("a wind")];
        let word =
            |key: &str, words: &[&str]| words.iter().position(|word| question[key] == *word).expect("a word");
        let moments =
            [Moment::Ordinary, Moment::LastTile, Moment::Rinshan, Moment::KitaReplacement, Moment::Chankan];
        let win = Win {
            tsumo: get(question, "tsumo"),
            seat_wind: wind("seat"),
            round_wind: wind("round"),
            riichi: [Riichi::None, Riichi::Single, Riichi::Double][get::<usize>(question, "riichi")],
            ippatsu: get(question, "ippatsu"),
            first_turn: get(question, "first_turn"),
            moment: moments[word("moment", &["", "last tile", "rinshan", "kita", "chankan"])],
            indicators: &dora,
            ura_indicators: &ura,
            circumstances: Circumstances {
                honba: get(question, "honba"),
                dealer_wins: get(question, "dealer_wins"),
                riichi_tile: get(question, "riichi_tile"),
                after_kan: get(question, "after_kan"),
                shown: [Shown::Nothing, Shown::Waits, Shown::WaitsToFeeder]
                    [word("shown", &["", "waits", "waits to feeder"])],
            },
            ..Win::new(&rules, &hand)
        };
        value(&win)
    }
}

/// What a hand is worth.
fn value(win: &Win<'_>) -> Value {
    let Some(score) = win.score() else { return json!({ "win": false }) };
    let winner = Seat::new(win.seat_wind as u8).expect("a seat");
    let from = win.rules.players.others(winner).next().filter(|_| !win.tsumo);
    let honba = win.circumstances.honba.into();
    let paid =
        payments(&PricedWin { winner, from, score: &score, liable: &[], honba }, Seat::FIRST, win.rules);
    let mut paid: Vec<i32> = paid.iter().map(|points| -points).filter(|points| *points > 0).collect();
    paid.sort_unstable_by(|a, b| b.cmp(a));
    let yaku: Vec<&str> = score.yaku.iter().map(Yaku::name).collect();
    json!({ "win": true, "payments": paid, "yaku": yaku, "han": score.han(), "fu": score.fu })
}

/// The legal actions with the bug.
fn wrong(bug: &str, view: &Observation<'_>, mut legal: ActionSet) -> ActionSet {
    let without = |is_wrong: &dyn Fn(Action) -> bool| {
        legal.iter().map(jantaku_engine::ActionId::action).filter(|action| !is_wrong(*action)).collect()
    };
    match bug {
        "chankan" if view.phase() == Phase::KanClaim => without(&|action| action == Action::Ron),
        "furiten" if view.phase() == Phase::Claim && view.is_furiten() => {
            let offered = view.offer().map(|offer| offer.tile.kind());
            if offered.is_some_and(|kind| view.waits().contains(kind)) {
                legal.insert(Action::Ron);
            }
            legal
        }
        "red-five" => without(&|action| matches!(action, Action::Chi { red: true, .. })),
        "kan-in-riichi" if view.side(view.seat()).riichi() != Riichi::None => {
            without(&|action| matches!(action, Action::Kan { .. }))
        }
        _ => legal,
    }
}
