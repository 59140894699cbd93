//! Seeded values for tests: the same seed yields the same message.

use bytes::Bytes;

/// A splitmix64 random number generator.
pub struct Sampler(u64);

impl Sampler {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A string that is usually short, and sometimes long enough for a two-byte compact length.
    pub fn text(&mut self) -> String {
        let letters = ['a', 'Z', '.', 'é', '日', '\u{1f980}'];
        let bound = if self.below(8) == 0 { 200 } else { 6 };
        let len = self.below(bound);
        (0..len).map(|_| letters[self.below(6) as usize]).collect()
    }

    pub fn bytes(&mut self) -> Bytes {
        let bound = if self.below(4) == 0 { 2000 } else { 8 };
        let len = self.below(bound);
        (0..len).map(|_| self.next() as u8).collect()
    }
}
