//! The latest offset of each key of a partition, in a table of fixed size.

use ring::digest::{SHA256, digest};

/// The key's hash and its latest offset plus one, or zeros if the slot is free.
type Slot = [u64; 3];
pub(super) const SLOT_BYTES: u64 = size_of::<Slot>() as u64;
/// Maximum load factor, in tenths. Probing gets slow above it.
const FULL_TENTHS: usize = 9;

/// 128 bits of a key's SHA-256. Collisions are infeasible to construct, so no record is lost because of another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyHash(u64, u64);

impl KeyHash {
    fn of(key: &[u8]) -> Self {
        let hash = digest(&SHA256, key);
        let mut halves = hash.as_ref().chunks_exact(8).map(|half| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(half);
            u64::from_be_bytes(bytes)
        });
        Self(halves.next().unwrap_or(0), halves.next().unwrap_or(0))
    }
}

/// A hash table from keys to offsets, with open addressing.
#[derive(Debug)]
pub(crate) struct KeyMap {
    slots: Vec<Slot>,
    keys: usize,
    max_keys: usize,
}

impl KeyMap {
    /// Creates a map for `keys` keys, or for as many as fit in `memory_bytes`.
    pub(crate) fn new(keys: u64, memory_bytes: u64) -> Self {
        let wanted = keys.saturating_mul(10).div_ceil(FULL_TENTHS as u64).saturating_add(1);
        let slots = wanted.min(memory_bytes / SLOT_BYTES).max(2);
        let slots = usize::try_from(slots).unwrap_or(usize::MAX);
        Self {
            slots: vec![[0; 3]; slots],
            keys: 0,
            max_keys: (slots * FULL_TENTHS / 10).clamp(1, usize::try_from(keys).unwrap_or(usize::MAX).max(1)),
        }
    }

    /// The number of keys in the map.
    pub(crate) fn keys(&self) -> usize {
        self.keys
    }

    /// Records that a key occurs at `offset`. Returns false if the key is new and the map is full.
    #[must_use]
    pub(crate) fn put(&mut self, key: &[u8], offset: i64) -> bool {
        let (hash, offset) = (KeyHash::of(key), offset.cast_unsigned() + 1);
        let at = self.slot_of(hash);
        let slot = &mut self.slots[at];
        if slot[2] == 0 {
            if self.keys == self.max_keys {
                return false;
            }
            self.keys += 1;
        }
        *slot = [hash.0, hash.1, slot[2].max(offset)];
        true
    }

    /// Returns the latest offset of a key, if it is known.
    pub(crate) fn latest(&self, key: &[u8]) -> Option<i64> {
        let [_, _, offset] = self.slots[self.slot_of(KeyHash::of(key))];
        offset.checked_sub(1).map(u64::cast_signed)
    }

    /// Returns the slot that holds the key, or the free slot where it belongs. A free slot always exists.
    fn slot_of(&self, hash: KeyHash) -> usize {
        let slots = self.slots.len();
        // The upper half of the product is evenly distributed over the slots.
        let mut at = ((u128::from(hash.0) * slots as u128) >> 64) as usize;
        loop {
            let [first, second, offset] = self.slots[at];
            if offset == 0 || (first, second) == (hash.0, hash.1) {
                return at;
            }
            at = if at + 1 == slots { 0 } else { at + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn returns_the_latest_offset_of_each_key_until_full(
            puts in prop::collection::vec((0u16..300, 0i64..1000), 0..500),
            room in 1u64..400,
        ) {
            let mut map = KeyMap::new(room, 1 << 20);
            let mut model = HashMap::new();
            for (key, offset) in puts {
                let is_known = model.contains_key(&key);
                let took = map.put(&key.to_be_bytes(), offset);
                prop_assert!(took || (!is_known && model.len() as u64 >= room));
                if took {
                    let latest = model.entry(key).or_insert(offset);
                    *latest = offset.max(*latest);
                }
            }
            prop_assert_eq!(map.keys(), model.len());
            for key in 0u16..300 {
                prop_assert_eq!(map.latest(&key.to_be_bytes()), model.get(&key).copied());
            }
        }
    }

    #[test]
    fn never_exceeds_its_memory_limit() {
        let mut map = KeyMap::new(u64::MAX, 24_000);
        assert_eq!(map.slots.capacity() as u64 * SLOT_BYTES, 24_000);
        let taken = (0..2000u32).take_while(|key| map.put(&key.to_be_bytes(), 7)).count();
        assert_eq!((taken, map.keys()), (900, 900));
        assert!(map.put(&5u32.to_be_bytes(), 8), "a known key finds its place");
    }
}
