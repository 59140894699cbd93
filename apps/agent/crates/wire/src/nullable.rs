//! Nullable structs: a leading byte says whether the struct is present.

use crate::error::{DecodeError, EncodeError};
use crate::field::{Form, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

const NULL: i8 = -1;
const PRESENT: i8 = 1;

/// A struct that can be null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nullable<T>(pub Option<T>);

impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Wire> Wire for Nullable<T> {
    fn min_bytes(form: Form) -> usize {
        i8::min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        if reader.read_i8()? < 0 {
            return Ok(Self(None));
        }
        Ok(Self(Some(T::read(reader, form)?)))
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        let Some(value) = &self.0 else {
            writer.put_i8(NULL);
            return Ok(());
        };
        writer.put_i8(PRESENT);
        value.write(writer, form)
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        Self((sampler.below(3) > 0).then(|| T::sample(sampler, form)))
    }
}
