//! The properties of a column: type, meaning, source, storage, and the version that added it.
//!
//! # Why
//!
//! **Which versions of the tables are read?** `OLDEST_SCHEMA` and later ones. They may lack columns,
//! but each column that they have means the same. Their games are replayed from the same columns, and
//! `verify` compares the others that they have. Code for other meanings of columns would never run.
//! Seeds and actions rebuild a game, so the program that wrote an older run can play it again.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use jantaku_engine::named_enum;

use super::table::TableKind;

/// The version of the tables. A new column, or a new meaning of one, increases it.
pub const SCHEMA_VERSION: u32 = 3;

/// The oldest version of the tables that is read. It has all columns from which games are replayed.
pub const OLDEST_SCHEMA: u32 = 3;

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
    /// Where its values come from.
    pub provenance: Provenance,
    /// How its values are stored.
    pub storage: Storage,
}

impl Column {
    /// A column with the properties of most columns. Its statement in [`super::tables`] sets the rest.
    pub const fn new(table: TableKind, name: &'static str, meaning: &'static str) -> Column {
        Column {
            table,
            name,
            kind: Kind::U8,
            nullable: false,
            meaning,
            since: 1,
            provenance: Provenance::Game,
            storage: Storage::Dictionary,
        }
    }
}

/// Where the values of a column come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provenance {
    /// The seed or the walls, and the actions up to the row.
    Game,
    /// Later events of the game.
    Outcome,
    /// The agent, which reports them with a decision. They do not follow from the game.
    Agent,
    /// The log of the game. They do not follow from the game.
    Log,
}

named_enum! {
    /// How the values of a column are stored before compression.
    Storage {
        /// Each different value once, and its index per row. Parquet abandons a dictionary that grows
        /// too large.
        Dictionary = "dictionary",
        /// One value after another. For values that are mostly new but similar to a recent one: a
        /// dictionary would hide the similarity from compression. Also for values that rarely change:
        /// compression finds the repetition faster than a dictionary, which looks up every value.
        Plain = "plain",
        /// The lengths of all texts, then the texts. For texts that mostly have the same length.
        Lengths = "lengths",
        /// The difference from the value before: of a number, or of a text that starts like the one
        /// before it.
        Delta = "delta",
    }
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
    pub fn name(self) -> String {
        match self {
            Kind::Bool => "bool".to_owned(),
            Kind::Word => "word".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::List(item) => format!("list of {}", item.name()),
            number => number.data_type().to_string().to_lowercase(),
        }
    }

    /// The Arrow type.
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

/// The field of a list's items. All are declared nullable, but only `riichi_turn`, `tenpai`, the
/// estimates that agents report, and labels have null items.
pub(super) fn item_field(item: Kind) -> Field {
    Field::new_list_field(item.data_type(), true)
}

/// The Arrow schema of these columns. Each field's metadata has the column's meaning as
/// `description`, and `since`.
pub(super) fn schema_of<'a>(columns: impl IntoIterator<Item = &'a Column>) -> SchemaRef {
    let field = |column: &Column| {
        let metadata = HashMap::from([
            ("description".to_owned(), column.meaning.to_owned()),
            ("since".to_owned(), column.since.to_string()),
        ]);
        Field::new(column.name, column.kind.data_type(), column.nullable).with_metadata(metadata)
    };
    let fields: Vec<Field> = columns.into_iter().map(field).collect();
    let metadata = HashMap::from([("jantaku.schema".to_owned(), SCHEMA_VERSION.to_string())]);
    Arc::new(Schema::new(fields).with_metadata(metadata))
}
