//! Plays the hand of a row move by move. `README.md` explains the keys and the script.

use std::ops::Deref;

use jantaku_engine::cases::{Play, SEATS, script_lines, text, tiles};
use jantaku_engine::{
    Action, ChiPosition, Declare, DrawReason, Event, HandEnd, Outcome, Rules, Seat, Tile, TileKind, WonHand,
};
use toml::Table;

use super::ints;

/// Plays the script of a row and compares the result with the row.
pub fn run(row: &Table, rules: &Rules, context: &str) {
    let mut play = Checked(Play::start(row, rules, context));
    script_lines(text(row, "script")).for_each(|line| play.line(line));
    play.compare(row);
}

/// A hand in play, and the checks of its row.
struct Checked<'a>(Play<'a>);

impl<'a> Deref for Checked<'a> {
    type Target = Play<'a>;
    fn deref(&self) -> &Play<'a> {
        &self.0
    }
}

impl Checked<'_> {
    /// Runs a line: `S discard 4m`, `W can ron`, `N cannot pon`, `- dora 7s 8s`.
    fn line(&mut self, line: &str) {
        let (who, what) = line.split_once(' ').unwrap_or_else(|| panic!("{}: `{line}`", self.context));
        // After the hand, nobody is asked about it.
        if what != "is not asked" {
            self.must_be_in_play(line);
        }
        if who == "-" && what != "pass" && !what.starts_with("go ") {
            self.look(what, line);
        } else if what == "foul" {
            let seat = self.seat(who);
            let Play { game, events, context, .. } = &mut self.0;
            game.foul(seat, events).unwrap_or_else(|e| panic!("{context}: {e}"));
        } else if what == "answers wrongly" {
            let seat = self.seat(who);
            self.0.wait_for(seat, what, line);
            // Legal only at an exhaustive draw.
            self.0.submit(seat, Action::KeepClosed);
        } else if let Some(what) = what.strip_prefix("wrongly ") {
            let (what, waits) = what.strip_suffix(" out of turn").map_or((what, what), |what| (what, ""));
            self.act_wrongly(self.seat(who), what, waits, line);
        } else {
            self.0.line(line);
            self.check(who, what, line);
        }
    }

    fn act_wrongly(&mut self, seat: Seat, what: &str, waits: &str, line: &str) {
        self.0.wait_for(seat, waits, line);
        let action = self.wrong_action(seat, what);
        let legal = self.game.observe(seat).legal();
        assert!(!legal.contains(action.id()), "{}: `{line}`: it is legal", self.context);
        self.0.submit(seat, action);
    }

    /// Checks what the line says about a seat, if it does.
    fn check(&self, who: &str, what: &str, line: &str) {
        if what == "is not asked" {
            let seat = self.seat(who);
            let asked = self.is_in_play() && self.game.pending().contains(seat);
            assert!(!asked, "{}: `{line}`: legal are {:?}", self.context, self.legal_texts(seat));
        } else if let Some(what) = what.strip_prefix("can ") {
            let legal = self.legal_texts(self.seat(who));
            assert!(
                legal.iter().any(|text| text == what),
                "{}: `{line}`: not legal; legal are {legal:?}",
                self.context
            );
        } else if let Some(what) = what.strip_prefix("cannot ") {
            let seat = self.seat(who);
            let legal = self.legal_texts(seat);
            assert!(!legal.iter().any(|text| text == what), "{}: `{line}`: it is legal", self.context);
            assert!(
                self.has_the_tiles(seat, what),
                "{}: `{line}`: the tiles or the moment rule it out anyway",
                self.context
            );
        }
    }

    /// A possibly illegal action, by an unambiguous word.
    fn wrong_action(&self, seat: Seat, what: &str) -> Action {
        let kind = |text: &str| tiles(text)[0].kind();
        match what.split_once(' ').unwrap_or((what, "")) {
            ("ron", _) => Action::Ron,
            ("tsumo", _) => Action::Tsumo,
            ("chi", _) => Action::Chi { position: ChiPosition::Low, red: false },
            ("pon", _) => Action::Pon { reds: 0 },
            ("daiminkan", _) => Action::Daiminkan,
            ("kan", tile) => Action::Kan { kind: kind(tile) },
            ("riichi", discard) => {
                let tile = tiles(discard.strip_prefix("discard ").expect("`riichi discard 4m`"))[0];
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
        let mut takes = |names: &str| {
            tiles(names).iter().all(|tile| {
                held.iter().position(|other| other == tile).map(|at| held.swap_remove(at)).is_some()
            })
        };
        match what.split_once(' ').unwrap_or((what, "")) {
            ("ron", _) => self.offered_to(seat).is_some_and(|tile| own.waits().contains(tile.kind())),
            ("daiminkan", _) => self.offered_to(seat).is_some_and(|tile| own.hand().count(tile.kind()) == 3),
            ("pon" | "chi", tiles) => self.offered_to(seat).is_some() && takes(tiles),
            ("kan", kind) => {
                let kind = tiles(kind)[0].kind();
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
        self.0.finish();
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
