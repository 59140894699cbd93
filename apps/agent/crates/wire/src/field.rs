//! Encodes and decodes each type of field, in the plain and the flexible ("compact") encoding.

use bytes::Bytes;

use crate::error::{DecodeError, DecodeReason, EncodeError};
use crate::error_code::ErrorCode;
use crate::reader::Reader;
use crate::uuid::Uuid;
use crate::writer::Writer;

/// Determines how a field is encoded: the message's version, its encoding, and whether null is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Version of the message.
    pub version: i16,
    /// True for compact lengths and tagged fields.
    pub flexible: bool,
    /// True if the value can be null.
    pub nullable: bool,
}

impl Form {
    /// Creates the form of a non-nullable message.
    #[must_use]
    pub fn new(version: i16, flexible: bool) -> Self {
        Self {
            version,
            flexible,
            nullable: false,
        }
    }

    /// Returns the form with nulls allowed or not.
    #[must_use]
    pub fn with_nullable(self, nullable: bool) -> Self {
        Self { nullable, ..self }
    }
}

/// A type that can be encoded in Kafka's protocol.
pub trait Wire: Sized {
    /// Minimum encoded size of a value in bytes. Bounds the number of elements in an array.
    fn min_bytes(form: Form) -> usize;

    /// Reads one value.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid value.
    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError>;

    /// Writes one value.
    ///
    /// # Errors
    /// Returns an error if the value cannot be encoded, such as null where it is not allowed.
    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError>;

    /// Sets Kafka's field `throttle_time_ms` if the message has it.
    fn set_throttle_time_ms(&mut self, _throttle_time_ms: i32) {}

    /// Returns an arbitrary value of this form.
    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self;
}

macro_rules! fixed_size {
    ($($ty:ty, $read:ident, $put:ident;)*) => {
        $(
            impl Wire for $ty {
                fn min_bytes(_: Form) -> usize {
                    size_of::<$ty>()
                }

                fn read(reader: &mut Reader, _: Form) -> Result<Self, DecodeError> {
                    reader.$read()
                }

                fn write(&self, writer: &mut Writer, _: Form) -> Result<(), EncodeError> {
                    writer.$put(*self);
                    Ok(())
                }

                #[cfg(any(test, feature = "testing"))]
                fn sample(sampler: &mut crate::sampler::Sampler, _: Form) -> Self {
                    sampler.number() as $ty
                }
            }
        )*
    };
}

fixed_size! {
    i8, read_i8, put_i8;
    i16, read_i16, put_i16;
    i32, read_i32, put_i32;
    i64, read_i64, put_i64;
}

impl Wire for bool {
    fn min_bytes(_: Form) -> usize {
        1
    }

    fn read(reader: &mut Reader, _: Form) -> Result<Self, DecodeError> {
        Ok(reader.read_u8()? != 0)
    }

    fn write(&self, writer: &mut Writer, _: Form) -> Result<(), EncodeError> {
        writer.put_u8(u8::from(*self));
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, _: Form) -> Self {
        sampler.below(2) == 1
    }
}

impl Wire for ErrorCode {
    fn min_bytes(form: Form) -> usize {
        i16::min_bytes(form)
    }

    fn read(reader: &mut Reader, _: Form) -> Result<Self, DecodeError> {
        reader.read_i16().map(Self)
    }

    fn write(&self, writer: &mut Writer, _: Form) -> Result<(), EncodeError> {
        writer.put_error_code(*self);
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        Self(i16::sample(sampler, form))
    }
}

impl Wire for Uuid {
    fn min_bytes(_: Form) -> usize {
        16
    }

    fn read(reader: &mut Reader, _: Form) -> Result<Self, DecodeError> {
        let mut id = [0; 16];
        id.copy_from_slice(&reader.read_slice(16)?);
        Ok(Self(id))
    }

    fn write(&self, writer: &mut Writer, _: Form) -> Result<(), EncodeError> {
        writer.put_slice(&self.0);
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, _: Form) -> Self {
        sampler.uuid()
    }
}

/// The kinds of length prefix, which differ only in the plain encoding.
#[derive(Clone, Copy)]
pub(crate) enum Prefix {
    /// A 16-bit length, for strings.
    Short,
    /// A 32-bit length, for bytes, records and arrays.
    Long,
}

impl Prefix {
    pub(crate) fn min_bytes(self, form: Form) -> usize {
        match self {
            _ if form.flexible => 1,
            Self::Short => 2,
            Self::Long => 4,
        }
    }

    /// Reads a length. `None` means null.
    pub(crate) fn read(self, reader: &mut Reader, form: Form) -> Result<Option<usize>, DecodeError> {
        let len = match self {
            _ if form.flexible => i64::from(reader.read_uvarint()?) - 1,
            Self::Short => i64::from(reader.read_i16()?),
            Self::Long => i64::from(reader.read_i32()?),
        };
        match len {
            -1 => Ok(None),
            len => usize::try_from(len)
                .map(Some)
                .map_err(|_| DecodeReason::NegativeLength(len).into()),
        }
    }

    /// Writes a length. `None` means null; the caller has checked that null is allowed.
    pub(crate) fn write(self, writer: &mut Writer, form: Form, len: Option<usize>) -> Result<(), EncodeError> {
        let too_long = || EncodeError::TooLong(len.unwrap_or(0));
        match (self, len) {
            (_, None) if form.flexible => writer.put_uvarint(0),
            (Self::Short, None) => writer.put_i16(-1),
            (Self::Long, None) => writer.put_i32(-1),
            (_, Some(len)) if form.flexible => {
                let len = i32::try_from(len).map_err(|_| too_long())?;
                writer.put_uvarint(len.cast_unsigned() + 1);
            }
            (Self::Short, Some(len)) => writer.put_i16(i16::try_from(len).map_err(|_| too_long())?),
            (Self::Long, Some(len)) => writer.put_i32(i32::try_from(len).map_err(|_| too_long())?),
        }
        Ok(())
    }
}

/// Returns an error for null.
pub(crate) fn required<T>(value: Option<T>) -> Result<T, DecodeError> {
    value.ok_or_else(|| DecodeReason::UnexpectedNull.into())
}

/// Returns an error for null, unless the form allows it.
pub(crate) fn allowed<T>(value: Option<T>, form: Form) -> Result<Option<T>, DecodeError> {
    if value.is_none() && !form.nullable {
        return Err(DecodeReason::UnexpectedNull.into());
    }
    Ok(value)
}

/// Returns an error if the value is null and the form does not allow it.
pub(crate) fn check_null(is_null: bool, form: Form) -> Result<(), EncodeError> {
    if is_null && !form.nullable {
        return Err(EncodeError::NullNotAllowed(form.version));
    }
    Ok(())
}

fn read_string(reader: &mut Reader, form: Form) -> Result<Option<String>, DecodeError> {
    let Some(len) = Prefix::Short.read(reader, form)? else {
        return Ok(None);
    };
    let bytes = reader.read_slice(len)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| DecodeReason::NotUtf8)?;
    Ok(Some(text.to_owned()))
}

fn write_string(text: Option<&str>, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
    Prefix::Short.write(writer, form, text.map(str::len))?;
    writer.put_slice(text.unwrap_or_default().as_bytes());
    Ok(())
}

impl Wire for String {
    fn min_bytes(form: Form) -> usize {
        Prefix::Short.min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        required(read_string(reader, form)?)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        write_string(Some(self), writer, form)
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, _: Form) -> Self {
        sampler.text()
    }
}

impl Wire for Option<String> {
    fn min_bytes(form: Form) -> usize {
        Prefix::Short.min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        allowed(read_string(reader, form)?, form)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        check_null(self.is_none(), form)?;
        write_string(self.as_deref(), writer, form)
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        (!form.nullable || sampler.below(3) > 0).then(|| sampler.text())
    }
}

fn read_bytes(reader: &mut Reader, form: Form) -> Result<Option<Bytes>, DecodeError> {
    Prefix::Long
        .read(reader, form)?
        .map(|len| reader.read_slice(len))
        .transpose()
}

impl Wire for Bytes {
    fn min_bytes(form: Form) -> usize {
        Prefix::Long.min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        required(read_bytes(reader, form)?)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        Prefix::Long.write(writer, form, Some(self.len()))?;
        writer.put_bytes_chunk(self.clone());
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, _: Form) -> Self {
        sampler.bytes()
    }
}

impl Wire for Option<Bytes> {
    fn min_bytes(form: Form) -> usize {
        Prefix::Long.min_bytes(form)
    }

    fn read(reader: &mut Reader, form: Form) -> Result<Self, DecodeError> {
        allowed(read_bytes(reader, form)?, form)
    }

    fn write(&self, writer: &mut Writer, form: Form) -> Result<(), EncodeError> {
        check_null(self.is_none(), form)?;
        Prefix::Long.write(writer, form, self.as_ref().map(Bytes::len))?;
        if let Some(bytes) = self {
            writer.put_bytes_chunk(bytes.clone());
        }
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    fn sample(sampler: &mut crate::sampler::Sampler, form: Form) -> Self {
        (!form.nullable || sampler.below(3) > 0).then(|| sampler.bytes())
    }
}
