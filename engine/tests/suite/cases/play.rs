//! Plays the hand of a row move by move. `README.md` explains the keys and the script.

use jantaku_engine::{
    Action, BySeat, ChiPosition, Declare, DrawReason, Event, Game, HandEnd, Observation, Outcome, Phase,
    Rules, Seat, Standing, Tile, TileKind, Wall, WonHand, notation,
};
use toml::Table;

use super::ints;

/// The names of the seats: their winds.
pub const SEATS: [&str; 4] = ["E", "S", "W", "N"];

/// The seat with this wind in the first hand of a game.
pub fn seat_named(name: &str) -> Seat {
    let index = SEATS.iter().position(|seat| *seat == name).unwrap_or_else(|| panic!("not a seat: {name}"));
    Seat::new(index as u8).expect("four winds")
}

fn tiles_of(text: &str) -> Vec<Tile> {
    notation::parse_tiles(&text.replace(' ', "")).unwrap_or_else(|e| panic!("{e}"))
}

/// Plays the script of a row and compares the result with the row.
pub fn run(row: &Table, rules: &Rules, context: &str) {
    let mut play = Play::start(row, rules, context);
    let script = row.get("script").map_or("", |s| s.as_str().expect("a text"));
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        play.line(line);
    }
    play.compare(row);
}

struct Play<'a> {
    context: &'a str,
    game: Game,
    events: Vec<Event>,
    /// The dealer of the hand, whose name is `E`.
    dealer: Seat,
    /// The number of the hand in the game.
    hand: u32,
}

impl<'a> Play<'a> {
    fn start(row: &Table, rules: &Rules, context: &'a str) -> Play<'a> {
        let int = |key: &str| row.get(key).map_or(0, |v| v.as_integer().expect("a number"));
        let players = rules.players;
        let round = int("round") as u16;
        let dealer = Seat::FIRST.after((round % u16::from(players.count())) as u8, players);
        let by_wind = row.get("scores").map(|scores| scores.as_array().expect("a list").clone());
        let score = |seat: Seat| match &by_wind {
            Some(scores) if seat.number() < players.count() => {
                scores[usize::from(dealer.steps_to(seat, players))].as_integer().expect("points") as i32
            }
            _ => rules.start_points,
        };
        let standing = Standing {
            round,
            honba: int("honba") as u16,
            sticks: int("sticks") as u16,
            attempt: 0,
            dealer_wins: 0,
            scores: BySeat::from_fn(players, score),
        };
        let wall = build_wall(row, rules);
        let mut events = Vec::new();
        let game = Game::at(rules, 1, &standing, Some(wall), &mut events)
            .unwrap_or_else(|wrong| panic!("{context}: {wrong:?}"));
        let hand = game.hand_count();
        Play { context, game, events, dealer, hand }
    }

    fn seat(&self, name: &str) -> Seat {
        self.dealer.after(seat_named(name).number(), self.game.rules().players)
    }

    /// Runs a line: `S discard 4m`, `W can ron`, `N cannot pon`, `- dora 7s 8s`.
    fn line(&mut self, line: &str) {
        let (who, what) = line.split_once(' ').unwrap_or_else(|| panic!("{}: `{line}`", self.context));
        // After the hand, nobody is asked about it.
        if what != "is not asked" {
            self.must_be_in_play(line);
        }
        if let ("-", Some(live)) = (who, what.strip_prefix("go ")) {
            return self.go_until(live.parse().expect("a number of live tiles"));
        }
        match (who, what) {
            ("-", "pass") => return self.pass(),
            ("-", look) => return self.look(look, line),
            _ => {}
        }
        let seat = self.seat(who);
        if what == "foul" {
            self.game.foul(seat, &mut self.events).unwrap_or_else(|e| panic!("{}: {e}", self.context));
        } else if what == "answers wrongly" {
            self.wait_for(seat, what, line);
            // Legal only at an exhaustive draw.
            self.submit(seat, Action::KeepClosed);
        } else if let Some(what) = what.strip_prefix("wrongly ") {
            let (what, out_of_turn) = match what.strip_suffix(" out of turn") {
                Some(what) => (what, true),
                None => (what, false),
            };
            self.wait_for(seat, if out_of_turn { "" } else { what }, line);
            let action = self.wrong_action(seat, what);
            let legal = self.game.observe(seat).legal();
            assert!(!legal.contains(action.id()), "{}: `{line}`: it is legal", self.context);
            self.submit(seat, action);
        } else if what == "is not asked" {
            let asked = self.is_in_play() && self.game.pending().contains(seat);
            assert!(!asked, "{}: `{line}`: legal are {:?}", self.context, self.legal_texts(seat));
        } else if let Some(what) = what.strip_prefix("can ") {
            self.wait_for(seat, what, line);
            let legal = self.legal_texts(seat);
            assert!(
                legal.iter().any(|text| text == what),
                "{}: `{line}`: not legal; legal are {legal:?}",
                self.context
            );
        } else if let Some(what) = what.strip_prefix("cannot ") {
            let legal = self.legal_texts(seat);
            assert!(!legal.iter().any(|text| text == what), "{}: `{line}`: it is legal", self.context);
            assert!(
                self.has_the_tiles(seat, what),
                "{}: `{line}`: the tiles or the moment rule it out anyway",
                self.context
            );
        } else {
            self.wait_for(seat, what, line);
            let action = self.action(seat, what, line);
            self.submit(seat, action);
        }
    }

    /// A possibly illegal action, by an unambiguous word.
    fn wrong_action(&self, seat: Seat, what: &str) -> Action {
        let kind = |text: &str| tiles_of(text)[0].kind();
        match what.split_once(' ').unwrap_or((what, "")) {
            ("ron", _) => Action::Ron,
            ("tsumo", _) => Action::Tsumo,
            ("chi", _) => Action::Chi { position: ChiPosition::Low, red: false },
            ("pon", _) => Action::Pon { reds: 0 },
            ("daiminkan", _) => Action::Daiminkan,
            ("kan", tile) => Action::Kan { kind: kind(tile) },
            ("riichi", discard) => {
                let tile = tiles_of(discard.strip_prefix("discard ").expect("`riichi discard 4m`"))[0];
                let declare = Declare::Riichi;
                if self.game.observe(seat).drawn() == Some(tile) {
                    Action::Tsumogiri { declare }
                } else {
                    Action::Discard { tile, declare }
                }
            }
            _ => panic!("{}: `wrongly {what}` is not supported", self.context),
        }
    }

    /// Whether the tiles and the moment allow an action, so that only a rule can forbid it.
    fn has_the_tiles(&self, seat: Seat, what: &str) -> bool {
        let own = self.game.round().private(seat);
        let mut held: Vec<Tile> = own.hand_with_draw().tiles().collect();
        let mut takes = |tiles: &str| {
            tiles_of(tiles).iter().all(|tile| {
                held.iter().position(|other| other == tile).map(|at| held.swap_remove(at)).is_some()
            })
        };
        match what.split_once(' ').unwrap_or((what, "")) {
            ("ron", _) => self.offered_to(seat).is_some_and(|tile| own.waits().contains(tile.kind())),
            ("daiminkan", _) => self.offered_to(seat).is_some_and(|tile| own.hand().count(tile.kind()) == 3),
            ("pon" | "chi", tiles) => self.offered_to(seat).is_some() && takes(tiles),
            ("kan", kind) => {
                let kind = tiles_of(kind)[0].kind();
                let drawn = self.turn_of(seat);
                let held = own.hand().count(kind) + usize::from(drawn.is_some_and(|t| t.kind() == kind));
                let has_pon = self.game.table().side(seat).melds().pons().contains(kind);
                (drawn.is_some() || self.game.pending().contains(seat)) && held == if has_pon { 1 } else { 4 }
            }
            ("discard" | "riichi" | "open", rest) => {
                let tile = rest.rsplit(' ').next().unwrap_or(rest);
                self.game.pending().contains(seat) && takes(tile)
            }
            // The tiles for these depend on the rules.
            ("tsumo" | "kyuushu", _) => self.turn_of(seat).is_some(),
            _ => panic!("{}: `cannot {what}` is not supported", self.context),
        }
    }

    /// The offered tile of another player, also if it has just passed because no player could claim
    /// it.
    fn offered_to(&self, seat: Seat) -> Option<Tile> {
        let passes = |event: &&Event| {
            matches!(event, Event::Indicator { .. } | Event::RiichiAccepted { .. } | Event::Draw { .. })
        };
        let (from, tile) = match self.events.iter().rev().find(|event| !passes(event))? {
            Event::Discard { seat, tile, .. } | Event::Kakan { seat, tile } => (*seat, *tile),
            Event::Ankan { seat, meld } => (*seat, Tile::plain(meld.low())),
            Event::Kita { seat } => (*seat, Tile::plain(TileKind::NORTH)),
            _ => return None,
        };
        (from != seat).then_some(tile)
    }

    /// The tile that the seat drew in its current turn, also if the turn has just ended without a
    /// choice.
    fn turn_of(&self, seat: Seat) -> Option<Tile> {
        let drawn = |event: &Event| match event {
            Event::Draw { seat: drawer, tile, .. } if *drawer == seat => *tile,
            _ => None,
        };
        let at = self.events.iter().rposition(|event| drawn(event).is_some())?;
        let after =
            self.events[at + 1..].iter().filter(|event| matches!(event, Event::Discard { .. })).count();
        let forced = after == 1 && matches!(self.events[at + 1], Event::Discard { tsumogiri: true, .. });
        if after == 0 || forced { drawn(&self.events[at]) } else { None }
    }

    /// Lets players pass and discard the drawn tile until the seat must decide.
    ///
    /// For an action in its own turn, the seat passes offered tiles too.
    fn wait_for(&mut self, seat: Seat, what: &str, line: &str) {
        let in_own_turn = ["discard", "tsumo", "kan ", "kyuushu"].iter().any(|word| what.contains(word));
        let asked = |game: &Game| {
            game.pending().contains(seat) && !(in_own_turn && game.table().phase() == Phase::Claim)
        };
        while !asked(&self.game) {
            self.must_be_in_play(line);
            self.let_go();
        }
    }

    /// Whether the hand of the row is not over.
    fn is_in_play(&self) -> bool {
        !self.game.is_over() && self.game.hand_count() == self.hand
    }

    /// Fails if the hand of the row is over, because a line must not run in the next hand.
    fn must_be_in_play(&self, line: &str) {
        assert!(self.is_in_play(), "{}: `{line}`: the hand is over", self.context);
    }

    /// Lets all players pass and discard the drawn tile until `live` live tiles are left.
    fn go_until(&mut self, live: u8) {
        while self.game.table().live() > live {
            self.must_be_in_play("- go");
            self.let_go();
        }
    }

    /// All players pass the offered tile.
    fn pass(&mut self) {
        while matches!(self.game.table().phase(), Phase::Claim | Phase::KanClaim) {
            self.let_go();
        }
    }

    /// The first player who is asked passes or discards the drawn tile.
    fn let_go(&mut self) {
        let (other, legal) = self.game.decisions().next().expect("an open decision");
        let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
        let idle = [Action::Pass, tsumogiri].into_iter().find(|a| legal.contains(a.id()));
        let first = legal.first().expect("an action").action();
        self.submit(other, idle.unwrap_or(first));
    }

    fn submit(&mut self, seat: Seat, action: Action) {
        let context = self.context;
        self.game.submit_seen(seat, action, &mut self.events).unwrap_or_else(|e| panic!("{context}: {e}"));
    }

    fn legal_texts(&self, seat: Seat) -> Vec<String> {
        let view = self.game.observe(seat);
        let mut texts: Vec<String> = view.legal().iter().map(|id| view.describe(id.action())).collect();
        texts.extend(view.legal().iter().filter_map(|id| discard_text(&view, id.action())));
        texts
    }

    fn action(&self, seat: Seat, what: &str, line: &str) -> Action {
        let view = self.game.observe(seat);
        let matches = |action: &Action| {
            view.describe(*action) == what || discard_text(&view, *action).is_some_and(|text| text == what)
        };
        let legal = view.legal();
        let found = legal.iter().map(jantaku_engine::ActionId::action).find(matches);
        found.unwrap_or_else(|| panic!("{}: `{line}`: legal are {:?}", self.context, self.legal_texts(seat)))
    }

    /// Compares a value of the table, such as `dora 7s 8s`, with the line.
    fn look(&self, what: &str, line: &str) {
        let table = self.game.table();
        let (key, value) = what.split_once(' ').unwrap_or((what, ""));
        let found = match key {
            "dora" => table.indicators().iter().map(Tile::to_string).collect::<Vec<_>>().join(" "),
            "live" => table.live().to_string(),
            "kans" => table.kans().to_string(),
            "sticks" => table.sticks().to_string(),
            "uninterrupted" => if table.uninterrupted() { "yes" } else { "no" }.to_owned(),
            "phase" => format!("{:?}", table.phase()),
            "points" => {
                let (seat, _) = value.split_once(' ').expect("`- points S 24000`");
                format!("{seat} {}", table.scores()[self.seat(seat)])
            }
            "riichi" => {
                let (seat, _) = value.split_once(' ').expect("`- riichi S Double`");
                format!("{seat} {:?}", table.side(self.seat(seat)).riichi())
            }
            "shows" => {
                let (seat, _) = value.split_once(' ').unwrap_or((value, ""));
                let waits = table.shown_waits(self.seat(seat)).to_string();
                format!("{seat} {waits}").trim_end().to_owned()
            }
            "ippatsu" => {
                let (seat, _) = value.split_once(' ').expect("`- ippatsu S no`");
                format!("{seat} {}", if table.side(self.seat(seat)).ippatsu() { "yes" } else { "no" })
            }
            "dead" => {
                let (seat, _) = value.split_once(' ').expect("`- dead S no`");
                format!("{seat} {}", if table.side(self.seat(seat)).is_dead() { "yes" } else { "no" })
            }
            "furiten" => {
                let (seat, _) = value.split_once(' ').expect("`- furiten S no`");
                format!(
                    "{seat} {}",
                    if self.game.observe(self.seat(seat)).is_furiten() { "yes" } else { "no" }
                )
            }
            other => panic!("{}: `{line}`: unknown value {other}", self.context),
        };
        assert_eq!(found, value, "{}: `{line}`", self.context);
    }

    /// The text of an event with the winds of the seats.
    fn event_text(&self, event: &Event) -> String {
        let seats = self.game.rules().players.seats();
        seats.fold(event.to_string(), |text, seat| text.replace(&format!("{seat:?}"), self.wind_of(seat)))
    }

    /// Compares the events, the end of the hand, and what follows, with the row.
    fn compare(&mut self, row: &Table) {
        if let Some(expected) = row.get("events") {
            let expected: Vec<&str> =
                expected.as_array().expect("a list").iter().map(|v| v.as_str().expect("a text")).collect();
            let found: Vec<String> = self.events.iter().map(|event| self.event_text(event)).collect();
            let is_there = found.windows(expected.len()).any(|window| window == expected);
            assert!(is_there, "{}: {expected:?} are not in {found:?}", self.context);
        }
        let ends = [
            "paid",
            "draw",
            "yaku",
            "wins",
            "ura_turned",
            "dora_han",
            "next",
            "over",
            "final",
            "placements",
            "results",
        ];
        if !ends.iter().any(|key| row.contains_key(*key)) {
            return;
        }
        while !self.game.is_over()
            && self.game.hand_count() == self.hand
            && self.game.table().phase() != Phase::End
        {
            self.let_go();
        }
        let outcome = self.events.iter().find_map(|event| match event {
            Event::HandEnd(outcome) => Some(outcome),
            _ => None,
        });
        let outcome = outcome.unwrap_or_else(|| panic!("{}: the hand is not over", self.context));
        self.compare_outcome(row, outcome);
        self.compare_game(row);
    }

    fn compare_outcome(&self, row: &Table, outcome: &Outcome) {
        for win in outcome.wins() {
            let fu: u8 = win.fu_parts.iter().map(|part| part.fu).sum();
            assert_eq!(fu, win.score.fu, "{}: {:?}", self.context, win.fu_parts);
        }
        if row.contains_key("paid") {
            let paid = self.by_wind(|seat| outcome.deltas[seat]);
            assert_eq!(paid, ints(row, "paid"), "{}: {:?}", self.context, outcome.end);
        }
        if let Some(expected) = row.get("draw") {
            let reason = match &outcome.end {
                HandEnd::Draw { reason, .. } => reason.name(),
                HandEnd::Win(_) => "a win",
            };
            let known = DrawReason::ALL.iter().any(|reason| Some(reason.name()) == expected.as_str());
            assert!(known && Some(reason) == expected.as_str(), "{}: {reason}", self.context);
        }
        if let Some(expected) = row.get("yaku") {
            let yaku: Vec<&str> = outcome
                .wins()
                .iter()
                .flat_map(|win| win.score.yaku.iter())
                .map(jantaku_engine::Yaku::name)
                .collect();
            assert_eq!(yaku.join(" "), expected.as_str().expect("a text"), "{}", self.context);
        }
        if let Some(expected) = row.get("wins") {
            let text = |win: &WonHand| {
                let wind = self.wind_of(win.winner);
                format!("{wind} {} han {} fu {}", win.score.han(), win.score.fu, win.points)
            };
            let wins: Vec<String> = outcome.wins().iter().map(text).collect();
            assert_eq!(Some(wins.join(", ").as_str()), expected.as_str(), "{}: wins", self.context);
        }
        if let Some(expected) = row.get("ura_turned") {
            let turned = outcome.wins().iter().flat_map(|win| &win.ura_indicators);
            let turned: Vec<String> = turned.map(Tile::to_string).collect();
            assert_eq!(Some(turned.join(" ").as_str()), expected.as_str(), "{}: ura turned", self.context);
        }
        if let Some(expected) = row.get("dora_han") {
            let dora: u8 = outcome.wins().iter().map(|win| win.score.dora.total()).sum();
            assert_eq!(Some(i64::from(dora)), expected.as_integer(), "{}: dora", self.context);
        }
    }

    fn compare_game(&self, row: &Table) {
        if let Some(expected) = row.get("next") {
            assert!(!self.game.is_over(), "{}: the game is over", self.context);
            let table = self.game.table();
            let wind = table.round_wind().letter();
            let number = table.round() % u16::from(table.rules().players.count()) + 1;
            let next = format!("{wind}{number}-{} {} sticks", table.honba(), table.sticks());
            assert_eq!(Some(next.as_str()), expected.as_str(), "{}", self.context);
        }
        if let Some(expected) = row.get("over") {
            assert_eq!(Some(self.game.is_over()), expected.as_bool(), "{}: over", self.context);
        }
        if row.contains_key("final") {
            let scores = self.by_wind(|seat| self.game.scores()[seat]);
            assert_eq!(scores, ints(row, "final"), "{}: final scores", self.context);
        }
        let results =
            || self.game.results().unwrap_or_else(|| panic!("{}: the game continues", self.context));
        if row.contains_key("placements") {
            let placements = self.by_wind(|seat| results()[seat].placement.into());
            assert_eq!(placements, ints(row, "placements"), "{}: placements", self.context);
        }
        if row.contains_key("results") {
            let found = self.by_wind(|seat| results()[seat].result);
            assert_eq!(found, ints(row, "results"), "{}: results", self.context);
        }
    }

    /// A number of each seat, from E on.
    fn by_wind(&self, number: impl Fn(Seat) -> i32) -> Vec<i32> {
        let players = self.game.rules().players;
        (0..players.count()).map(|steps| number(self.dealer.after(steps, players))).collect()
    }

    fn wind_of(&self, seat: Seat) -> &'static str {
        SEATS[usize::from(self.dealer.steps_to(seat, self.game.rules().players))]
    }
}

/// The text of a discard, the same for a tsumogiri and for a discard from the hand.
fn discard_text(view: &Observation<'_>, action: Action) -> Option<String> {
    let (tile, declare) = match action {
        Action::Discard { tile, declare } => (tile, declare),
        Action::Tsumogiri { declare } => (view.drawn()?, declare),
        _ => return None,
    };
    let riichi = ["", "riichi ", "open riichi "][declare as usize];
    Some(format!("{riichi}discard {tile}"))
}

/// A wall with the tiles of the row at their indexes and the rest of the tiles in a fixed order.
///
/// - `hands`: dealt tiles by wind, up to 13
/// - `draws`: the first live tiles; `_` leaves an index open
/// - `draws_of`: the draws of one seat in a hand without calls
/// - `last`: the last live tiles
/// - `dora`, `ura`, `rinshan`: dora indicators, ura indicators and replacement tiles in order
fn build_wall(row: &Table, rules: &Rules) -> Wall {
    let players = usize::from(rules.players.count());
    let any = Wall::of_hand(7, 0, 0, 0, rules);
    let mut tiles: Vec<Option<Tile>> = vec![None; any.tiles().len()];
    let (dealt, live_end) = (13 * players, any.tiles().len() - 14);
    let mut put = |index: usize, tile: Tile| {
        assert!(tiles[index].is_none_or(|old| old == tile), "two tiles for index {index}");
        tiles[index] = Some(tile);
    };
    let texts = |key: &str| -> Vec<(usize, Vec<Tile>)> {
        let by_wind = row.get(key).map(|v| v.as_table().expect("by wind").clone()).unwrap_or_default();
        by_wind
            .iter()
            .map(|(seat, text)| (seat_named(seat).index(), tiles_of(text.as_str().expect("tiles"))))
            .collect()
    };
    for (seat, hand) in texts("hands") {
        for (i, tile) in hand.into_iter().enumerate() {
            let index = if i == 12 { 12 * players + seat } else { 4 * players * (i / 4) + 4 * seat + i % 4 };
            put(index, tile);
        }
    }
    for (seat, draws) in texts("draws_of") {
        draws.into_iter().enumerate().for_each(|(turn, tile)| put(dealt + players * turn + seat, tile));
    }
    let list = |key: &str| row.get(key).map_or("", |v| v.as_str().expect("tiles")).split_whitespace();
    for (turn, name) in list("draws").enumerate().filter(|(_, name)| *name != "_") {
        put(dealt + turn, name.parse().expect("a tile"));
    }
    let last: Vec<&str> = list("last").collect();
    for (i, name) in last.iter().enumerate() {
        put(live_end - last.len() + i, name.parse().expect("a tile"));
    }
    let layout = format!("{:?}", rules.wall_layout);
    // The first dora indicator, the first ura indicator and the replacement tiles. Each further
    // indicator is two indexes lower.
    let (indicator, ura, rinshan) = match layout.as_str() {
        "Tenhou" => (130, 131, vec![134, 135, 132, 133]),
        "MahjongSoul" => (131, 130, vec![135, 134, 133, 132]),
        "Tenhou3p" => (98, 99, vec![106, 107, 104, 105, 102, 103, 100, 101]),
        "MahjongSoul3p" => (99, 98, vec![107, 106, 105, 104, 103, 102, 101, 100]),
        other => panic!("no indexes for {other}"),
    };
    list("dora").enumerate().for_each(|(k, name)| put(indicator - 2 * k, name.parse().expect("a tile")));
    list("ura").enumerate().for_each(|(k, name)| put(ura - 2 * k, name.parse().expect("a tile")));
    list("rinshan").enumerate().for_each(|(k, name)| put(rinshan[k], name.parse().expect("a tile")));
    // A fixed order: every 53rd tile, which visits each of 136 or 108 tiles once.
    let mut set: Vec<Tile> = any.tiles().to_vec();
    set.sort_unstable();
    let mut rest: Vec<Tile> = (0..set.len()).map(|i| set[53 * i % set.len()]).collect();
    for tile in tiles.iter().flatten() {
        let at =
            rest.iter().position(|t| t == tile).unwrap_or_else(|| panic!("{:?}: too many {tile}", row["id"]));
        rest.swap_remove(at);
    }
    let mut rest = rest.into_iter();
    let tiles: Vec<Tile> =
        tiles.into_iter().map(|tile| tile.unwrap_or_else(|| rest.next().expect("a tile"))).collect();
    Wall::from_tiles(&tiles, rules).expect("the tiles of the set")
}
