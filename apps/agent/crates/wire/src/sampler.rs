//! Seeded values for tests and fuzz targets: the same seed yields the same message.

use bytes::Bytes;

use crate::uuid::Uuid;

/// Values that a receiver knows, such as the names of its topics. Half of the sampled ones are among them.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Names of topics, groups, configs and principals.
    pub texts: Vec<String>,
    /// Ids of the topics that exist.
    pub ids: Vec<Uuid>,
    /// Contents of byte fields, such as record batches.
    pub bytes: Vec<Bytes>,
}

/// A splitmix64 random number generator.
#[derive(Debug)]
pub struct Sampler {
    state: u64,
    known: Known,
}

impl Sampler {
    /// A generator of the values that belong to this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::knowing(seed, Known::default())
    }

    /// Like [`Self::new`], for a receiver that knows some of the values. Half of its numbers are small.
    #[must_use]
    pub fn knowing(seed: u64, known: Known) -> Self {
        Self { state: seed, known }
    }

    /// Returns the next random number.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// The value of a field that holds a number.
    pub fn number(&mut self) -> u64 {
        match self.known.texts.is_empty() || self.below(2) == 0 {
            true => self.next(),
            false => self.below(5).wrapping_sub(1),
        }
    }

    /// A string that is usually short, and sometimes long enough for a two-byte compact length.
    pub fn text(&mut self) -> String {
        if let Some(index) = self.known_index(self.known.texts.len()) {
            return self.known.texts[index].clone();
        }
        let letters = ['a', 'Z', '.', 'é', '日', '\u{1f980}'];
        let bound = if self.below(8) == 0 { 200 } else { 6 };
        let len = self.below(bound);
        (0..len).map(|_| letters[self.below(6) as usize]).collect()
    }

    /// Random bytes, usually few of them.
    pub fn bytes(&mut self) -> Bytes {
        if let Some(index) = self.known_index(self.known.bytes.len()) {
            return self.known.bytes[index].clone();
        }
        let bound = if self.below(4) == 0 { 2000 } else { 8 };
        let len = self.below(bound);
        (0..len).map(|_| self.next() as u8).collect()
    }

    /// A random or known id.
    pub fn uuid(&mut self) -> Uuid {
        if let Some(index) = self.known_index(self.known.ids.len()) {
            return self.known.ids[index];
        }
        let id = (u128::from(self.next()) << 64) | u128::from(self.next());
        Uuid(id.to_be_bytes())
    }

    /// Which of the known values to take; `None` for another one.
    fn known_index(&mut self, count: usize) -> Option<usize> {
        if count == 0 || self.below(2) == 0 {
            return None;
        }
        usize::try_from(self.below(count as u64)).ok()
    }
}
