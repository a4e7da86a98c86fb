//! Reads and writes the rows of tables.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_select::concat::concat;
use jantaku_sim::dataset::TableKind;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

/// The file of a part of a table.
pub fn file_of(run: &Path, table: TableKind, part: usize) -> PathBuf {
    run.join(format!("{}/part-{part:06}.parquet", table.name()))
}

/// All rows of a file.
pub fn rows(file: &Path) -> RecordBatch {
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(File::open(file).expect("a file")).expect("Parquet");
    let mut batches = reader.with_batch_size(1 << 20).build().expect("a table");
    let rows = batches.next().expect("rows").expect("rows");
    assert!(batches.next().is_none());
    rows
}

/// Writes a file with the compression that most tools use.
pub fn write(file: &Path, rows: &RecordBatch) {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let file = File::create(file).expect("a file");
    let mut writer = ArrowWriter::try_new(file, rows.schema(), Some(properties)).expect("a file");
    writer.write(rows).expect("rows");
    writer.close().expect("a file");
}

/// The rows with another value in one column and row. None if the value is the same.
pub fn replaced(rows: &RecordBatch, name: &str, row: usize, value: &ArrayRef) -> Option<RecordBatch> {
    let index = rows.schema().index_of(name).expect("a column");
    let column = rows.column(index);
    let (before, after) = (column.slice(0, row), column.slice(row + 1, column.len() - row - 1));
    (&column.slice(row, 1) != value).then(|| {
        let mut columns = rows.columns().to_vec();
        columns[index] = concat(&[&before, value, &after]).expect("arrays of one type");
        RecordBatch::try_new(rows.schema(), columns).expect("a table")
    })
}
