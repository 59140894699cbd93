//! Checks bytes of data files that did not come from object storage.

use bytes::Bytes;
use penstock_store::{FileRange, FormatError, decode_index};
use penstock_wire::record_batch::{BatchError, Batches};
use thiserror::Error;

/// The bytes are not those of the file.
#[derive(Debug, Error)]
pub enum BlockDamage {
    /// The index at the end of the file is damaged.
    #[error(transparent)]
    Index(#[from] FormatError),
    /// The bytes are those of another file.
    #[error("it is data file {0}")]
    OtherFile(uuid::Uuid),
    /// A batch is damaged, or is not where the index says.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The index says that there are more bytes.
    #[error("the file is shorter than its runs")]
    Short,
}

/// Checks the CRC-32C of each batch and of the index, and the file's id. A range of less than a file cannot be checked,
/// since nothing says where its batches begin.
///
/// # Errors
/// Returns an error if the bytes are not what was written to the file.
pub fn check_block(range: &FileRange, bytes: &Bytes) -> Result<(), BlockDamage> {
    if range.start != 0 || range.end != range.file_bytes {
        return Ok(());
    }
    let index = decode_index(bytes)?;
    if index.file_id != range.file_id {
        return Err(BlockDamage::OtherFile(index.file_id));
    }
    let end = usize::try_from(index.batches_end()).unwrap_or(usize::MAX);
    if end > bytes.len() {
        return Err(BlockDamage::Short);
    }
    for batch in Batches::new(bytes.slice(..end)) {
        batch?.check_crc()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use penstock_store::{FileIndex, IndexedRun, encode_index};
    use penstock_wire::record_batch::EndMarker;
    use uuid::Uuid;

    use super::*;

    /// A file with one batch.
    fn file(file_id: Uuid) -> Vec<u8> {
        let marker = EndMarker {
            producer_id: 7,
            producer_epoch: 0,
            is_commit: true,
            timestamp_ms: 1,
        };
        let batch = marker.batch().bytes;
        let index = FileIndex {
            file_id,
            topics: vec![(Uuid::now_v7(), "topic".to_owned())],
            runs: vec![IndexedRun {
                topic: 0,
                partition: 0,
                bytes: u32::try_from(batch.len()).unwrap(),
                batches: 1,
            }],
        };
        [&batch[..], &encode_index(&index)].concat()
    }

    fn whole(file_id: Uuid, bytes: &[u8]) -> FileRange {
        FileRange {
            file_id,
            file_bytes: bytes.len() as u64,
            start: 0,
            end: bytes.len() as u64,
        }
    }

    #[test]
    fn accepts_the_file_and_refuses_each_flipped_byte() {
        let file_id = Uuid::now_v7();
        let bytes = file(file_id);
        let range = whole(file_id, &bytes);
        check_block(&range, &Bytes::from(bytes.clone())).unwrap();
        // The base offset and the leader epoch of a batch are outside of its CRC, and set when it is served.
        for at in (8..12).chain(16..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(check_block(&range, &Bytes::from(damaged)).is_err(), "byte {at}");
        }
    }

    #[test]
    fn refuses_another_file() {
        let bytes = file(Uuid::now_v7());
        let range = whole(Uuid::now_v7(), &bytes);
        let error = check_block(&range, &Bytes::from(bytes)).unwrap_err();
        assert!(matches!(error, BlockDamage::OtherFile(_)), "{error}");
    }
}
