//! Decodes the elements of a raw Snappy block, as defined in Snappy's format_description.txt. We do not use the `snap`
//! crate here because runs, such as the zeros of padded records, are copies from less than 16 bytes back: `snap` and
//! Google's library read bytes that they have just written, and stall. Repeating a pattern held in a register takes
//! half the time.

/// Bytes copied at once, even if the element has fewer.
const STEP: usize = 16;
/// Free space above which a copy, of at most 64 bytes, can be written in whole steps.
const ROOM_BYTES: usize = 64 + STEP;
/// Longer literals store their length in 1 to 4 bytes after the tag.
const MAX_TAGGED_LITERAL: usize = 60;

const TRUNCATED: &str = "an element is truncated";
const TOO_LONG: &str = "the elements hold more than the preamble says";

/// The fields encoded in the tag of a copy.
#[derive(Clone, Copy)]
struct CopyTag {
    len: u8,
    /// Number of offset bytes that follow the tag.
    offset_bytes: u8,
    /// The bits of the offset that the tag holds.
    offset_high: u16,
    /// Mask for the part of the next four bytes that belongs to the offset.
    mask: u32,
}

/// Copy tags by tag byte. The entries of literals, which are multiples of 4, are unused.
const COPY_TAGS: [CopyTag; 256] = {
    let mut tags = [CopyTag {
        len: 0,
        offset_bytes: 0,
        offset_high: 0,
        mask: 0,
    }; 256];
    let mut tag = 0;
    while tag < tags.len() {
        let (offset_bytes, mask) = [(0, 0), (1, 0xff), (2, 0xffff), (4, u32::MAX)][tag & 3];
        let has_short_offset = tag & 3 == 1;
        tags[tag] = CopyTag {
            len: if has_short_offset {
                ((tag >> 2) & 7) as u8 + 4
            } else {
                (tag >> 2) as u8 + 1
            },
            offset_bytes,
            offset_high: if has_short_offset { ((tag >> 5) << 8) as u16 } else { 0 },
            mask,
        };
        tag += 1;
    }
    tags
};

/// Masks by the number of bytes of a little-endian number.
const MASKS: [u32; 5] = [0, 0xff, 0xffff, 0x00ff_ffff, u32::MAX];

/// Removes a little-endian number of `len` bytes from the front.
#[inline(always)]
fn take_number(elements: &mut &[u8], len: usize, mask: u32) -> Option<usize> {
    let word = match elements.first_chunk() {
        Some(word) => u32::from_le_bytes(*word),
        None => {
            let bytes = elements.get(..len)?.iter().rev();
            bytes.fold(0, |number, byte| number << 8 | u32::from(*byte))
        }
    };
    *elements = elements.get(len..)?;
    Some((word & mask) as usize)
}

#[inline(always)]
fn step_at(content: &mut [u8], at: usize) -> Option<&mut [u8; STEP]> {
    content.get_mut(at..)?.first_chunk_mut()
}

/// Decodes the elements after the block's preamble into `content`, which must have the length stated in the preamble.
///
/// # Errors
/// Returns the reason if the elements are invalid. `content` is then undefined.
pub(super) fn decode(mut elements: &[u8], content: &mut [u8]) -> Result<(), &'static str> {
    let mut end = 0;
    while let Some((&tag, rest)) = elements.split_first() {
        elements = rest;
        end = if tag & 3 == 0 {
            literal(tag, &mut elements, content, end)?
        } else {
            copy(COPY_TAGS[usize::from(tag)], &mut elements, content, end)?
        };
    }
    if end == content.len() {
        Ok(())
    } else {
        Err("the elements hold less than the preamble says")
    }
}

/// Appends a literal at `end`. Returns the new end.
#[inline(always)]
fn literal(tag: u8, elements: &mut &[u8], content: &mut [u8], end: usize) -> Result<usize, &'static str> {
    let mut len = usize::from(tag >> 2) + 1;
    if len <= STEP
        && let Some(from) = elements.first_chunk::<STEP>()
        && let Some(to) = step_at(content, end)
    {
        *to = *from;
        *elements = &elements[len..];
        return Ok(end + len);
    }
    if len > MAX_TAGGED_LITERAL {
        let len_bytes = len - MAX_TAGGED_LITERAL;
        len = take_number(elements, len_bytes, MASKS[len_bytes]).ok_or(TRUNCATED)? + 1;
    }
    let (from, rest) = elements.split_at_checked(len).ok_or(TRUNCATED)?;
    let to = content.get_mut(end..).and_then(|free| free.get_mut(..len));
    to.ok_or(TOO_LONG)?.copy_from_slice(from);
    *elements = rest;
    Ok(end + len)
}

/// Appends a copy of earlier content at `end`. Returns the new end.
#[inline(always)]
fn copy(tag: CopyTag, elements: &mut &[u8], content: &mut [u8], end: usize) -> Result<usize, &'static str> {
    let len = usize::from(tag.len);
    let offset_low = take_number(elements, usize::from(tag.offset_bytes), tag.mask).ok_or(TRUNCATED)?;
    let offset = usize::from(tag.offset_high) + offset_low;
    let from = end.checked_sub(offset).filter(|_| offset > 0);
    let from = from.ok_or("a copy begins before the content")?;
    let new_end = end + len;
    if content.len() - end < ROOM_BYTES {
        let copied = content.get_mut(from..new_end).ok_or(TOO_LONG)?;
        for index in offset..copied.len() {
            copied[index] = copied[index - offset];
        }
    } else if offset >= STEP {
        for at in (0..len).step_by(STEP) {
            let step = *step_at(content, from + at).ok_or(TOO_LONG)?;
            *step_at(content, end + at).ok_or(TOO_LONG)? = step;
        }
    } else if offset == 1 {
        let byte = content[from];
        content[end..new_end].fill(byte);
    } else {
        let mut pattern = [0; STEP];
        pattern[..offset].copy_from_slice(&content[from..end]);
        for index in offset..STEP {
            pattern[index] = pattern[index - offset];
        }
        // Whole repetitions, so that each step starts with the beginning of the pattern.
        for at in (0..len).step_by(STEP - STEP % offset) {
            *step_at(content, end + at).ok_or(TOO_LONG)? = pattern;
        }
    }
    Ok(new_end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Encodes a preamble, because `snap` decodes whole blocks.
    fn preamble(mut len: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while len >= 0x80 {
            bytes.push((len & 0x7f) as u8 | 0x80);
            len >>= 7;
        }
        bytes.push(len as u8);
        bytes
    }

    fn decoded(elements: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut content = vec![0xaa; len];
        decode(elements, &mut content).ok().map(|()| content)
    }

    fn decoded_by_snap(elements: &[u8], len: usize) -> Option<Vec<u8>> {
        let block = [preamble(len), elements.to_vec()].concat();
        snap::raw::Decoder::new().decompress_vec(&block).ok()
    }

    /// An element of each kind, with its content length.
    fn element() -> impl Strategy<Value = (Vec<u8>, usize)> {
        let literal = proptest::collection::vec(any::<u8>(), 1..100).prop_map(|bytes| {
            let len = (bytes.len() - 1) as u8;
            let head = if len < 60 { vec![len << 2] } else { vec![60 << 2, len] };
            ([&head[..], &bytes].concat(), bytes.len())
        });
        let near = (4..12u8, 1..40u8).prop_map(|(len, offset)| (vec![(len - 4) << 2 | 1, offset], usize::from(len)));
        let far = (1..=64u8, 0..100u16).prop_map(|(len, offset)| {
            let [low, high] = offset.to_le_bytes();
            (vec![(len - 1) << 2 | 2, low, high], usize::from(len))
        });
        let farthest = (1..=64u8, 1..40u32).prop_map(|(len, offset)| {
            let tag = [(len - 1) << 2 | 3];
            ([&tag[..], &offset.to_le_bytes()].concat(), usize::from(len))
        });
        prop_oneof![4 => literal, 2 => near, 2 => far, 1 => farthest]
    }

    proptest! {
        #[test]
        fn decodes_any_elements_like_snap(
            elements in proptest::collection::vec(element(), 0..40),
            cut in 0..4usize,
            stray in -2..3isize,
        ) {
            let len = elements.iter().map(|(_, len)| len).sum::<usize>();
            let elements: Vec<u8> = elements.into_iter().flat_map(|(bytes, _)| bytes).collect();
            prop_assert_eq!(decoded(&elements, len), decoded_by_snap(&elements, len));
            let (cut, len) = (&elements[..elements.len().saturating_sub(cut)], len.saturating_add_signed(stray));
            prop_assert_eq!(decoded(cut, len), decoded_by_snap(cut, len));
        }

        #[test]
        fn decodes_any_bytes_like_snap(elements in proptest::collection::vec(any::<u8>(), 0..64), len in 0..200usize) {
            prop_assert_eq!(decoded(&elements, len), decoded_by_snap(&elements, len));
        }

        #[test]
        fn decodes_what_snap_encodes(pattern in proptest::collection::vec(any::<u8>(), 1..40), times in 1..3000usize) {
            let content = pattern.repeat(times);
            let block = snap::raw::Encoder::new().compress_vec(&content).unwrap();
            let elements = &block[preamble(content.len()).len()..];
            prop_assert_eq!(decoded(elements, content.len()), Some(content));
        }
    }

    #[test]
    fn repeats_patterns_of_any_length_up_to_the_end() {
        for offset in 1..=40u8 {
            for len in 1..=64u8 {
                for after in [0, 1, 15, 16, 79, 80, 81u8] {
                    let seed: Vec<u8> = (1..=offset).collect();
                    let mut elements = vec![(offset - 1) << 2];
                    elements.extend_from_slice(&seed);
                    elements.extend_from_slice(&[(len - 1) << 2 | 2, offset, 0]);
                    let mut expected: Vec<u8> = seed.iter().copied().cycle().take(usize::from(offset + len)).collect();
                    if after > 0 {
                        elements.extend_from_slice(&[60 << 2, after - 1]);
                        elements.resize(elements.len() + usize::from(after), 0xee);
                        expected.resize(expected.len() + usize::from(after), 0xee);
                    }
                    assert_eq!(
                        decoded(&elements, expected.len()),
                        Some(expected),
                        "{offset} {len} {after}"
                    );
                }
            }
        }
    }
}
