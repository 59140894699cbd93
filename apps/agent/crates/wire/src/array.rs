//! Arrays. Their element count is checked against the remaining bytes before anything is allocated, and capacity grows
//! as elements are read, so that memory use follows the bytes received.

use crate::error::{DecodeError, DecodeReason, EncodeError};
use crate::field::{Form, Prefix, Wire, allowed, check_null, required};
use crate::reader::Reader;
use crate::writer::Writer;

/// Maximum capacity reserved for an array before its elements are read.
const MAX_RESERVATION_BYTES: usize = 16 * 1024;

fn read_array<T: Wire>(reader: &mut Reader, form: Form) -> Result<Option<Vec<T>>, DecodeError> {
    let Some(count) = Prefix::Long.read(reader, form)? else {
        return Ok(None);
    };
    let element = form.with_nullable(false);
    let remaining = reader.remaining();
    if count > remaining / T::min_bytes(element).max(1) {
        return Err(DecodeReason::CountExceedsFrame {
            count: count as u64,
            remaining,
        }
        .into());
    }
    reader.claim_elements(count)?;
    let mut elements = Vec::with_capacity(count.min(MAX_RESERVATION_BYTES / size_of::<T>().max(1)));
    for _ in 0..count {
        elements.push(T::read(reader, element)?);
    }
    Ok(Some(elements))
}

fn write_array<T: Wire>(elements: Option<&[T]>, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
    Prefix::Long.write(writer, form, elements.map(<[T]>::len))?;
    let element = form.with_nullable(false);
    elements
        .unwrap_or_default()
        .iter()
        .try_for_each(|value| value.write(writer, element))
}

impl<T: Wire> Wire for Vec<T> {
    fn min_bytes(form: Form) -> usize {
        Prefix::Long.min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        required(read_array(reader, form)?)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        write_array(Some(self), writer, form)
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        let count = sampler.below(4);
        (0..count)
            .map(|_| T::sample(sampler, form.with_nullable(false)))
            .collect()
    }
}

impl<T: Wire> Wire for Option<Vec<T>> {
    fn min_bytes(form: Form) -> usize {
        Prefix::Long.min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        allowed(read_array(reader, form)?, form)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        check_null(self.is_none(), form)?;
        write_array(self.as_deref(), writer, form)
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        (!form.nullable || sampler.below(3) > 0).then(|| Vec::sample(sampler, form))
    }
}
