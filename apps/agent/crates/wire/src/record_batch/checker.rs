//! Checks batches in a stream of bytes in pieces of any size, so that copying hundreds of MiB never holds a whole batch
//! in memory.

use super::error::BatchError;
use super::header::{BatchHeader, CRC_START, HEADER_BYTES, LENGTH_END};

/// Checks consecutive batches incrementally.
#[derive(Debug)]
pub struct BatchChecker {
    head: [u8; HEADER_BYTES],
    /// Number of bytes of the head received so far.
    head_bytes: usize,
    /// The batch whose head is complete.
    body: Option<Body>,
}

#[derive(Debug)]
struct Body {
    header: BatchHeader,
    bytes_left: usize,
    crc: u32,
}

impl Default for BatchChecker {
    fn default() -> Self {
        Self {
            head: [0; HEADER_BYTES],
            head_bytes: 0,
            body: None,
        }
    }
}

impl BatchChecker {
    /// Processes the next bytes. Calls `seen` with the header and total size of each batch that ends in them and has a
    /// valid checksum.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a batch of magic 2, or if a checksum does not match. Nothing after that
    /// can be trusted.
    pub fn feed(&mut self, mut bytes: &[u8], mut seen: impl FnMut(&BatchHeader, usize)) -> Result<(), BatchError> {
        while !bytes.is_empty() {
            if self.body.is_none() {
                let taken = bytes.len().min(HEADER_BYTES - self.head_bytes);
                let (now, later) = bytes.split_at(taken);
                self.head[self.head_bytes..self.head_bytes + taken].copy_from_slice(now);
                self.head_bytes += taken;
                bytes = later;
                if self.head_bytes < HEADER_BYTES {
                    return Ok(());
                }
                let header = BatchHeader::of(&self.head)?;
                self.body = Some(Body {
                    bytes_left: header.batch_bytes()? - HEADER_BYTES,
                    crc: crc32c::crc32c(&self.head[CRC_START..]),
                    header,
                });
            }
            let Some(body) = &mut self.body else { return Ok(()) };
            let (now, later) = bytes.split_at(bytes.len().min(body.bytes_left));
            body.crc = crc32c::crc32c_append(body.crc, now);
            body.bytes_left -= now.len();
            bytes = later;
            if body.bytes_left == 0 {
                if body.crc != body.header.crc {
                    return Err(BatchError::BadChecksum {
                        computed: body.crc,
                        stated: body.header.crc,
                    });
                }
                seen(&body.header, body.header.batch_bytes()?);
                self.body = None;
                self.head_bytes = 0;
            }
        }
        Ok(())
    }

    /// Returns true if the bytes so far consist of whole batches.
    #[must_use]
    pub fn is_between_batches(&self) -> bool {
        self.head_bytes == 0
    }
}

impl BatchHeader {
    /// The size of the whole batch, in bytes.
    ///
    /// # Errors
    /// Returns an error if the length is invalid for a batch.
    pub fn batch_bytes(&self) -> Result<usize, BatchError> {
        usize::try_from(self.batch_length)
            .ok()
            .and_then(|length| length.checked_add(LENGTH_END))
            .filter(|len| *len >= HEADER_BYTES)
            .ok_or(BatchError::BadLength(self.batch_length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(last_offset_delta: i32, body: &[u8]) -> Vec<u8> {
        let mut batch = vec![0; HEADER_BYTES];
        batch.extend_from_slice(body);
        let length = i32::try_from(batch.len() - LENGTH_END).unwrap();
        batch[8..12].copy_from_slice(&length.to_be_bytes());
        batch[16] = 2;
        batch[23..27].copy_from_slice(&last_offset_delta.to_be_bytes());
        let crc = crc32c::crc32c(&batch[CRC_START..]);
        batch[17..CRC_START].copy_from_slice(&crc.to_be_bytes());
        batch
    }

    /// Last offset deltas and sizes of the batches found.
    fn seen(bytes: &[u8], piece_bytes: usize) -> Result<Vec<(i32, usize)>, BatchError> {
        let (mut checker, mut all) = (BatchChecker::default(), Vec::new());
        for piece in bytes.chunks(piece_bytes) {
            checker.feed(piece, |header, bytes| all.push((header.last_offset_delta, bytes)))?;
        }
        assert!(checker.is_between_batches());
        Ok(all)
    }

    #[test]
    fn finds_the_same_batches_in_pieces_of_any_size() {
        let batches = [batch(0, b""), batch(4, &[7; 300]), batch(9, &[8; 5])].concat();
        for piece_bytes in 1..=batches.len() {
            let expected = vec![(0, 61), (4, 361), (9, 66)];
            assert_eq!(seen(&batches, piece_bytes), Ok(expected), "{piece_bytes}");
        }
    }

    #[test]
    fn detects_a_changed_byte_covered_by_the_checksum() {
        let good = batch(3, &[7; 100]);
        for at in 16..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(BatchChecker::default().feed(&bad, |_, _| {}).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_truncated_batch_is_not_between_batches() {
        let whole = batch(3, &[7; 100]);
        for len in 1..whole.len() {
            let mut checker = BatchChecker::default();
            checker.feed(&whole[..len], |_, _| panic!("it has not come")).unwrap();
            assert!(!checker.is_between_batches(), "{len}");
        }
    }

    #[test]
    fn refuses_an_invalid_batch_length() {
        for length in [i32::MIN, -1, 0, 48] {
            let mut bad = batch(0, b"");
            bad[8..12].copy_from_slice(&length.to_be_bytes());
            let refused = BatchChecker::default().feed(&bad, |_, _| {});
            assert_eq!(refused, Err(BatchError::BadLength(length)));
        }
    }
}
