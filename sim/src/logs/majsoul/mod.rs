//! Mahjong Soul's own records, decoded to JSON.
//!
//! A record is an object with a `name` such as `.lq.RecordDealTile` and its fields under `data`.
//! Programs that download games put the records into different objects and lists; all are
//! searched. `head` has the players, the room and the results.
//!
//! - `document`: the fields of head and records
//! - `names`: numbers of yaku, limits and draws
//! - `rules`: the rules of a room
//! - `hand`: one hand
//! - [`read()`]: a recorded game from its text

mod document;
mod hand;
mod names;
mod rules;

use document::{Config, Head, NewRound, Record};
use hand::{HandReader, play_named};
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{BySeat, Players, Rules};
use serde_json::Value;

use super::tenhou::{self, fields};
use super::{LogError, Problem, break_off, json, note_ignored};

/// The category of ranked rooms in `head`. Other rooms have their own uma, which they may state.
const RANKED: u8 = 2;

/// Whether a JSON text has a record that deals, under any prefix.
pub(super) fn is_log(text: &str) -> bool {
    text.contains("RecordNewRound\"")
}

/// Reads a log.
///
/// The given rules decide, unless they are for another number of players. Without them, the rules
/// are those of the room, with another length or rule of open tanyao if the game replays only then.
///
/// A record of an unknown name is ignored, and so are the yaku of a win if one has an unknown number.
/// The game then has a note. Any other record after the first deal that cannot be read leaves a gap in
/// its hand ([`RecordedHand::gap`](jantaku_engine::replay::RecordedHand::gap)). Records up to the next
/// deal are then skipped.
///
/// # Errors
///
/// If the text has no records of a game, or is broken before the first deal.
pub fn read(text: &str, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
    let document: Value = json::read(text)?;
    let is_game = |entry: &&Value| entry.get("head").is_some();
    let games = document.as_array().map_or(0, |list| list.iter().filter(is_game).count());
    if games > 1 {
        let what =
            format!("a list of {games} games, expected one; write each on its own line or in its own file");
        return Err(LogError::at("the text", Problem::new(what)));
    }
    let head = Head::of(&document).map_err(|problem| LogError::at("`head`", problem))?;
    let mut game = GameReader::new(&head, given);
    for (number, record) in document::records(&document).iter().enumerate() {
        let taken = game.take(record);
        let at = |problem| LogError::at(format!("record {number} {}", record.name), problem);
        taken.or_else(|problem| game.skip_from(at(problem)))?;
    }
    game.end().map_err(|problem| LogError::at("the end", problem))
}

/// A game that is being read.
struct GameReader<'a> {
    head: &'a Head,
    given: Option<&'a Rules>,
    game: Option<RecordedGame>,
    /// The rules that the room may mean. Empty if rules are given.
    rules: Vec<rules::Candidate>,
    hand: Option<HandReader>,
    /// Whether records up to the next deal are skipped.
    skips: bool,
    /// Notes about ignored records and settings.
    notes: Vec<String>,
}

impl<'a> GameReader<'a> {
    fn new(head: &'a Head, given: Option<&'a Rules>) -> GameReader<'a> {
        GameReader { head, given, game: None, rules: Vec::new(), hand: None, skips: false, notes: Vec::new() }
    }

    fn take(&mut self, record: &Record<'_>) -> Result<(), Problem> {
        if record.name == "RecordNewRound" {
            return self.deal(&record.read()?);
        }
        if self.skips {
            return Ok(());
        }
        let Some(play) = play_named(record.name) else {
            note_ignored(&mut self.notes, format_args!("record `{}`", record.name));
            return Ok(());
        };
        match &mut self.hand {
            Some(hand) if hand.log.hand().end.is_some() => Err(Problem::new("the hand is over")),
            Some(hand) => play(hand, record),
            None => Err(Problem::new("no `RecordNewRound` came before")),
        }
    }

    fn deal(&mut self, deal: &NewRound) -> Result<(), Problem> {
        self.close();
        let players = players(deal)?;
        let game = match self.game.take() {
            Some(game) => game,
            None => self.begin(deal, players)?,
        };
        let expected = game.rules.players;
        self.game = Some(game);
        if players != expected {
            return Err(Problem::length("`scores`", deal.scores.len(), expected.count()));
        }
        self.hand = Some(HandReader::deal(deal, players)?);
        self.skips = false;
        Ok(())
    }

    /// The game, without hands. `deal` is the first deal.
    fn begin(&mut self, deal: &NewRound, players: Players) -> Result<RecordedGame, Problem> {
        let rules = match tenhou::given_rules(self.given, players, true, &mut self.notes)? {
            Some(given) => given,
            None => {
                self.rules = rules::of_room(self.head, deal, players, &mut self.notes)?;
                self.rules[0].rules
            }
        };
        Ok(RecordedGame { names: self.head.names(players), ..RecordedGame::new(rules) })
    }

    /// Skips the rest of the hand because of this error. Before the first deal, the log is broken.
    fn skip_from(&mut self, error: LogError) -> Result<(), LogError> {
        if std::mem::replace(&mut self.skips, true) {
            return Ok(());
        }
        let last = self.game.as_mut().and_then(|game| game.hands.last_mut());
        break_off(self.hand.as_mut().map(|hand| &mut hand.log), last, error)
    }

    /// Adds the hand that was read last to the game.
    fn close(&mut self) {
        if let (Some(game), Some(mut hand)) = (&mut self.game, self.hand.take()) {
            let (number, unknown) = (game.hands.len(), std::mem::take(&mut hand.unknown));
            self.notes.extend(unknown.iter().map(|problem| format!("hand {number}: {problem}")));
            game.hands.push(hand.into_hand());
        }
    }

    fn end(mut self) -> Result<RecordedGame, Problem> {
        self.close();
        let no_hand = || Problem::new("no hand is dealt: expected records of Mahjong Soul");
        let mut game = self.game.filter(|game| !game.hands.is_empty()).ok_or_else(no_hand)?;
        if let Some([scores, results]) = self.head.final_points(game.rules.players) {
            game.is_whole = true;
            game.final_scores = Some(scores);
            let Config { category, mode } = &self.head.config;
            game.results =
                Some(results).filter(|_| *category == RANKED || rules::states_uma(mode, game.rules.players));
        }
        game.notes.append(&mut self.notes);
        game.break_off_if_unfinished();
        rules::fit(&mut game, &self.rules);
        Ok(game)
    }
}

/// The players of a hand.
fn players(deal: &NewRound) -> Result<Players, Problem> {
    let count = deal.scores.len();
    let wrong = || Problem::length("`scores`", count, "one for each of 3 or 4 players");
    let players = u8::try_from(count).ok().and_then(|count| Players::try_from(count).ok());
    players.filter(|players| players.count() > 2).ok_or_else(wrong)
}

impl Head {
    /// The players' names by seat; empty for computer players, who have no account.
    fn names(&self, players: Players) -> Vec<String> {
        let name = |seat: u8| {
            let account = self.accounts.iter().find(|account| account.seat == seat);
            account.map_or_else(String::new, |account| account.nickname.clone())
        };
        (0..players.count()).map(name).collect()
    }

    /// Final points and results with uma. None if the head does not state them for each player.
    fn final_points(&self, players: Players) -> Option<[BySeat<i32>; 2]> {
        let of = |seat: u8| self.result.players.iter().find(|player| player.seat == seat);
        let all: Option<Vec<_>> = (0..players.count()).map(of).collect();
        let all = all?;
        let numbers: Vec<f64> = all
            .iter()
            .flat_map(|player| [player.part_point_1.into(), f64::from(player.total_point) / 1000.0])
            .collect();
        fields::final_points("`result`", &numbers, players, 1.0).ok()
    }
}
