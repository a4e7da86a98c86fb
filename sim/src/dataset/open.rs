//! Opens a file of a table, also one that another tool has written anew.
//!
//! Such tools keep numbers and texts as they are, but name the entries of lists otherwise, take no heed of what can be null, and may store
//! words as plain texts. What is read has the types of the table all the same.

use std::fs::File;
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

use super::columns::{Table, schema};
use super::read::ReadError;

/// Some columns of a file, batch by batch, with the types of its table.
pub(crate) struct Batches {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    /// The columns that are read, in the order in which they were asked for.
    schema: SchemaRef,
}

impl Batches {
    /// Columns of a file of a table, in this order; all of them if none is named.
    ///
    /// # Errors
    ///
    /// If the file is missing, is no Parquet file, or has not these columns.
    pub(crate) fn open(path: &Path, table: Table, columns: &[&str]) -> Result<Batches, ReadError> {
        let error = |what: &dyn ToString| ReadError::new(path, what);
        let file = File::open(path).map_err(|e| error(&format!("cannot open: {e}")))?;
        let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let found = ArrowReaderMetadata::load(&file, plain).map_err(|e| error(&e))?;
        check_compression(found.metadata()).map_err(|what| error(&what))?;
        let wanted = wanted(table, columns);
        let typed = typed(found.schema(), &wanted).map_err(|what| error(&what))?;
        let options = ArrowReaderOptions::new().with_schema(Arc::new(typed));
        let found =
            ArrowReaderMetadata::try_new(Arc::clone(found.metadata()), options).map_err(|e| error(&e))?;
        let names = wanted.fields().iter().map(|field| field.name().as_str());
        let mask = ProjectionMask::columns(found.parquet_schema(), names);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, found).with_projection(mask);
        let reader = builder.build().map_err(|e| error(&e))?;
        Ok(Batches { path: path.to_owned(), reader, schema: wanted })
    }

    /// No rows, with the columns that are read.
    pub(crate) fn none(&self) -> RecordBatch {
        RecordBatch::new_empty(Arc::clone(&self.schema))
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = |what: &dyn ToString| ReadError::new(&self.path, what);
        let batch = match self.reader.next()? {
            Ok(batch) => batch,
            Err(e) => return Some(Err(error(&e))),
        };
        let columns = self.schema.fields().iter().map(|field| {
            let found = batch.column_by_name(field.name()).expect("the columns were looked at");
            renamed(found, field.data_type())
        });
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect());
        Some(batch.map_err(|e| error(&e)))
    }
}

/// Columns of a table in this order; all of them if none is named.
fn wanted(table: Table, columns: &[&str]) -> SchemaRef {
    let all = schema(table);
    if columns.is_empty() {
        return all;
    }
    let field = |name: &&str| all.field_with_name(name).expect("a column of the table").clone();
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Whether all columns can be unpacked.
fn check_compression(found: &ParquetMetaData) -> Result<(), String> {
    for column in found.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_) => {}
            other => {
                let name = column.column_path().string();
                return Err(format!(
                    "column `{name}` is compressed with {other}, expected zstd, snappy or nothing"
                ));
            }
        }
    }
    Ok(())
}

/// The columns of a file with the types in which those that are wanted are to be read.
fn typed(found: &Schema, wanted: &Schema) -> Result<Schema, String> {
    let mut fields = found.fields().to_vec();
    for field in wanted.fields() {
        let name = field.name();
        let place = found.index_of(name).map_err(|_| format!("no column `{name}`"))?;
        let (own, wanted) = (fields[place].data_type(), field.data_type());
        let read = read_as(own, wanted)
            .ok_or_else(|| format!("column `{name}` has type {own}, expected {wanted}"))?;
        fields[place] = Arc::new(fields[place].as_ref().clone().with_data_type(read));
    }
    Ok(Schema::new(fields))
}

/// The type as which a column of a file can be read, which is that of the table but for what the file calls the entries of lists; none if
/// it holds something else.
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

/// A column whose lists have entries of this name and nullability; its values are as they were.
fn renamed(found: &ArrayRef, wanted: &DataType) -> ArrayRef {
    let DataType::List(entry) = wanted else { return Arc::clone(found) };
    let (_, ends, entries, nulls) = found.as_list::<i32>().clone().into_parts();
    let entries = renamed(&entries, entry.data_type());
    Arc::new(ListArray::new(Arc::<Field>::clone(entry), ends, entries, nulls))
}
