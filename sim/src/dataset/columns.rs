//! Every column of the tables: its type, its meaning, and the version that added it.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};

use crate::play::Detail;

/// The version of the tables. A new column, or a new meaning of one, increases it.
pub const SCHEMA_VERSION: u32 = 2;

/// Columns that do not follow from seeds, walls and actions: the values that an agent reports with
/// a decision.
pub const NOT_COMPARED: [&str; 5] = ["value", "policy", "probability", "action_values", "action_errors"];

/// Further columns that `verify` does not compare for games from logs.
pub const NOT_COMPARED_OF_LOGS: [&str; 1] = ["source"];

/// A table of a dataset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableKind {
    /// One row per game.
    Games,
    /// One row per hand.
    Hands,
    /// One row per decision.
    Decisions,
    /// One row per hand: its wall.
    Walls,
    /// One row per decision: the hidden hands.
    Oracle,
}

impl TableKind {
    /// All tables.
    pub const ALL: [TableKind; 5] =
        [TableKind::Games, TableKind::Hands, TableKind::Decisions, TableKind::Walls, TableKind::Oracle];

    /// The name of the table and of its folder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TableKind::Games => "games",
            TableKind::Hands => "hands",
            TableKind::Decisions => "decisions",
            TableKind::Walls => "walls",
            TableKind::Oracle => "oracle",
        }
    }

    /// The table with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<TableKind> {
        TableKind::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Whether a dataset with this detail keeps the table. `from_logs` says whether its games come
    /// from logs: their walls do not follow from seeds.
    #[must_use]
    pub fn is_kept(self, detail: Detail, from_logs: bool) -> bool {
        match self {
            TableKind::Games => detail >= Detail::Games,
            TableKind::Hands => detail >= Detail::Hands,
            TableKind::Decisions => detail >= Detail::Decisions,
            TableKind::Walls => from_logs || detail >= Detail::Oracle,
            TableKind::Oracle => detail >= Detail::Oracle,
        }
    }

    /// The columns of the table.
    pub fn columns(self) -> impl Iterator<Item = &'static Column> {
        COLUMNS.iter().filter(move |column| column.table == self)
    }

    /// The number of leading columns that identify a row.
    pub(crate) const fn keys(self) -> usize {
        match self {
            TableKind::Games => 1,
            TableKind::Hands | TableKind::Walls => 2,
            TableKind::Decisions | TableKind::Oracle => 4,
        }
    }
}

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// The table.
    pub table: TableKind,
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// Whether it can be null. The meaning says when.
    pub nullable: bool,
    /// The meaning: unit, whose view, when null.
    pub meaning: &'static str,
    /// The version of the tables that added it.
    pub since: u32,
    /// Its name in version 1, if it had another one.
    pub before: Option<&'static str>,
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
    /// An unsigned number of 32 bits.
    U32,
    /// An unsigned number of 64 bits.
    U64,
    /// −128–127.
    I8,
    /// A signed number of 32 bits.
    I32,
    /// A floating-point number of 32 bits.
    F32,
    /// One of a small number of texts, each stored once.
    Word,
    /// A text.
    Text,
    /// A list of values of one type.
    List(&'static Kind),
}

impl Kind {
    /// The name of the type in the documentation.
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

/// The field of a list's items. All are declared nullable; only `riichi_turn`, `tenpai` and the
/// estimates of agents have null items.
pub(super) fn item_field(item: Kind) -> Field {
    Field::new_list_field(item.data_type(), true)
}

/// Defines the columns of a table.
macro_rules! columns {
    (@nullable) => { false };
    (@nullable null) => { true };
    (@since) => { 1 };
    (@since $since:literal) => { $since };
    (@before) => { None };
    (@before $before:ident) => { Some(stringify!($before)) };
    ($($table:ident { $(
        $name:ident: $kind:expr
            $(, $null:ident)? $(; since $since:literal)? $(; before $before:ident)?
            => $meaning:literal;
    )+ })+) => {
        /// All columns, in the order of the tables.
        pub static COLUMNS: &[Column] = &[$($(
            Column {
                table: TableKind::$table,
                name: stringify!($name),
                kind: $kind,
                nullable: columns!(@nullable $($null)?),
                meaning: $meaning,
                since: columns!(@since $($since)?),
                before: columns!(@before $($before)?),
            },
        )+)+];
    };
}

use Kind::{Bool, F32, I8, I32, List, Text, U8, U16, U32, U64, Word};

columns! {
    Games {
        game: U64 => "Number of the game in its run, from 0.";
        seed: U64 => "Seed of the game. With the rules it determines every wall; with the agents' salts, their random choices.";
        rules_hash: Word; before rules => "Hash of the rules, 16 hexadecimal digits. The rules themselves are in run.toml or in ruleset.";
        agents: List(&Word) => "Agent of each seat, or the player's name in the log. Seat 0 is the first dealer. Lists of this table have an entry for each playing seat.";
        points: List(&I32) => "Points of each seat at the end, after the riichi sticks left on the table are paid out.";
        placement: List(&U8); before rank => "Placement of each seat, 1 is first. Seats with equal points are ranked by seat number.";
        result: List(&I32) => "Result of each seat with uma and oka, in points: 55000 means +55.0.";
        hands: U16 => "Number of hands.";
        decisions: U32 => "Number of decisions. Forced moves are not decisions.";
        signature: U64 => "Hash of all events of the game. Games with the same events have the same signature.";
        source: Word, null => "Name of the log that the game came from; null for a self-play game.";
        ruleset: Word, null => "Rules of the game as TOML text; null if they are those of run.toml.";
    }
    Hands {
        game: U64 => "Number of the game in its run.";
        hand: U16 => "Number of the hand in its game, from 0.";
        round: U16 => "Number of dealer changes before the hand: 0 is East 1; with four players 4 is South 1. It does not wrap around.";
        round_wind: Word => "Round wind: East, South, West, North.";
        dealer: U8 => "Seat of the dealer.";
        honba: U16 => "Honba of the hand.";
        riichi_sticks: U16; before deposits => "Riichi sticks on the table at the deal, 1000 points each.";
        start_points: List(&I32) => "Points of each seat at the deal. Lists of seats have an entry for each playing seat; seat 0 is the first dealer of the game.";
        outcome: Word; before result => "How the hand ended: tsumo, ron, or the reason of the draw (exhaustive, nagashi, kyuushu-kyuuhai, four-winds, four-riichi, four-kans, triple-ron, chombo).";
        winners: List(&U8) => "Seats that won, in turn order after the discarder; empty for a draw. The next lists up to win_points have an entry for each winner.";
        discarder: U8, null => "Seat whose tile was won on; null for a tsumo and for a draw.";
        winning_tile: Word, null => "Winning tile, 0 for a red five; null for a draw.";
        yaku: List(&List(&Word)) => "Yaku of each winner. A yakuman hand lists only its yakuman.";
        han: List(&U8) => "Han of each winner with dora; 0 for a yakuman.";
        fu: List(&U8) => "Fu of each winner, rounded up; 25 for seven pairs. A yakuman also has the fu of its hand. 0 for renhou as a limit and, if the rules have limits, for thirteen orphans.";
        yakuman: List(&U8) => "Number of yakuman that each winner is paid; 0 for other hands, including counted yakuman.";
        dora: List(&U8) => "Han of each winner from dora named by indicators.";
        ura_dora: List(&U8); before ura => "Han of each winner from ura dora.";
        red_fives: List(&U8); before red => "Han of each winner from red fives.";
        kita: List(&U8); before north => "Han of each winner from kita, Norths set aside.";
        win_points: List(&I32) => "Points of each winner's hand, without honba and riichi sticks.";
        deltas: List(&I32) => "Points that each seat won or lost in the hand. They include its own riichi stick and the riichi sticks it took.";
        turn: U8 => "Number of discards of the seat with the most discards at the end of the hand.";
        discards: List(&U8); since 2 => "Number of tiles that each seat discarded.";
        live: U8 => "Live tiles left in the wall.";
        riichi_turn: List(&U8) => "Number of the discard, from 1, with which each seat declared an accepted riichi; null without riichi.";
        calls: List(&U8) => "Number of discards that each seat claimed for chi, pon or daiminkan.";
        tenpai: List(&Bool) => "Whether each seat was tenpai and showed its hand; null unless the hand ended in an exhaustive draw, nagashi included.";
        nagashi: List(&U8) => "Seats that were paid for nagashi mangan: all their discards were yaochuu, and none of them was claimed.";
    }
    Decisions {
        game: U64 => "Number of the game in its run.";
        hand: U16 => "Number of the hand in its game, from 0.";
        step: U16 => "Number of events of the hand before the decision, the deal included. The seat does not see it: gaps reveal who else could have acted.";
        seat: U8 => "Seat that decides.";
        round: U16; since 2 => "Number of dealer changes before the hand, as in hands. With n players, the length of points, the dealer is seat round mod n, and the round wind has the number (round div n) mod 4: 0 East, 1 South, 2 West, 3 North.";
        honba: U16; since 2 => "Honba of the hand.";
        riichi_sticks: U16; since 2 => "Riichi sticks on the table at the decision, 1000 points each; in the phase end, those left after the hand.";
        points: List(&I32); since 2 => "Points of each player at the decision, in order of seats, less the riichi sticks paid so far; in the phase end, those after the hand.";
        turn: U8 => "Number of tiles that the seat has discarded in the hand.";
        phase: Word => "What the seat decides on: turn (its own turn), claim (a discard), kan-claim (a tile of a kan or a North set aside), draw (to show a tenpai hand), end (to end the game).";
        tiles: Text => "The seat's concealed tiles in hand notation, 0 for a red five, without the tile just drawn.";
        drawn: Word, null => "Tile just drawn; null outside the phase turn and after a chi or pon.";
        melds: Word => "The seat's melds in hand notation: [123m] chi, [777z] pon, [7777z] daiminkan or kakan, <7777z> ankan.";
        offer: Word, null => "Tile that can be claimed; null outside the phases claim and kan-claim.";
        offer_from: U8, null => "Seat that discarded this tile, declared a kan with it or set it aside; null if offer is null.";
        seen_m: I32 => "Characters that the seat sees outside its concealed tiles, one decimal digit per rank: 102000000 is one 1m and two 3m. Its own melds count.";
        seen_p: I32 => "The same for dots.";
        seen_s: I32 => "The same for bamboo.";
        seen_z: I32 => "The same for honours: seven digits from East to the red dragon.";
        seen_red: U16; since 2 => "Red fives among these seen tiles, one decimal digit per suit: 102 is one red five of characters and two of bamboo.";
        indicators: Word => "Turned dora indicators in hand notation, in order.";
        live: U8 => "Live tiles left in the wall.";
        riichi: U8 => "Seats in accepted riichi: bit k for seat k.";
        history: Text => "Public actions of the hand so far in order, separated by spaces. Each starts with the seat: `05m` is a discard, followed by `*` for a tsumogiri and `r` for a riichi declaration. `2[555m]` is a call of the discard before it, `2<1111z>` an ankan, `2+5m` a kakan, `1+4z` a North set aside.";
        shanten: I8 => "Shanten of the hand with the tile just drawn, the least over all forms: -1 complete, 0 tenpai.";
        legal_0: U64 => "Legal actions 0-63: bit k for action k.";
        legal_1: U64 => "Legal actions 64-127: bit k for action 64 + k.";
        legal_2: U64 => "Legal actions 128-164: bit k for action 128 + k.";
        action: U8 => "Number of the chosen action.";
        action_text: Word => "Chosen action as text: `chi 34s` names the seat's own tiles, `tsumogiri 5m` the drawn tile.";
        outranked: Bool => "Whether another player's claim on the same tile had priority, so that the action had no effect; false if an abortive draw cancelled all claims.";
        agent: Word => "Agent that decided, or the player's name in the log.";
        value: F32, null => "Result that the agent expected, on its own scale; null if it reports none.";
        policy: List(&F32), null => "Probabilities that the agent gave the legal actions, in order of their numbers; null if it reports none.";
        probability: F32, null; since 2 => "Probability with which the agent chose the action, after temperature and other exploration; null if it reports none.";
        action_values: List(&F32), null; since 2 => "Values that the agent expected of the legal actions, in order of their numbers and on the scale of value; an entry is null if the agent did not examine the action, the list if it reports none.";
        action_errors: List(&F32), null; since 2 => "Standard errors of action_values; an entry is null if the agent knows none, the list if it knows none at all.";
        hand_delta: I32 => "Label: points that the seat won or lost in the hand.";
        final_points: I32 => "Label: points of the seat at the end of the game.";
        final_placement: U8; before final_rank => "Label: placement of the seat at the end of the game, 1 is first.";
        final_result: I32; since 2 => "Label: result of the seat with uma and oka, in points, as in games.";
    }
    Walls {
        game: U64 => "Number of the game in its run.";
        hand: U16 => "Number of the hand in its game, from 0.";
        wall: Text => "All tiles of the wall in hand notation, in the order of the engine's wall: dealt tiles, live tiles, dead wall. In a game from a log, the tiles that the log does not show are filled in from the rest of the set. No player sees this column.";
    }
    Oracle {
        game: U64; since 2 => "Number of the game in its run.";
        hand: U16; since 2 => "Number of the hand in its game, from 0.";
        step: U16; since 2 => "Number of events of the hand before the decision, as in decisions.";
        seat: U8; since 2 => "Seat that decides. The row belongs to the row of decisions with the same number.";
        tiles: List(&Text); since 2 => "Concealed tiles of each seat in hand notation, 0 for a red five, without the tile just drawn. The entry of the seat that decides is tiles of decisions.";
    }
}

/// The Arrow schema of a table. Each field's metadata has the column's meaning as `description`.
#[must_use]
pub fn schema(table: TableKind) -> Arc<Schema> {
    let fields: Vec<Field> = table
        .columns()
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
