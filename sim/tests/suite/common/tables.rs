//! The rows of stored tables.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use jantaku_sim::dataset::TableKind;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

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
