//! Counts the games of one part of a run, from its tables `games` and `hands`.

use std::ops::Range;
use std::path::Path;

use jantaku_agents::label_of;
use jantaku_engine::rules::options::TieRule;
use jantaku_engine::{BySeat, DrawReason, FinalResult, Players, Rules, Seat, Yaku, YakuSet};

use jantaku_sim::dataset::types::Items;
use jantaku_sim::dataset::{
    ReadError, SelectedBatches, Selection, StoredColumn, TableFile, TableKind, select,
};
use jantaku_sim::play::{
    AgentGroups, EndFacts, GameCounter, Groups, HandFacts, HandInPlay, Schedule, UnitCounts, WinFacts,
};
use jantaku_sim::run::{PartEntry, check_part};

/// A game and its counts.
pub(super) struct CountedGame {
    pub number: u64,
    pub unit: UnitCounts,
}

/// The games of a part in order, each counted when it is read.
pub(super) struct PartGames<'a> {
    games: TableRows<GameColumns, ParsedGames>,
    hands: TableRows<HandColumns, ParsedHands>,
    /// The numbers of the part's games.
    numbers: Range<u64>,
    /// The number of the next game.
    next: u64,
    players: PlayerGroups<'a>,
    /// The rules of the run, for games without rules of their own.
    rules: CountedRules,
    counter: GameCounter,
}

/// The groups of the players of a game.
#[derive(Clone, Copy)]
pub(super) enum PlayerGroups<'a> {
    /// Players are not grouped by agent.
    None,
    /// Players are grouped by the name of their agent, one of these agents of the run.
    Named(&'a Groups, &'a [String]),
    /// Players are grouped by the index of their agent in the schedule's list.
    Seated(Schedule, AgentGroups),
}

impl PlayerGroups<'_> {
    /// The groups of a game's players, by seat.
    fn of(self, game: &GameRow) -> AgentGroups {
        match self {
            PlayerGroups::None => AgentGroups::default(),
            PlayerGroups::Named(groups, agents) => groups_of(groups, agents, &game.agents),
            PlayerGroups::Seated(schedule, groups) => schedule.fixture(game.number).seating.arrange(groups),
        }
    }
}

/// The groups of the players with these `names`, which are labels of the run's `agents`.
pub(super) fn groups_of(groups: &Groups, agents: &[String], names: &[String]) -> AgentGroups {
    let agent_named = |name| agents.iter().find(|agent| label_of(agent) == name);
    groups.agent_groups(names.iter().map(|name| agent_named(name).unwrap_or(name)))
}

impl<'a> PartGames<'a> {
    /// The tables that it reads.
    pub(super) const TABLES: [TableKind; 2] = [TableKind::Games, TableKind::Hands];

    /// Opens a part of the run in this folder and checks its files. `rules` are for games without rules of
    /// their own.
    ///
    /// # Errors
    ///
    /// If a file is missing, was changed after it was written, or lacks a column.
    pub(super) fn open(
        run: &Path,
        part: &PartEntry,
        rules: &Rules,
        groups: &Groups,
        players: PlayerGroups<'a>,
    ) -> Result<PartGames<'a>, ReadError> {
        check_part(run, part, &Self::TABLES)?;
        let games = TableRows::open(TableFile::new(run, TableKind::Games, part.part), ParsedGames::new)?;
        let hands = TableRows::open(TableFile::new(run, TableKind::Hands, part.part), ParsedHands::new)?;
        let (numbers, counter) = (part.range(), GameCounter::new(groups));
        let next = numbers.start;
        Ok(PartGames { games, hands, numbers, next, players, rules: CountedRules::new(rules), counter })
    }

    /// Reads and counts the next game. None after the last game.
    ///
    /// # Errors
    ///
    /// If a file is damaged, or a game or hand is missing, unexpected or out of order.
    pub(super) fn next(&mut self) -> Result<Option<CountedGame>, ReadError> {
        let Some(game) = self.games.next(ParsedGames::game)? else {
            return self.check_end().map(|()| None);
        };
        self.check_number(game.number)?;
        self.next += 1;
        self.counter.start(self.players.of(&game));
        let rules = game.rules.unwrap_or(self.rules);
        self.count_hands(&game, rules.riichi_stick)?;
        let unit = self.counter.finish(&game.results, rules.tie_rule, game.decisions);
        Ok(Some(CountedGame { number: game.number, unit: unit.clone() }))
    }

    fn check_number(&self, found: u64) -> Result<(), ReadError> {
        let Range { start, end } = self.numbers.clone();
        if found == self.next && found < end {
            return Ok(());
        }
        let what = if !(start..end).contains(&found) {
            format!("unexpected game {found}; the part should have the games {start} to {}", end - 1)
        } else if found < self.next {
            format!("game {found} follows game {}; games should be in order, each once", self.next - 1)
        } else {
            self.missing_game()
        };
        Err(self.games.file.error(&what))
    }

    fn missing_game(&self) -> String {
        let Range { start, end } = self.numbers;
        format!("game {} is missing; the part should have the games {start} to {}", self.next, end - 1)
    }

    /// Checks that no game is missing and no hands are left.
    fn check_end(&mut self) -> Result<(), ReadError> {
        if self.next < self.numbers.end {
            return Err(self.games.file.error(&self.missing_game()));
        }
        match self.hands.peek(|hands, row| hands.columns.game.at(row))? {
            None => Ok(()),
            Some(game) => Err(self.hands.file.error(&format!("game {game} is not in the table `games`"))),
        }
    }

    fn count_hands(&mut self, game: &GameRow, riichi_stick: i32) -> Result<(), ReadError> {
        let mut counted = 0;
        while self.hands.peek(|hands, row| hands.columns.game.at(row))? == Some(game.number) {
            let read = |hands: &ParsedHands, row: usize| {
                let hand = hands.columns.hand.at(row);
                let in_hand = |what: String| format!("game {} hand {hand}: {what}", game.number);
                if hand != counted {
                    return Err(in_hand(format!("expected hand {counted}; hands should be in order")));
                }
                hands.facts(row, game.results.players(), riichi_stick).map_err(in_hand)
            };
            let hand = self.hands.next(read)?.expect("a row was peeked");
            self.counter.hand(&hand);
            counted += 1;
        }
        if counted == game.hands {
            return Ok(());
        }
        let GameRow { number, hands, .. } = game;
        let what = format!("game {number}: expected {hands} hands as in the table `games`, found {counted}");
        Err(self.hands.file.error(&what))
    }
}

/// The rows of a stored table, read one batch at a time. `S` are the columns of a batch, `C` is what
/// they are parsed into.
struct TableRows<S, C> {
    file: TableFile,
    batches: SelectedBatches<S>,
    parse: fn(S) -> Result<C, String>,
    /// The columns of the current batch.
    columns: Option<C>,
    /// The next row in the batch.
    row: usize,
    /// The number of rows in the batch.
    count: usize,
}

impl<S: Selection, C> TableRows<S, C> {
    fn open(file: TableFile, parse: fn(S) -> Result<C, String>) -> Result<TableRows<S, C>, ReadError> {
        let batches = file.batches()?;
        Ok(TableRows { file, batches, parse, columns: None, row: 0, count: 0 })
    }

    /// Reads from the next row and stays on it. None after the last row.
    fn peek<T>(&mut self, read: impl FnOnce(&C, usize) -> T) -> Result<Option<T>, ReadError> {
        while self.row == self.count {
            let Some((columns, count)) = self.batches.next().transpose()? else { return Ok(None) };
            let columns = (self.parse)(columns).map_err(|what| self.file.error(&what))?;
            (self.columns, self.row, self.count) = (Some(columns), 0, count);
        }
        Ok(self.columns.as_ref().map(|columns| read(columns, self.row)))
    }

    /// Reads the next row and moves past it. None after the last row.
    fn next<T>(&mut self, read: impl FnOnce(&C, usize) -> Result<T, String>) -> Result<Option<T>, ReadError> {
        let found = self.peek(read)?.transpose().map_err(|what| self.file.error(&what))?;
        self.row += usize::from(found.is_some());
        Ok(found)
    }
}

/// The rules of a game that its counts depend on.
#[derive(Clone, Copy)]
struct CountedRules {
    tie_rule: TieRule,
    /// Points of a riichi stick.
    riichi_stick: i32,
}

impl CountedRules {
    const fn new(rules: &Rules) -> CountedRules {
        CountedRules { tie_rule: rules.tie_rule, riichi_stick: rules.riichi_stick }
    }
}

/// A row of the table `games`, as far as it is counted.
struct GameRow {
    number: u64,
    agents: Vec<String>,
    results: BySeat<FinalResult>,
    /// The game's own rules. None if it has the rules of the run.
    rules: Option<CountedRules>,
    hands: u16,
    decisions: u32,
}

select! {
    struct GameColumns from games { game, agents, points, placement, result, hands, decisions, ruleset }
}

/// A batch of the table `games`, whose rules are parsed.
struct ParsedGames {
    columns: GameColumns,
    /// The rules of each row's game. None if it has the rules of the run.
    rules: Vec<Option<CountedRules>>,
}

impl ParsedGames {
    fn new(columns: GameColumns) -> Result<ParsedGames, String> {
        let rules = columns.ruleset.cells().parse(|text| match text {
            "" => Ok(None),
            text => {
                let rules = Rules::from_toml(text, "ruleset").map_err(|error| error.to_string())?;
                Ok(Some(CountedRules::new(&rules)))
            }
        })?;
        Ok(ParsedGames { columns, rules })
    }

    fn game(&self, row: usize) -> Result<GameRow, String> {
        let columns = &self.columns;
        let number = columns.game.at(row);
        Ok(GameRow {
            number,
            agents: columns.agents.at(row).iter().map(str::to_owned).collect(),
            results: columns.results(row).map_err(|what| format!("game {number}: {what}"))?,
            rules: self.rules[row],
            hands: columns.hands.at(row),
            decisions: columns.decisions.at(row),
        })
    }
}

impl GameColumns {
    fn results(&self, row: usize) -> Result<BySeat<FinalResult>, String> {
        let players = u8::try_from(self.points.at(row).len()).map_err(|error| error.to_string())?;
        let players = Players::try_from(players)?;
        let points = by_seat("points", &self.points.at(row), players)?;
        let placement = by_seat("placement", &self.placement.at(row), players)?;
        let result = by_seat("result", &self.result.at(row), players)?;
        let places = 1..=players.count();
        if let Some(wrong) = placement.iter().find(|place| !places.contains(*place)) {
            return Err(format!("`placement`: expected 1 to {}, found {wrong}", players.count()));
        }
        let of_seat =
            |seat| FinalResult { placement: placement[seat], points: points[seat], result: result[seat] };
        Ok(BySeat::from_fn(players, of_seat))
    }
}

/// Why a hand with this outcome was drawn. None if it was won. Fails for an unknown outcome.
fn draw_named(name: &str) -> Result<Option<DrawReason>, String> {
    if ["tsumo", "ron"].contains(&name) {
        return Ok(None);
    }
    let reason = DrawReason::ALL.into_iter().find(|reason| reason.name() == name);
    reason.map(Some).ok_or_else(|| format!("`outcome`: unknown outcome `{name}`"))
}

/// The yaku with this name, as a set.
fn yaku_named(name: &str) -> Result<YakuSet, String> {
    let yaku = Yaku::all().find(|yaku| yaku.name() == name).map(YakuSet::of);
    yaku.ok_or_else(|| format!("`yaku`: unknown yaku `{name}`"))
}

select! {
    struct HandColumns from hands {
        game, hand, round, dealer, honba, start_points, outcome, winners, discarder, yaku, han, fu,
        dora, ura_dora, red_fives, kita, win_points, deltas, discards, riichi_turn, calls, tenpai,
    }
}

/// A batch of the table `hands`, whose words are parsed.
struct ParsedHands {
    columns: HandColumns,
    /// Why the hand of each row was drawn. None if it was won.
    draws: Vec<Option<DrawReason>>,
    /// All yaku of all winners.
    yaku: Vec<YakuSet>,
}

impl ParsedHands {
    fn new(columns: HandColumns) -> Result<ParsedHands, String> {
        let draws = columns.outcome.parse(draw_named)?;
        let yaku = columns.yaku.items().items().parse(yaku_named)?;
        Ok(ParsedHands { columns, draws, yaku })
    }

    /// The facts of the hand in a row.
    fn facts(&self, row: usize, players: Players, riichi_stick: i32) -> Result<HandFacts, String> {
        let columns = &self.columns;
        let riichi = by_seat("riichi_turn", &columns.riichi_turn.at(row), players)?;
        let course = HandInPlay {
            round: columns.round.at(row),
            honba: columns.honba.at(row),
            dealer: seat("dealer", columns.dealer.at(row), players)?,
            start_points: by_seat("start_points", &columns.start_points.at(row), players)?,
            discards: by_seat("discards", &columns.discards.at(row), players)?,
            riichi: riichi.map(|turn| turn.filter(|turn| *turn != 0)),
            calls: by_seat("calls", &columns.calls.at(row), players)?,
            ..HandInPlay::new(players, riichi_stick)
        };
        let deltas = by_seat("deltas", &columns.deltas.at(row), players)?;
        Ok(HandFacts { course, deltas, end: self.end(row, players)? })
    }

    fn end(&self, row: usize, players: Players) -> Result<EndFacts, String> {
        let winners = self.columns.winners.at(row).as_slice();
        match self.draws[row] {
            Some(_) if !winners.is_empty() => {
                Err(format!("`winners`: expected none in a draw, found {winners:?}"))
            }
            Some(reason) => {
                let tenpai = by_seat("tenpai", &self.columns.tenpai.at(row), players)?;
                let tenpai = players.seats().filter(|seat| tenpai[*seat] == Some(true)).collect();
                Ok(EndFacts::Draw { reason, tenpai })
            }
            None if winners.is_empty() => {
                Err("`winners`: expected the winners of a won hand, found none".to_owned())
            }
            None => {
                let discarder = self.columns.discarder.at(row);
                let discarder = discarder.map(|found| seat("discarder", found, players)).transpose()?;
                Ok(EndFacts::Won { wins: self.wins(row, winners, players)?, discarder })
            }
        }
    }

    fn wins(&self, row: usize, winners: &[u8], players: Players) -> Result<BySeat<Option<WinFacts>>, String> {
        let columns = &self.columns;
        let (yaku, points) = (columns.yaku.at(row), columns.win_points.at(row).as_slice());
        let [han, fu, dora, ura, red, kita] =
            [&columns.han, &columns.fu, &columns.dora, &columns.ura_dora, &columns.red_fives, &columns.kita]
                .map(|values| values.at(row).as_slice());
        let lengths = [han, fu, dora, ura, red, kita].map(<[u8]>::len);
        if lengths.into_iter().chain([yaku.len(), points.len()]).any(|length| length != winners.len()) {
            return Err(format!(
                "`yaku`, `win_points`, `han`, `fu`, `dora`, `ura_dora`, `red_fives`, `kita`: expected {} entries \
                 in each, one for each winner, found another number",
                winners.len()
            ));
        }
        let mut wins = BySeat::splat(players, None);
        for (index, (winner, yaku)) in winners.iter().zip(yaku.iter()).enumerate() {
            let win = WinFacts {
                yaku: self.yaku[yaku.range()].iter().fold(YakuSet::EMPTY, |all, one| all | *one),
                han: han[index],
                fu: fu[index],
                dora: [dora[index], ura[index], red[index], kita[index]],
                points: points[index],
            };
            if wins[seat("winners", *winner, players)?].replace(win).is_some() {
                return Err(format!("`winners`: expected each seat at most once, found {winners:?}"));
            }
        }
        Ok(wins)
    }
}

/// The entries of a list by seat. Fails unless it has one for each player.
fn by_seat<'a, S: StoredColumn>(
    name: &str,
    list: &Items<'a, S>,
    players: Players,
) -> Result<BySeat<S::Cell<'a>>, String> {
    let (found, expected) = (list.len(), usize::from(players.count()));
    if found != expected {
        return Err(format!("`{name}`: expected {expected} entries, found {found}"));
    }
    // `from_fn` also asks for seats that are not in play, and ignores their entries.
    Ok(BySeat::from_fn(players, |seat| list.at(seat.index().min(found - 1))))
}

fn seat(name: &str, number: u8, players: Players) -> Result<Seat, String> {
    let found = players.seats().find(|seat| seat.number() == number);
    found
        .ok_or_else(|| format!("`{name}`: expected a seat from 0 to {}, found {number}", players.count() - 1))
}
