//! A floating-point number that is compared by its bits, so that tests can compare messages.

use crate::error::{DecodeError, EncodeError};
use crate::field::{Form, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

/// A 64-bit floating-point number.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Float64 {
    bits: u64,
}

impl From<f64> for Float64 {
    fn from(value: f64) -> Self {
        Self { bits: value.to_bits() }
    }
}

impl From<Float64> for f64 {
    fn from(value: Float64) -> Self {
        Self::from_bits(value.bits)
    }
}

impl std::fmt::Debug for Float64 {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f64::from(*self).fmt(out)
    }
}

impl Wire for Float64 {
    fn min_bytes(form: Form) -> usize {
        i64::min_bytes(form)
    }

    fn read(reader: &mut Reader, _: Form) -> Result<Self, DecodeError> {
        let bits = reader.read_i64()?.cast_unsigned();
        Ok(Self { bits })
    }

    fn write(&self, writer: &mut Writer, _: Form) -> Result<(), EncodeError> {
        writer.put_i64(self.bits.cast_signed());
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, _: Form) -> Self {
        // Not NaN, because messages of the oracle would then differ from themselves.
        f64::from(sampler.next() as i32).into()
    }
}
