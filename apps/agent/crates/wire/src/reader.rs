//! A cursor over a frame. It only slices existing bytes and never allocates.

use bytes::{Buf, Bytes};

use crate::error::{DecodeError, DecodeReason};

/// Reads primitive values from a frame, from front to back. Byte fields are slices of the frame, not copies.
#[derive(Clone, Debug)]
pub struct Reader {
    frame: Bytes,
    elements_left: usize,
}

macro_rules! fixed {
    ($($name:ident -> $ty:ty, $get:ident;)*) => {
        $(
            /// Reads one big-endian value of the type in the name.
            ///
            /// # Errors
            /// Returns an error if the frame ends within the value.
            pub fn $name(&mut self) -> Result<$ty, DecodeError> {
                self.need(size_of::<$ty>())?;
                Ok(self.frame.$get())
            }
        )*
    };
}

impl Reader {
    /// Creates a reader at the start of `frame`.
    #[must_use]
    pub fn new(frame: Bytes) -> Self {
        Self::with_element_limit(frame, usize::MAX)
    }

    /// Like [`Self::new`], for an untrusted frame whose arrays may have at most `elements` elements in total. An
    /// element takes more memory than bytes in the frame, so the frame's length alone would bound memory only loosely.
    #[must_use]
    pub fn with_element_limit(frame: Bytes, elements: usize) -> Self {
        Self {
            frame,
            elements_left: elements,
        }
    }

    /// Counts the elements of an array against the limit.
    pub(crate) fn claim_elements(&mut self, count: usize) -> Result<(), DecodeError> {
        self.elements_left = self
            .elements_left
            .checked_sub(count)
            .ok_or(DecodeReason::TooManyElements)?;
        Ok(())
    }

    /// Returns a reader of the next `len` bytes that shares the element limit.
    pub(crate) fn section(&mut self, len: usize) -> Result<Self, DecodeError> {
        Ok(Self::with_element_limit(self.read_slice(len)?, self.elements_left))
    }

    /// The number of unread bytes.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.frame.len()
    }

    fn need(&self, needed: usize) -> Result<(), DecodeError> {
        let remaining = self.frame.len();
        if needed > remaining {
            return Err(DecodeReason::Truncated { needed, remaining }.into());
        }
        Ok(())
    }

    fixed! {
        read_i8 -> i8, get_i8;
        read_u8 -> u8, get_u8;
        read_i16 -> i16, get_i16;
        read_i32 -> i32, get_i32;
        read_u32 -> u32, get_u32;
        read_i64 -> i64, get_i64;
    }

    /// Returns the next `len` bytes as a slice of the frame.
    ///
    /// # Errors
    /// Returns an error if fewer bytes are left.
    pub fn read_slice(&mut self, len: usize) -> Result<Bytes, DecodeError> {
        self.need(len)?;
        Ok(self.frame.split_to(len))
    }

    /// Reads an unsigned variable-length integer of at most 32 bits.
    ///
    /// # Errors
    /// Returns an error if the frame ends within the integer, or if it exceeds 5 bytes or 32 bits.
    pub fn read_uvarint(&mut self) -> Result<u32, DecodeError> {
        let mut value = 0u32;
        for index in 0..5 {
            let byte = self.read_u8()?;
            if index == 4 && byte > 0x0f {
                break;
            }
            value |= u32::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DecodeReason::VarintTooLong.into())
    }

    /// Reads a zigzag variable-length integer of at most 32 bits, as used in records.
    ///
    /// # Errors
    /// Returns an error if the frame ends within the integer, or if it exceeds 5 bytes or 32 bits.
    pub fn read_varint(&mut self) -> Result<i32, DecodeError> {
        let value = self.read_uvarint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// Reads a zigzag variable-length integer of at most 64 bits, as used in records.
    ///
    /// # Errors
    /// Returns an error if the frame ends within the integer, or if it exceeds 10 bytes or 64 bits.
    pub fn read_varlong(&mut self) -> Result<i64, DecodeError> {
        let mut value = 0u64;
        for index in 0..10 {
            let byte = self.read_u8()?;
            if index == 9 && byte > 0x01 {
                break;
            }
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed());
            }
        }
        Err(DecodeReason::VarintTooLong.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_an_unterminated_varint_within_five_bytes() {
        let mut reader = Reader::new(Bytes::from_static(&[0xff; 64]));
        assert_eq!(reader.read_uvarint(), Err(DecodeReason::VarintTooLong.into()));
        assert_eq!(reader.remaining(), 59);
    }

    #[test]
    fn reads_the_largest_varints_exactly() {
        let mut reader = Reader::new(Bytes::from_static(&[0xff, 0xff, 0xff, 0xff, 0x0f]));
        assert_eq!(reader.read_uvarint(), Ok(u32::MAX));
        let mut reader = Reader::new(Bytes::from_static(&[
            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
        ]));
        assert_eq!(reader.read_varlong(), Ok(i64::MIN));
        let mut reader = Reader::new(Bytes::from_static(&[0x01]));
        assert_eq!(reader.read_varint(), Ok(-1));
    }

    #[test]
    fn refuses_a_slice_longer_than_the_frame() {
        let mut reader = Reader::new(Bytes::from_static(b"abc"));
        let refused = DecodeReason::Truncated {
            needed: 0x7fff_ffff,
            remaining: 3,
        };
        assert_eq!(reader.read_slice(0x7fff_ffff), Err(refused.into()));
    }
}
