//! The records of a fetch answer: batches from several places, sent one after the other without being joined.

use bytes::Bytes;

use crate::error::{DecodeError, EncodeError};
use crate::field::{Form, Prefix, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

/// Record bytes in order. Equal when the bytes are, however they are cut.
#[derive(Clone, Debug, Default)]
pub struct RecordChunks(pub Vec<Bytes>);

impl RecordChunks {
    /// Bytes in all chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    /// Whether there are no bytes.
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

    /// Null reads as no bytes.
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

    #[cfg(test)]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        Self(Vec::sample(sampler, form))
    }
}
