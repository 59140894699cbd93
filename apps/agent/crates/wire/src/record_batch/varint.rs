//! Variable-length integers of records (zigzag, seven bits per byte) in slices.

use super::error::BatchError;

const UNENDING: BatchError = BatchError::Invalid("a variable-length integer of a record does not end");

/// Removes an integer of at most 5 bytes from the front.
pub(super) fn take_varint(from: &mut &[u8]) -> Result<i32, BatchError> {
    let zigzag = u32::try_from(take_unsigned(from, 5)?).map_err(|_| UNENDING)?;
    Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
}

/// Removes an integer of at most 10 bytes from the front.
pub(super) fn take_varlong(from: &mut &[u8]) -> Result<i64, BatchError> {
    let zigzag = take_unsigned(from, 10)?;
    Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
}

fn take_unsigned(from: &mut &[u8], max_bytes: usize) -> Result<u64, BatchError> {
    let mut value = 0u64;
    for (index, byte) in from.iter().enumerate().take(max_bytes) {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            *from = &from[index + 1..];
            return Ok(value);
        }
    }
    Err(UNENDING)
}

pub(super) fn put_varint(out: &mut Vec<u8>, value: i32) {
    put_unsigned(out, ((value << 1) ^ (value >> 31)).cast_unsigned().into());
}

pub(super) fn put_varlong(out: &mut Vec<u8>, value: i64) {
    put_unsigned(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

fn put_unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The encoded size for [`put_varint`], in bytes.
pub(super) fn varint_bytes(value: i32) -> usize {
    unsigned_bytes(((value << 1) ^ (value >> 31)).cast_unsigned().into())
}

/// The encoded size for [`put_varlong`], in bytes.
pub(super) fn varlong_bytes(value: i64) -> usize {
    unsigned_bytes(((value << 1) ^ (value >> 63)).cast_unsigned())
}

fn unsigned_bytes(value: u64) -> usize {
    let bits = (u64::BITS - value.leading_zeros()).max(1);
    bits.div_ceil(7) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_round_trip_with_the_predicted_size(long: i64, shift in 0u32..64) {
            let long = long >> shift;
            let mut out = Vec::new();
            put_varlong(&mut out, long);
            prop_assert_eq!(out.len(), varlong_bytes(long));
            prop_assert_eq!(take_varlong(&mut &out[..]), Ok(long));
            if let Ok(short) = i32::try_from(long) {
                let mut out = Vec::new();
                put_varint(&mut out, short);
                prop_assert_eq!(out.len(), varint_bytes(short));
                prop_assert_eq!(take_varint(&mut &out[..]), Ok(short));
            }
        }
    }

    #[test]
    fn refuses_an_unterminated_integer() {
        assert_eq!(take_varint(&mut &[0xff; 9][..]), Err(UNENDING));
        assert_eq!(take_varlong(&mut &[0xff; 12][..]), Err(UNENDING));
        assert_eq!(take_varlong(&mut &[0x80; 3][..]), Err(UNENDING));
        assert_eq!(take_varint(&mut &[][..]), Err(UNENDING));
    }
}
