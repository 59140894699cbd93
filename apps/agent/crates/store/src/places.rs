//! Indexed positions within the long runs of a merged file, so that a reader finds an offset or a time in a run of
//! hundreds of MiB without reading everything before it. They are stored between the last run and the index.
//!
//! ```text
//! places = version (1 byte: 1) · places (varint)
//!          · per place, by position: position, offset, max timestamp before it, each less that of the place before
//!            (varint; the latter two zigzag)
//!          · CRC-32C of all that (u32)
//! ```

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::file_index::{FormatError, put_varint, take, take_varint};

const VERSION: u8 = 1;
const CRC_BYTES: usize = 4;
/// Minimum encoded size of a place, in bytes.
const MIN_PLACE_BYTES: usize = 3;

/// The start of a batch within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Position of the batch in the file.
    pub position: u64,
    /// Offset of the batch's first record.
    pub offset: i64,
    /// Largest timestamp of the run's earlier batches, in milliseconds since the Unix epoch.
    pub max_timestamp_before_ms: i64,
}

impl Place {
    const ORIGIN: Self = Self {
        position: 0,
        offset: 0,
        max_timestamp_before_ms: 0,
    };
}

/// Encodes the places of a file, ordered by position. Empty if there are none.
#[must_use]
pub fn encode_places(places: &[Place]) -> Bytes {
    if places.is_empty() {
        return Bytes::new();
    }
    let mut out = BytesMut::with_capacity(16 + 12 * places.len());
    out.put_u8(VERSION);
    put_varint(&mut out, places.len() as u64);
    let mut before = Place::ORIGIN;
    for place in places {
        put_varint(&mut out, place.position.wrapping_sub(before.position));
        put_varint(&mut out, zigzag(place.offset.wrapping_sub(before.offset)));
        put_varint(
            &mut out,
            zigzag(
                place
                    .max_timestamp_before_ms
                    .wrapping_sub(before.max_timestamp_before_ms),
            ),
        );
        before = *place;
    }
    out.put_u32(crc32c::crc32c(&out));
    out.freeze()
}

/// Decodes the output of [`encode_places`].
///
/// # Errors
/// Returns an error if the bytes are anything else.
pub fn decode_places(section: &[u8]) -> Result<Vec<Place>, FormatError> {
    if section.is_empty() {
        return Ok(Vec::new());
    }
    let (mut rest, mut crc) = section
        .split_at_checked(section.len().saturating_sub(CRC_BYTES))
        .filter(|(_, crc)| crc.len() == CRC_BYTES)
        .ok_or(FormatError::Damaged("its places end too early"))?;
    if crc32c::crc32c(rest) != crc.get_u32() {
        return Err(FormatError::BadChecksum);
    }
    match take(&mut rest, 1)? {
        [VERSION] => {}
        other => return Err(FormatError::UnknownVersion(other.first().copied().unwrap_or(0))),
    }
    let count = usize::try_from(take_varint(&mut rest)?).unwrap_or(usize::MAX);
    if count > rest.len() / MIN_PLACE_BYTES {
        return Err(FormatError::Damaged("it counts more places than there are"));
    }
    let mut places = Vec::with_capacity(count);
    let mut before = Place::ORIGIN;
    for _ in 0..count {
        before = Place {
            position: before.position.wrapping_add(take_varint(&mut rest)?),
            offset: before.offset.wrapping_add(unzigzag(take_varint(&mut rest)?)),
            max_timestamp_before_ms: before
                .max_timestamp_before_ms
                .wrapping_add(unzigzag(take_varint(&mut rest)?)),
        };
        places.push(before);
    }
    if rest.is_empty() {
        Ok(places)
    } else {
        Err(FormatError::Damaged("bytes are left"))
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, RngExt as _, SeedableRng as _};

    use super::*;

    /// Cases per property. A failure names the seed that reproduces it.
    const CASES: u64 = 256;

    fn any_places(random: &mut StdRng) -> Vec<Place> {
        (0..random.random_range(1..40))
            .map(|_| Place {
                position: random.random::<u64>() >> random.random_range(0..64),
                offset: random.random::<i64>() >> random.random_range(0..64),
                max_timestamp_before_ms: random.random::<i64>() >> random.random_range(0..64),
            })
            .collect()
    }

    #[test]
    fn places_round_trip() {
        for seed in 0..CASES {
            let places = any_places(&mut StdRng::seed_from_u64(seed));
            assert_eq!(decode_places(&encode_places(&places)), Ok(places), "seed {seed}");
        }
        assert_eq!(decode_places(&encode_places(&[])), Ok(Vec::new()));
    }

    #[test]
    fn detects_a_changed_byte() {
        for seed in 0..CASES {
            let mut random = StdRng::seed_from_u64(seed);
            let mut section = encode_places(&any_places(&mut random)).to_vec();
            let at = random.random_range(0..section.len());
            section[at] ^= random.random_range(1..=255);
            assert!(decode_places(&section).is_err(), "seed {seed}");
        }
    }

    #[test]
    fn refuses_garbage_without_a_panic_or_much_memory() {
        for seed in 0..CASES {
            let mut random = StdRng::seed_from_u64(seed);
            let mut garbage = vec![0; random.random_range(1..60)];
            random.fill_bytes(&mut garbage);
            garbage[0] = VERSION;
            assert!(decode_places(&garbage).is_err(), "seed {seed}");
            let crc = crc32c::crc32c(&garbage);
            garbage.extend_from_slice(&crc.to_be_bytes());
            // With a valid checksum, any outcome but a panic is allowed.
            let _ = decode_places(&garbage);
        }
    }

    #[test]
    fn the_format_does_not_change_by_accident() {
        let places = [
            Place {
                position: 300,
                offset: 5,
                max_timestamp_before_ms: 1000,
            },
            Place {
                position: 301,
                offset: 4,
                max_timestamp_before_ms: 1000,
            },
        ];
        let expected = [1, 2, 0xac, 2, 10, 0xd0, 0x0f, 1, 1, 0];
        let encoded = encode_places(&places);
        assert_eq!(encoded[..expected.len()], expected);
        assert_eq!(encoded[expected.len()..], crc32c::crc32c(&expected).to_be_bytes());
    }
}
