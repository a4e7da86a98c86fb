//! A table of figures, and how it is written as CSV and Parquet.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

/// The columns of a table of figures: each has a name and its cells.
pub type FigureTable = Vec<(&'static str, Cells)>;

/// The cells of a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cells {
    /// Text.
    Texts(Vec<String>),
    /// Numbers that may be missing.
    Numbers(Vec<Option<f64>>),
    /// Integers.
    Counts(Vec<i64>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Cells::Texts(cells) => cells.len(),
            Cells::Numbers(cells) => cells.len(),
            Cells::Counts(cells) => cells.len(),
        }
    }

    /// A cell as CSV: quoted if necessary, empty if missing.
    fn text(&self, row: usize) -> String {
        match self {
            Cells::Texts(cells) if cells[row].contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", cells[row].replace('"', "\"\""))
            }
            Cells::Texts(cells) => cells[row].clone(),
            Cells::Numbers(cells) => cells[row].map_or_else(String::new, |number| number.to_string()),
            Cells::Counts(cells) => cells[row].to_string(),
        }
    }

    fn array(&self) -> ArrayRef {
        match self {
            Cells::Texts(cells) => Arc::new(StringArray::from_iter_values(cells)),
            Cells::Numbers(cells) => Arc::new(cells.iter().copied().collect::<Float64Array>()),
            Cells::Counts(cells) => Arc::new(Int64Array::from_iter_values(cells.iter().copied())),
        }
    }
}

/// A table as CSV with a header line, as in RFC 4180 but with `\n` at line ends.
///
/// Numbers have all their digits; a missing number is an empty cell.
pub fn csv(table: &FigureTable) -> String {
    let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
    let rows = table.first().map_or(0, |(_, cells)| cells.len());
    let line = |row| table.iter().map(|(_, cells)| cells.text(row)).collect::<Vec<_>>().join(",") + "\n";
    names.join(",") + "\n" + &(0..rows).map(line).collect::<String>()
}

/// A table as the bytes of a Parquet file, with these names and values as the metadata of the file.
/// Equal tables have equal bytes.
pub fn parquet(table: &FigureTable, metadata: Vec<(String, String)>) -> Vec<u8> {
    let metadata: Vec<KeyValue> =
        metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let arrays = table.iter().map(|(name, cells)| (*name, cells.array(), matches!(cells, Cells::Numbers(_))));
    let batch = RecordBatch::try_from_iter_with_nullable(arrays).expect("all columns have the same length");
    let properties = WriterProperties::builder()
        .set_created_by("jantaku".to_owned())
        .set_key_value_metadata(Some(metadata))
        .set_compression(Compression::ZSTD(ZstdLevel::default()));
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build()))
        .expect("Parquet has all these column types");
    writer.write(&batch).and_then(|()| writer.close()).expect("writing to memory does not fail");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_commas_and_quotes() {
        let table = vec![
            ("group", Cells::Texts(vec!["agent a:x=1,y=2".to_owned(), "a \"b\"".to_owned()])),
            ("low", Cells::Numbers(vec![Some(0.25), None])),
            ("events", Cells::Counts(vec![-3, 0])),
        ];
        let expected = "group,low,events\n\"agent a:x=1,y=2\",0.25,-3\n\"a \"\"b\"\"\",,0\n";
        assert_eq!(csv(&table), expected);
    }
}
