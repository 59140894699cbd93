//! Bytes that must never be logged.

use bytes::Bytes;

use crate::error::{DecodeError, EncodeError};
use crate::field::{Form, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

/// A password or a value derived from it. The debug format shows only its length.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(pub Bytes);

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "[{} bytes]", self.0.len())
    }
}

impl Wire for Secret {
    fn min_bytes(form: Form) -> usize {
        Bytes::min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        Bytes::read(reader, form).map(Self)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        self.0.write(writer, form)
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        Self(Bytes::sample(sampler, form))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_appear_in_debug_output() {
        assert_eq!(format!("{:?}", Secret(Bytes::from_static(b"hunter2"))), "[7 bytes]");
    }
}
