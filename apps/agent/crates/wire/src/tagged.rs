//! Tagged fields of flexible versions. Unknown tags are skipped.

use crate::error::{DecodeError, DecodeReason, EncodeError};
use crate::field::{Form, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

/// Reads the tagged fields at the end of a struct. `known` reads the value if it knows the tag, and returns whether it
/// did.
pub(crate) fn read(
    reader: &mut Reader,
    mut known: impl FnMut(u32, &mut Reader) -> Result<bool, DecodeError>,
) -> Result<(), DecodeError> {
    let count = reader.read_uvarint()?;
    let mut next_tag = 0u64;
    for _ in 0..count {
        let tag = reader.read_uvarint()?;
        if u64::from(tag) < next_tag {
            return Err(DecodeReason::TagsOutOfOrder.into());
        }
        next_tag = u64::from(tag) + 1;
        let len = reader.read_uvarint()? as usize;
        let mut value = reader.section(len)?;
        if known(tag, &mut value)? && value.remaining() > 0 {
            return Err(DecodeReason::TaggedFieldTooLong(value.remaining()).into());
        }
    }
    Ok(())
}

/// Collects the tagged fields of a struct that differ from their defaults.
#[derive(Default)]
pub(crate) struct TaggedWriter {
    count: u32,
    fields: Writer,
}

impl TaggedWriter {
    /// Adds a field. Tags must be in ascending order.
    pub(crate) fn put<T: Wire>(&mut self, tag: u32, value: &T, form: Form) -> Result<(), EncodeError> {
        let mut content = Writer::new();
        value.write(&mut content, form)?;
        let len = u32::try_from(content.len()).map_err(|_| EncodeError::TooLong(content.len()))?;
        self.fields.put_uvarint(tag);
        self.fields.put_uvarint(len);
        self.fields.append(content);
        self.count += 1;
        Ok(())
    }

    /// Writes the number of fields and the fields.
    pub(crate) fn finish(self, writer: &mut Writer) -> Result<(), EncodeError> {
        writer.put_uvarint(self.count);
        writer.append(self.fields);
        Ok(())
    }
}
