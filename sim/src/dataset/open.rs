//! Opens the file of a table, also one rewritten by another tool.
//!
//! Such tools keep numbers and texts, but they rename the entries of lists, change which columns
//! can be null, and may store words as plain texts. The batches read here always have the table's
//! types.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, ListArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use super::column::{Column, schema_of};
use super::error::ReadError;
use crate::store;

/// Some columns of a file, batch by batch, with the table's types.
pub(super) struct Batches {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    /// The columns that are read, in the requested order.
    schema: SchemaRef,
}

impl Batches {
    /// Opens a file to read these columns in this order.
    ///
    /// # Errors
    ///
    /// If the file is missing, is not a Parquet file, or lacks one of the columns.
    pub(super) fn open(
        path: &Path,
        columns: impl IntoIterator<Item = &'static Column>,
    ) -> Result<Batches, ReadError> {
        let file = store::open(path).map_err(|e| ReadError::new(path, &format!("cannot open: {e}")))?;
        Batches::of(path, file, columns)
    }

    /// [`Batches::open`] for the contents of a file; `path` appears in error messages only.
    pub(super) fn of<R: ChunkReader + 'static>(
        path: &Path,
        file: R,
        columns: impl IntoIterator<Item = &'static Column>,
    ) -> Result<Batches, ReadError> {
        let columns: Vec<&Column> = columns.into_iter().collect();
        let error = |what: &dyn ToString| ReadError::new(path, what);
        // The Arrow schema that the writer embedded is ignored.
        let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let found = guarded(|| ArrowReaderMetadata::load(&file, plain)).map_err(|e| error(&e))?;
        check_columns(found.metadata()).map_err(|what| error(&what))?;
        let typed = typed(found.schema(), &columns).map_err(|what| error(&what))?;
        let options = ArrowReaderOptions::new().with_schema(Arc::new(typed));
        let found =
            ArrowReaderMetadata::try_new(Arc::clone(found.metadata()), options).map_err(|e| error(&e))?;
        let names = columns.iter().map(|column| column.name);
        let mask = ProjectionMask::columns(found.parquet_schema(), names);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, found).with_projection(mask);
        let reader = builder.build().map_err(|e| error(&e))?;
        let schema = schema_of(columns);
        Ok(Batches { path: path.to_owned(), reader, schema })
    }

    /// A batch without rows.
    pub(super) fn empty_batch(&self) -> RecordBatch {
        RecordBatch::new_empty(Arc::clone(&self.schema))
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = |what: &dyn ToString| ReadError::new(&self.path, what);
        let batch = match guarded(|| self.reader.next().transpose()) {
            Ok(batch) => batch?,
            Err(e) => return Some(Err(error(&e))),
        };
        let columns = self.schema.fields().iter().map(|field| {
            let found = batch.column_by_name(field.name()).expect("the file has the column");
            renamed(found, field.data_type())
        });
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect());
        Some(batch.map_err(|e| error(&e)))
    }
}

/// Calls the Parquet reader. It may panic at a damaged file, which becomes an error.
fn guarded<T, E: ToString>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(found) => found.map_err(|error| error.to_string()),
        Err(_) => Err("is damaged: the Parquet reader cannot read it".to_owned()),
    }
}

/// Checks that no column has a negative offset or size, at which the reader would panic, and that all
/// can be decompressed.
fn check_columns(found: &ParquetMetaData) -> Result<(), String> {
    for column in found.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        if start.min(column.compressed_size()) < 0 {
            let (name, bytes) = (column.column_path().string(), column.compressed_size());
            return Err(format!(
                "column `{name}`: expected a place in the file, found {bytes} bytes from {start} on"
            ));
        }
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_) => {}
            other => {
                let name = column.column_path().string();
                return Err(format!(
                    "column `{name}` is compressed with {other}, expected zstd, snappy or no compression"
                ));
            }
        }
    }
    Ok(())
}

/// The columns of a file, where each wanted column has the type to read it as.
fn typed(found: &Schema, wanted: &[&Column]) -> Result<Schema, String> {
    let mut fields = found.fields().to_vec();
    for column in wanted {
        let name = column.name;
        let index = found.index_of(name).map_err(|_| format!("no column `{name}`"))?;
        let (stored, expected) = (fields[index].data_type(), column.kind.data_type());
        let read = read_as(stored, &expected)
            .ok_or_else(|| format!("column `{name}` has type {stored}, expected {expected}"))?;
        fields[index] = Arc::new(fields[index].as_ref().clone().with_data_type(read));
    }
    Ok(Schema::new(fields))
}

/// The type to read a column as: the table's type, with the file's names for the entries of lists.
/// None if the column holds values of a different type.
fn read_as(found: &DataType, wanted: &DataType) -> Option<DataType> {
    match (found, wanted) {
        (DataType::List(found), DataType::List(wanted)) => {
            let entries = read_as(found.data_type(), wanted.data_type())?;
            Some(DataType::List(Arc::new(found.as_ref().clone().with_data_type(entries))))
        }
        (DataType::Utf8, DataType::Dictionary(_, words)) if **words == DataType::Utf8 => Some(wanted.clone()),
        _ => (found == wanted).then(|| wanted.clone()),
    }
}

/// The column with the wanted name and nullability of list entries.
fn renamed(found: &ArrayRef, wanted: &DataType) -> ArrayRef {
    let DataType::List(entry) = wanted else { return Arc::clone(found) };
    let (_, ends, entries, nulls) = found.as_list::<i32>().clone().into_parts();
    let entries = renamed(&entries, entry.data_type());
    Arc::new(ListArray::new(Arc::<Field>::clone(entry), ends, entries, nulls))
}
