//! Shares a response's bytes evenly among the partitions that have records, so that a consumer of many partitions moves through the
//! data files at one pace.

/// What is left of an answer.
#[derive(Debug)]
pub struct Share {
    bytes_left: usize,
    partitions_left: usize,
    empty: bool,
}

impl Share {
    /// An answer of `max_bytes` for `partitions` partitions that have something.
    #[must_use]
    pub fn new(max_bytes: usize, partitions: usize) -> Self {
        Self {
            bytes_left: max_bytes,
            partitions_left: partitions.max(1),
            empty: true,
        }
    }

    /// The next partition's part, when it wants at most `wanted_bytes`.
    #[must_use]
    pub fn next(&mut self, wanted_bytes: usize) -> usize {
        let even = self.even();
        self.partitions_left = self.partitions_left.saturating_sub(1);
        wanted_bytes.min(even)
    }

    /// What each of the partitions to come may expect.
    #[must_use]
    pub fn even(&self) -> usize {
        self.bytes_left / self.partitions_left.max(1)
    }

    /// Whether the next batch must be sent even if it is larger than all limits: else its consumer would never get on.
    #[must_use]
    pub fn must_send(&self) -> bool {
        self.empty
    }

    /// A partition got this much.
    pub fn sent(&mut self, bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        self.empty &= bytes == 0;
    }

    /// What may still be sent in all.
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        self.bytes_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_share_evenly_and_what_one_leaves_goes_to_the_others() {
        let mut share = Share::new(1000, 4);
        assert_eq!(share.next(10_000), 250);
        share.sent(100);
        assert_eq!(share.next(10_000), 300);
        share.sent(300);
        assert_eq!(share.next(50), 50);
    }

    #[test]
    fn the_first_batch_is_always_sent() {
        let mut share = Share::new(0, 1);
        assert!(share.must_send());
        assert_eq!(share.next(100), 0);
        share.sent(600);
        assert!(!share.must_send());
    }
}
