//! Record batches (magic 2) as found in Produce requests, data files and Fetch responses. A batch keeps the bytes in
//! which it arrived. Only two kinds of batches are encoded here: those of compacted partitions ([`BatchRewriter`]) and
//! the ends of transactions ([`EndMarker`]).

mod check;
mod checker;
mod compress;
mod end_marker;
mod error;
mod gzip_zstd;
mod header;
mod lz4;
mod meter;
mod payload;
mod raw_record;
mod record;
mod rewriter;
mod snappy;
mod snappy_block;
mod timestamp;
mod varint;
mod walk;
mod window;

pub use check::{CheckedRecords, RecordRules, check_records};
pub use checker::BatchChecker;
#[cfg(feature = "testing")]
pub use compress::compress;
pub use end_marker::EndMarker;
pub use error::{BatchError, RecordFault, RefusedRecord, RefusedRecords};
pub use header::{Batch, BatchHeader, Batches, Compression, HEADER_BYTES, SERVED_HEADER_BYTES, served_header};
pub use payload::{MAX_UNCOMPRESSED_BYTES, decompressed, decompressed_records};
pub use record::{Header, Record, Records};
pub use rewriter::{BatchRewriter, FilterOutcome, RecordView, RewriteRules, view_records};
pub use timestamp::{FoundRecord, first_record_at_or_after, latest_record};
pub use window::window_bytes;
