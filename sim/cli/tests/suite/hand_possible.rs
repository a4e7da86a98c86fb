//! `hand` accepts the facts of a win only if a game can have them: each combination that it accepts
//! is played. That it refuses no win of a game is a law of `hand_law`.

use jantaku_engine::{
    Action, Declare, Event, Game, OfferKind, Riichi, Round, Rules, Seat, Standing, Tile, Wall, notation,
};
use serde_json::{Value, json};

use crate::hand_game::{arrange, ask, dealt, question};

/// The hand of the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Closed,
    /// With an ankan.
    Ankan,
    /// With a pon, or a kakan for a win on its replacement tile.
    Open,
    /// Thirteen orphans.
    Orphans,
}

impl Shape {
    /// The 13 dealt tiles.
    const fn dealt(self) -> &'static str {
        match self {
            Shape::Closed => "24m456p678p678s88s",
            Shape::Ankan => "24m456p678p88s222s",
            Shape::Open => "24m456p678p88s22s1z",
            Shape::Orphans => "19m19p19s1234566z",
        }
    }

    /// The tile that wins.
    const fn wait(self) -> &'static str {
        if matches!(self, Shape::Orphans) { "7z" } else { "3m" }
    }

    /// The concealed tiles and the melds at the win.
    const fn at_the_win(self, rinshan: bool) -> (&'static str, &'static str) {
        match self {
            Shape::Closed | Shape::Orphans => (self.dealt(), ""),
            Shape::Ankan => ("24m456p678p88s", "<2222s>"),
            Shape::Open if rinshan => ("24m456p678p88s", "[2222s]"),
            Shape::Open => ("24m456p678p88s", "[222s]"),
        }
    }
}

/// The facts that are true or false, as keys of a question.
const FLAGS: [&str; 8] =
    ["ippatsu", "haitei", "rinshan", "chankan", "first_turn", "riichi_tile", "after_kan", "discarder_riichi"];

/// The facts of a win.
#[derive(Clone, Copy, Debug)]
struct Facts {
    shape: Shape,
    ron: bool,
    dealer: bool,
    riichi: Riichi,
    /// Those of [`FLAGS`].
    flags: [bool; FLAGS.len()],
    /// The number of kans that the dora indicators show.
    kans: usize,
}

impl Facts {
    fn is(&self, flag: &str) -> bool {
        FLAGS.iter().zip(self.flags).any(|(name, holds)| *name == flag && holds)
    }

    /// All combinations with indicators of this many kans.
    fn all(kans: usize) -> impl Iterator<Item = Facts> {
        let shapes = [Shape::Closed, Shape::Ankan, Shape::Open, Shape::Orphans];
        let kinds = [Riichi::None, Riichi::Single, Riichi::Double];
        shapes.into_iter().flat_map(move |shape| {
            kinds.into_iter().flat_map(move |riichi| {
                (0..1_u32 << (2 + FLAGS.len())).map(move |bits| {
                    let bit = |at: usize| bits >> at & 1 == 1;
                    let flags = std::array::from_fn(|at| bit(2 + at));
                    Facts { shape, ron: bit(0), dealer: bit(1), riichi, flags, kans }
                })
            })
        })
    }

    /// The kans that the indicators show beside those of the winner and the last one of the discarder.
    fn more_kans(&self) -> &'static [&'static str] {
        let after_kan = usize::from(self.is("after_kan"));
        let counted = usize::from(self.shape == Shape::Ankan) + after_kan;
        &MORE_KANS[after_kan][..self.kans.saturating_sub(counted)]
    }

    fn question(&self) -> Value {
        let (hand, melds) = self.shape.at_the_win(self.is("rinshan"));
        let mut question = json!({
            "hand": hand,
            "melds": melds,
            "win": self.shape.wait(),
            "by": if self.ron { "ron" } else { "tsumo" },
            "seat": if self.dealer { "E" } else { "S" },
            "riichi": riichi_text(self.riichi),
            "dora": if self.kans > 0 { format!("{}m", &"99955"[..=self.kans]) } else { String::new() },
        });
        for (name, holds) in FLAGS.iter().zip(self.flags) {
            question[name] = holds.into();
        }
        question
    }

    /// Whether a win in a game has these facts.
    fn are_those_of(&self, round: &Round, winner: Seat, from: Option<Seat>) -> bool {
        let tile = tiles(self.shape.wait())[0];
        let found = question(round, winner, tile, from);
        let riichi = |seat: Seat| round.table().side(seat).riichi() != Riichi::None;
        let kind = round.table().offer().map(|offer| offer.kind);
        let holds = |flag: &str| match flag {
            "discarder_riichi" => from.is_some_and(riichi),
            flag => found[flag] == true,
        };
        (from.is_none() || kind != Some(OfferKind::Kita))
            && found["riichi"] == riichi_text(self.riichi)
            && (found["seat"] == "E") == self.dealer
            && round.table().indicators().len() > self.kans
            && FLAGS.iter().zip(self.flags).all(|(flag, stated)| holds(flag) == stated)
    }
}

fn riichi_text(riichi: Riichi) -> Value {
    match riichi {
        Riichi::None => json!(false),
        Riichi::Single => json!("single"),
        Riichi::Double => json!("double"),
    }
}

fn tiles(text: &str) -> Vec<Tile> {
    notation::parse_tiles(text).unwrap_or_else(|e| panic!("{e}"))
}

const PLAYERS: usize = 4;
const LIVE: usize = 70;
const TSUMOGIRI: Action = Action::Tsumogiri { declare: Declare::Nothing };
const RIICHI: Action = Action::Tsumogiri { declare: Declare::Riichi };

/// The triplet of the discarder that becomes an ankan, and the winner's set that becomes a kan.
const KANS: [&str; 2] = ["8m", "2s"];

/// More triplets that become ankans: those of another player, and those of the discarder.
const MORE_KANS: [&[&str]; 2] = [&["7m", "3s", "5s", "4s"], &["6m", "2p", "3p"]];

/// A hand in preparation: tiles at indexes of the wall, and actions after a number of draws. Players
/// without an action pass, and discard the drawn tile.
struct Plan {
    winner: usize,
    placed: Vec<(usize, Tile)>,
    actions: Vec<(usize, usize, Action)>,
    /// The seat whose turn is next.
    seat: usize,
    /// Tiles drawn from the live wall, and replacement tiles.
    live: usize,
    kans: usize,
}

impl Plan {
    fn place(&mut self, index: usize, tile: &str) {
        self.placed.push((index, tiles(tile)[0]));
    }

    fn deal(&mut self, seat: usize, hand: &str) {
        for (nth, tile) in tiles(hand).into_iter().enumerate() {
            self.placed.push((dealt(seat, nth, PLAYERS), tile));
        }
    }

    /// An action after the latest draw.
    fn act(&mut self, seat: usize, action: Action) {
        self.actions.push((seat, self.live + self.kans, action));
    }

    /// The next player draws, this tile or any.
    fn draw(&mut self, tile: Option<&str>) -> usize {
        tile.into_iter().for_each(|tile| self.place(13 * PLAYERS + self.live, tile));
        self.live += 1;
        let seat = self.seat;
        self.seat = (seat + 1) % PLAYERS;
        seat
    }

    /// Turns without an event, up to the turn of a seat.
    fn skip_to(&mut self, seat: usize) {
        while self.seat != seat {
            self.draw(None);
        }
    }

    /// A pon of a tile that a third player discards, and a discard after it.
    fn pon(&mut self, seat: usize, other: usize, tile: &str, discard: &str) {
        self.skip_to(other);
        self.draw(Some(tile));
        self.act(seat, Action::Pon { reds: 0 });
        self.act(seat, Action::Discard { tile: tiles(discard)[0], declare: Declare::Nothing });
        self.seat = (seat + 1) % PLAYERS;
    }

    /// A kan with the drawn tile, and its replacement tile.
    fn kan(&mut self, seat: usize, kan: &str, replacement: Option<&str>) {
        self.act(seat, Action::Kan { kind: tiles(kan)[0].kind() });
        let index = [134, 135, 132, 133][self.kans];
        replacement.into_iter().for_each(|tile| self.place(index, tile));
        self.kans += 1;
    }

    /// A turn of the winner before the win: with an ankan, and with riichi.
    fn turn_of_winner(&mut self, ankan: bool, riichi: bool) {
        self.skip_to(self.winner);
        self.draw(ankan.then_some(KANS[1]));
        if ankan {
            self.kan(self.winner, KANS[1], None);
        }
        if riichi {
            self.act(self.winner, RIICHI);
        }
    }

    /// A turn with ankans, each with the tile drawn before it.
    fn turn_of_kans(&mut self, seat: usize, kans: &[&str]) {
        let Some(first) = kans.first() else { return };
        self.skip_to(seat);
        self.draw(Some(first));
        for (nth, kan) in kans.iter().enumerate() {
            self.kan(seat, kan, kans.get(nth + 1).copied());
        }
    }

    /// The winner's last tile and their win.
    fn win(&mut self, facts: &Facts, winner: usize, from: usize) {
        let wait = facts.shape.wait();
        match () {
            () if facts.is("rinshan") => {
                self.draw(Some(KANS[1]));
                self.kan(winner, KANS[1], Some(wait));
            }
            () if facts.is("after_kan") => {
                self.draw(Some(KANS[0]));
                self.kan(from, KANS[0], Some(wait));
            }
            () => drop(self.draw(Some(wait))),
        }
        if facts.is("chankan") {
            self.act(from, Action::Kan { kind: tiles(wait)[0].kind() });
        }
        if facts.is("riichi_tile") {
            self.act(from, RIICHI);
        }
        self.act(winner, if facts.ron { Action::Ron } else { Action::Tsumo });
    }

    /// A plan for a win with these facts. None if it cannot be by these players.
    ///
    /// A pon by one of the other two, given by its index among them, changes who draws the last tile.
    fn of(facts: &Facts, winner: usize, from: usize, pon: Option<usize>) -> Option<Plan> {
        let (wait, ron) = (facts.shape.wait(), facts.ron);
        let others: Vec<usize> = (0..PLAYERS).filter(|seat| ![winner, from].contains(seat)).collect();
        let mut plan = Plan { winner, placed: Vec::new(), actions: Vec::new(), seat: 0, live: 0, kans: 0 };
        // The kan that is robbed is an ankan if there was no call.
        let robs_ankan = facts.is("chankan") && facts.shape == Shape::Orphans && robs_without_call(facts);
        let robs_kakan = facts.is("chankan") && !robs_ankan;
        plan.deal(winner, facts.shape.dealt());
        let (hand, elsewhere) = match () {
            () if robs_ankan => (format!("{wait}{wait}{wait}666m888m222p9p"), ""),
            () if robs_kakan => (format!("{wait}{wait}666m888m222p99p"), ""),
            () => ("666m888m222p333p5z".to_owned(), wait),
        };
        plan.deal(from, &hand);
        let pair = |index| if pon == Some(index) { "11s9s" } else { "" };
        plan.deal(others[0], &format!("{}{}", elsewhere.repeat(3), pair(0)));
        let kans = facts.more_kans();
        let (who, triplets): (usize, String) = if facts.is("after_kan") {
            (from, String::new())
        } else {
            (others[1], kans.iter().map(|kan| kan.repeat(3)).collect())
        };
        let hand = triplets + pair(1);
        if tiles(&hand).len() > 13 {
            return None;
        }
        plan.deal(others[1], &hand);
        let ankan_early = facts.shape == Shape::Ankan && !facts.is("rinshan");
        if facts.shape == Shape::Open {
            plan.pon(winner, others[0], KANS[1], "1z");
        }
        if robs_kakan {
            plan.pon(from, others[0], wait, "9p");
        }
        if facts.is("discarder_riichi") && !(facts.riichi == Riichi::Double && winner < from) {
            plan.skip_to(from);
            plan.draw(None);
            plan.act(from, RIICHI);
        }
        match facts.riichi {
            Riichi::Double => {
                plan.turn_of_winner(false, true);
                if facts.is("discarder_riichi") && winner < from {
                    plan.skip_to(from);
                    plan.draw(None);
                    plan.act(from, RIICHI);
                }
                if ankan_early {
                    plan.turn_of_winner(true, false);
                }
            }
            Riichi::None if facts.is("first_turn") => {}
            Riichi::None | Riichi::Single => plan.turn_of_winner(ankan_early, false),
        }
        plan.turn_of_kans(who, kans);
        if let Some(index) = pon {
            plan.pon(others[index], others[1 - index], "1s", "9s");
        }
        // The number of live tiles drawn before the last tile.
        let last = LIVE - 1 - plan.kans - usize::from(facts.is("after_kan"));
        if facts.riichi == Riichi::Single {
            if facts.is("haitei") && facts.is("ippatsu") {
                let turns = if ron { PLAYERS - 1 } else { PLAYERS };
                while plan.live + turns < last {
                    plan.draw(None);
                }
            }
            plan.turn_of_winner(false, true);
        }
        if facts.riichi != Riichi::None
            && !facts.is("ippatsu")
            && !(ankan_early && facts.riichi == Riichi::Double)
        {
            plan.turn_of_winner(false, false);
        }
        if facts.is("haitei") {
            while plan.live < last {
                plan.draw(None);
            }
        } else {
            plan.skip_to(if ron { from } else { winner });
        }
        if plan.seat != if ron { from } else { winner } || plan.live > last {
            return None;
        }
        plan.win(facts, winner, from);
        Some(plan)
    }

    /// Plays the hand to the win. Returns it as it was at the decision to win. None if the plan fails.
    fn play(&self, rules: &Rules) -> Option<Round> {
        let wall = arrange(&Wall::of_hand(7, 0, 0, 0, rules), &self.placed, rules);
        let mut events = Vec::new();
        let mut game = Game::at(rules, 7, &Standing::start(rules), Some(wall), &mut events).ok()?;
        let mut actions = self.actions.iter().peekable();
        loop {
            let before = game.round().clone();
            let drawn = events.iter().filter(|event| matches!(event, Event::Draw { .. })).count();
            for (seat, legal) in game.decisions().collect::<Vec<_>>() {
                let is_next = |next: &&(usize, usize, Action)| {
                    next.0 == seat.index() && next.1 == drawn && legal.contains(next.2.id())
                };
                let next = actions.next_if(is_next).map(|(.., action)| *action);
                if let Some(Action::Ron | Action::Tsumo) = next {
                    return Some(before);
                }
                let pass = if legal.contains(Action::Pass.id()) { Action::Pass } else { TSUMOGIRI };
                game.submit_seen(seat, next.unwrap_or(pass), &mut events).ok()?;
            }
            if events.iter().any(|event| matches!(event, Event::HandEnd(_))) {
                return None;
            }
        }
    }
}

/// Whether these facts of a chankan exclude a call before it.
fn robs_without_call(facts: &Facts) -> bool {
    facts.is("first_turn") || facts.is("discarder_riichi") || facts.riichi == Riichi::Double
}

#[test]
fn what_hand_accepts_can_be_played() {
    for (text, kans) in [
        ("base = 'tenhou'", 0),
        ("base = 'tenhou'", 1),
        ("base = 'tenhou'", 4),
        ("base = 'tenhou'\nsuukaikan_at = 'AtKan'", 4),
        ("base = 'tenhou'\nankan_rob = 'KokushiOnly'", 0),
        ("base = 'tenhou'\nriichi_min_live = 0", 0),
        ("base = 'tenhou'\nriichi_ankan = 'Forbidden'", 0),
    ] {
        let rules = Rules::from_toml(text, "the test").unwrap_or_else(|e| panic!("{e}"));
        let accepts = |facts: &Facts| ask(&facts.question(), &rules)["error"].is_null();
        let accepted: Vec<Facts> = Facts::all(kans).filter(accepts).collect();
        let impossible = accepted.iter().filter(|facts| !is_played(facts, &rules));
        let impossible: Vec<String> = impossible.map(|facts| facts.question().to_string()).collect();
        let (found, all) = (impossible.len(), accepted.len());
        assert!(all > 60 && found == 0, "{text}, {kans} kans: {found} of {all}\n{}", impossible.join("\n"));
    }
}

/// Whether a hand by some players has these facts.
fn is_played(facts: &Facts, rules: &Rules) -> bool {
    let winners = if facts.dealer { 0..1 } else { 1..PLAYERS };
    winners.into_iter().any(|winner| {
        let others = (0..PLAYERS).filter(|from| *from != winner);
        let pons: &[Option<usize>] = if facts.is("haitei") { &[None, Some(0), Some(1)] } else { &[None] };
        others.flat_map(|from| pons.iter().map(move |pon| (from, *pon))).any(|(from, pon)| {
            let round = Plan::of(facts, winner, from, pon).and_then(|plan| plan.play(rules));
            let seat = |at: usize| rules.players.seats().nth(at).expect("a seat");
            round.is_some_and(|round| facts.are_those_of(&round, seat(winner), facts.ron.then(|| seat(from))))
        })
    })
}
