//! The text of one recorded game, and the reader of its format.

use jantaku_agents::mjai;
use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;

use super::tenhou::{self, Date};
use super::{LogError, Problem, majsoul, mjlog, tenhou6};

/// The key of a deal in a paipu of majiang, a format that is not read.
const DEAL_OF_MAJIANG: &str = "\"qipai\":";

/// The text of one recorded game.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file, with a line number if it holds several games.
    pub name: String,
    /// The name of the game, if the line of a collection states one.
    pub(super) id: Option<String>,
    pub(super) format: LogFormat,
    pub(super) text: String,
    /// The day of the game, if the name of the game or file states it.
    pub(super) played: Option<Date>,
}

/// The formats of logs that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// Tenhou's XML.
    Mjlog,
    /// tenhou.net/6 JSON.
    Tenhou6,
    /// mjai JSON lines, or a JSON list of events.
    Mjai,
    /// Mahjong Soul's own records.
    Majsoul,
}

impl Source {
    /// The format.
    pub const fn format(&self) -> LogFormat {
        self.format
    }

    /// The name of the game: that in a line of a collection, or the name of the file.
    pub fn id(&self) -> &str {
        let file = || self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        self.id.as_deref().unwrap_or_else(file)
    }

    /// The length of the text in bytes.
    pub const fn length(&self) -> usize {
        self.text.len()
    }

    /// Reads the game.
    ///
    /// The given rules decide, except in a log that states rules for another number of players. The
    /// game then has a note. Without given rules, they are those that the log states. A log that
    /// states none gets Tenhou's rules under which the game replays as recorded.
    ///
    /// # Errors
    ///
    /// If the text is not a log of its format, is broken, or states rules that cannot be read; or if it
    /// states no rules and the given ones are for another number of players.
    pub fn read(&self, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
        if self.format != LogFormat::Mjlog && self.text.contains(DEAL_OF_MAJIANG) {
            let what = "a paipu of majiang, which is not read: expected Tenhou's XML, tenhou.net/6 JSON, mjai or \
                        Mahjong Soul's records";
            return Err(LogError::at("the text", Problem::new(what)));
        }
        let mut game = match self.format {
            LogFormat::Mjlog => mjlog::read(&self.text, self.played, given),
            LogFormat::Tenhou6 => tenhou6::read(&self.text, self.played, given),
            LogFormat::Mjai => self.read_mjai(given),
            LogFormat::Majsoul => majsoul::read(&self.text, given),
        }?;
        if game.header.reference.is_empty() {
            let names = [self.id(), &self.name];
            let reference = names.into_iter().find_map(tenhou::reference_in);
            reference.unwrap_or_default().clone_into(&mut game.header.reference);
        }
        Ok(game)
    }

    fn read_mjai(&self, given: Option<&Rules>) -> Result<RecordedGame, LogError> {
        let mjai::Log { mut game, states_rules } = mjai::read_under(&self.text, given)?;
        let players = game.rules.players;
        let given = tenhou::given_rules(given, players, states_rules, &mut game.notes);
        match given.map_err(|problem| LogError::at("the rules", problem))? {
            Some(rules) => game.rules = rules,
            None if states_rules => {}
            None => tenhou::fit_rules(&mut game, self.played),
        }
        Ok(game)
    }
}
