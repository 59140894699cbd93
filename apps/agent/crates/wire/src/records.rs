//! The records of a Fetch response: batches from several places, sent one after another without being joined.

use bytes::Bytes;

use crate::error::{DecodeError, EncodeError};
use crate::field::{Form, Prefix, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

/// Record bytes in order. Two values are equal if their bytes are, however they are split.
#[derive(Clone, Debug, Default)]
pub struct RecordChunks(pub Vec<Bytes>);

impl RecordChunks {
    /// Total number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    /// Returns true if there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Bytes::is_empty)
    }
}

impl PartialEq for RecordChunks {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().flatten().eq(other.0.iter().flatten())
    }
}

impl Eq for RecordChunks {}

impl Wire for RecordChunks {
    fn min_bytes(form: Form) -> usize {
        Prefix::Long.min_bytes(form)
    }

    /// Reads null as no bytes.
    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        let len = Prefix::Long.read(reader, form)?.unwrap_or(0);
        let bytes = reader.read_slice(len)?;
        Ok(Self(if bytes.is_empty() { Vec::new() } else { vec![bytes] }))
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        Prefix::Long.write(writer, form, Some(self.len()))?;
        for chunk in &self.0 {
            writer.put_bytes_chunk(chunk.clone());
        }
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        Self(Vec::sample(sampler, form))
    }
}
