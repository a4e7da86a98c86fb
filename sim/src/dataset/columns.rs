//! Every column of the tables: its type, its meaning, and since when it is there.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};

/// The version of the tables; a column that is added or changes its meaning raises it.
pub const SCHEMA_VERSION: u32 = 1;

/// Columns that do not follow from seeds, walls and actions: what an agent thought of a decision.
pub const NOT_COMPARED: [&str; 2] = ["value", "policy"];

/// Columns that do not follow from them where games came from logs.
pub const NOT_COMPARED_OF_LOGS: [&str; 1] = ["source"];

/// A table of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Table {
    /// One row a game.
    Games,
    /// One row a hand.
    Hands,
    /// One row a decision.
    Decisions,
    /// One row a hand, in runs of games that came from logs.
    Walls,
}

impl Table {
    /// All tables.
    pub const ALL: [Table; 4] = [Table::Games, Table::Hands, Table::Decisions, Table::Walls];

    /// The name of its folder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Hands => "hands",
            Table::Decisions => "decisions",
            Table::Walls => "walls",
        }
    }

    /// How many of its first columns tell one row from all others.
    pub(crate) const fn keys(self) -> usize {
        match self {
            Table::Games => 1,
            Table::Hands | Table::Walls => 2,
            Table::Decisions => 4,
        }
    }
}

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// The table.
    pub table: Table,
    /// The name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it can be null; the meaning tells when.
    pub nullable: bool,
    /// What it means: unit, whose view, when null.
    pub meaning: &'static str,
    /// The version of the tables since which it is there.
    pub since: u32,
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Bool,
    /// 0–255.
    U8,
    /// 0–65535.
    U16,
    /// A number of 32 bits.
    U32,
    /// A number of 64 bits.
    U64,
    /// −128–127.
    I8,
    /// A signed number of 32 bits.
    I32,
    /// A number with a fraction.
    F32,
    /// One of few texts, stored once each.
    Word,
    /// A text.
    Text,
    /// A list of these.
    List(&'static Kind),
}

impl Kind {
    /// The type as the documentation names it.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Kind::Bool => "bool".to_owned(),
            Kind::U8 => "uint8".to_owned(),
            Kind::U16 => "uint16".to_owned(),
            Kind::U32 => "uint32".to_owned(),
            Kind::U64 => "uint64".to_owned(),
            Kind::I8 => "int8".to_owned(),
            Kind::I32 => "int32".to_owned(),
            Kind::F32 => "float32".to_owned(),
            Kind::Word => "word".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::List(item) => format!("list of {}", item.name()),
        }
    }

    /// The Arrow type.
    #[must_use]
    pub fn data_type(self) -> DataType {
        match self {
            Kind::Bool => DataType::Boolean,
            Kind::U8 => DataType::UInt8,
            Kind::U16 => DataType::UInt16,
            Kind::U32 => DataType::UInt32,
            Kind::U64 => DataType::UInt64,
            Kind::I8 => DataType::Int8,
            Kind::I32 => DataType::Int32,
            Kind::F32 => DataType::Float32,
            Kind::Word => DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8)),
            Kind::Text => DataType::Utf8,
            Kind::List(item) => DataType::List(Arc::new(item_field(*item))),
        }
    }
}

/// The field of a list's items: only the turn of a riichi, and whether a seat was tenpai, can be missing.
pub(super) fn item_field(item: Kind) -> Field {
    Field::new_list_field(item.data_type(), true)
}

/// Defines the columns of a table.
macro_rules! columns {
    (@nullable) => { false };
    (@nullable null) => { true };
    ($($table:ident { $($name:ident: $kind:expr $(, $null:ident)? => $meaning:literal;)+ })+) => {
        /// All columns in the order of their tables.
        pub static COLUMNS: &[Column] = &[$($(
            Column {
                table: Table::$table,
                name: stringify!($name),
                kind: $kind,
                nullable: columns!(@nullable $($null)?),
                meaning: $meaning,
                since: 1,
            },
        )+)+];
    };
}

use Kind::{Bool, F32, I8, I32, List, Text, U8, U16, U32, U64, Word};

columns! {
    Games {
        game: U64 => "Number of the game in its run, from 0.";
        seed: U64 => "Seed of the game: with the rules it fixes every wall, with the agents' salts their random choices.";
        rules: Word => "Hash of the rules, 16 hexadecimal digits; run.toml holds them, or ruleset.";
        agents: List(&Word) => "Agent of each seat, or the player's name in the log; seat 0 is the first dealer. Lists of this table have an entry for each playing seat.";
        points: List(&I32) => "Points of each seat at the end, riichi sticks that were left on the table given out.";
        rank: List(&U8) => "Place of each seat, 1 the first; tied seats rank in order of seats.";
        result: List(&I32) => "Result of each seat with uma and oka, in points: 55000 stands for +55.0.";
        hands: U16 => "Number of hands.";
        decisions: U32 => "Number of decisions; forced moves are none.";
        signature: U64 => "Hash of all events of the game: equal for games that went the same way.";
        source: Word, null => "Name of the log that the game came from; null for a game that was played.";
        ruleset: Word, null => "Rules of the game as a TOML text; null where they are those of run.toml.";
    }
    Hands {
        game: U64 => "Number of the game in its run.";
        hand: U16 => "Number of the hand in its game, from 0.";
        round: U16 => "Number of the hand by dealers, without wrapping: 0 is East 1, with four players 4 is South 1.";
        round_wind: Word => "Wind of the round: East, South, West, North.";
        dealer: U8 => "Seat of the dealer.";
        honba: U16 => "Counters on the table.";
        deposits: U16 => "Riichi sticks on the table at the deal, 1000 points each.";
        start_points: List(&I32) => "Points of each seat at the deal. Lists of seats have an entry for each playing seat, seat 0 the first dealer of the game.";
        result: Word => "How the hand ended: tsumo, ron, or the reason of the draw (exhaustive, nagashi, nine-terminals, four-winds, four-riichi, four-kans, triple-ron, chombo).";
        winners: List(&U8) => "Seats that won, in the order of turns after the discarder; empty at a draw. The lists that follow up to win_points have an entry for each winner.";
        discarder: U8, null => "Seat whose tile was won on; null for a self-draw and at a draw.";
        winning_tile: Word, null => "The winning tile, 0 for a red five; null at a draw.";
        yaku: List(&List(&Word)) => "Yaku of each winner; of a yakuman only yakuman.";
        han: List(&U8) => "Han of each winner with dora; 0 for a yakuman.";
        fu: List(&U8) => "Fu of each winner, rounded; 25 for seven pairs. A yakuman has the fu of its hand, too. 0 for renhou as a limit and, unless the rules know no limits, for thirteen orphans.";
        yakuman: List(&U8) => "How many yakuman each winner is paid; 0 for other hands, counted yakuman included.";
        dora: List(&U8) => "Han of each winner by the dora indicators.";
        ura: List(&U8) => "Han of each winner by the indicators under them.";
        red: List(&U8) => "Han of each winner by red fives.";
        north: List(&U8) => "Han of each winner by Norths set aside.";
        win_points: List(&I32) => "Points that each winner's hand wins, without counters and sticks.";
        deltas: List(&I32) => "Points that each seat won or lost in the hand, own riichi sticks and sticks taken included.";
        turn: U8 => "Discards of the seat that had discarded most when the hand ended.";
        live: U8 => "Live tiles left in the wall.";
        riichi_turn: List(&U8) => "Number of the discard, from 1, with which each seat declared a riichi that was accepted; null without riichi.";
        calls: List(&U8) => "Discards that each seat claimed for chi, pon or an open quad.";
        tenpai: List(&Bool) => "Whether each seat was tenpai and showed it; null unless the wall was empty.";
        nagashi: List(&U8) => "Seats that were paid for terminal and honour discards.";
    }
    Decisions {
        game: U64 => "Number of the game in its run.";
        hand: U16 => "Number of the hand in its game, from 0.";
        step: U16 => "How many events of the hand came before, the deal included. Not part of what the seat sees: gaps tell who else could have acted.";
        seat: U8 => "Seat that decides.";
        turn: U8 => "How many tiles the seat has discarded in the hand.";
        phase: Word => "What the game waits for: turn, claim, kan-claim (a tile that is to make a quad or to be set aside), draw, end.";
        tiles: Text => "Own concealed tiles in hand notation, 0 for a red five, without the tile just drawn.";
        drawn: Word, null => "Tile just drawn; null unless the phase is turn, and after a chi or pon.";
        melds: Word => "Own melds in hand notation: [123m] chi, [777z] pon, [7777z] open quad, <7777z> concealed quad.";
        offer: Word, null => "Tile that lies open to be claimed; null unless the phase is claim or kan-claim.";
        offer_from: U8, null => "Seat that discarded it, or that is to make a quad of it or to set it aside; null where offer is.";
        seen_m: I32 => "Tiles of characters that the seat sees outside its hand, one decimal digit a rank: 102000000 is one 1m and two 3m. Its own melds count, its concealed tiles do not.";
        seen_p: I32 => "The same for dots.";
        seen_s: I32 => "The same for bamboo.";
        seen_z: I32 => "The same for honours, seven digits from East to the red dragon.";
        indicators: Word => "Dora indicators that are turned, in hand notation, in order.";
        live: U8 => "Live tiles left in the wall.";
        riichi: U8 => "Seats in accepted riichi: bit k for seat k.";
        history: Text => "What everybody saw the players do in the hand so far, in order, separated by spaces. Each begins with the seat: `05m` a discard, `*` after it if it was the tile just drawn, `r` if riichi is declared with it; `2[555m]` a call that takes the discard before it, `2<1111z>` a concealed quad, `2+5m` a tile added to a pon, `1+4z` a North set aside.";
        shanten: I8 => "Shanten of the own hand with the tile just drawn, the least over all forms: -1 complete, 0 tenpai.";
        legal_0: U64 => "Legal actions 0-63, bit k for action k.";
        legal_1: U64 => "Legal actions 64-127, bit k for action 64 + k.";
        legal_2: U64 => "Legal actions 128-164, bit k for action 128 + k.";
        action: U8 => "Number of the action that was chosen.";
        action_text: Word => "The action for a person: `chi 34s` names the own tiles, `tsumogiri 5m` the drawn one.";
        outranked: Bool => "Whether another's claim on the same tile went before, so that the action was not carried out; false where an abortive draw undid all claims.";
        agent: Word => "Agent that decided.";
        value: F32, null => "What the agent expected, on its own scale; null where it does not say.";
        policy: List(&F32), null => "The agent's probabilities of the legal actions in order of number; null where it does not say.";
        hand_delta: I32 => "Label: points that the seat won or lost in the hand.";
        final_points: I32 => "Label: points of the seat at the end of the game.";
        final_rank: U8 => "Label: place of the seat at the end of the game, 1 the first.";
    }
    Walls {
        game: U64 => "Number of the game in its run.";
        hand: U16 => "Number of the hand in its game, from 0.";
        wall: Text => "All tiles of the wall in hand notation, in the order of the engine's places: dealt tiles, live tiles, dead wall. What the log does not show is filled with the tiles that are left. Nobody at the table sees this.";
    }
}

/// The Arrow schema of a table; the meaning of each column is in its field's metadata as `description`.
#[must_use]
pub fn schema(table: Table) -> Arc<Schema> {
    let columns = COLUMNS.iter().filter(|column| column.table == table);
    let fields: Vec<Field> = columns
        .map(|column| {
            let metadata = HashMap::from([
                ("description".to_owned(), column.meaning.to_owned()),
                ("since".to_owned(), column.since.to_string()),
            ]);
            Field::new(column.name, column.kind.data_type(), column.nullable).with_metadata(metadata)
        })
        .collect();
    let metadata = HashMap::from([("jantaku.schema".to_owned(), SCHEMA_VERSION.to_string())]);
    Arc::new(Schema::new(fields).with_metadata(metadata))
}
