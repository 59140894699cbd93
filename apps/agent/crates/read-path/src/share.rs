//! Divides a response evenly among the partitions that have records, so that a consumer of many partitions moves
//! through the data files at one pace.

/// The remaining space in a response.
#[derive(Debug)]
pub struct Share {
    bytes_left: usize,
    partitions_left: usize,
    empty: bool,
}

impl Share {
    /// A response of `max_bytes` for `partitions` partitions with records.
    #[must_use]
    pub fn new(max_bytes: usize, partitions: usize) -> Self {
        Self {
            bytes_left: max_bytes,
            partitions_left: partitions.max(1),
            empty: true,
        }
    }

    /// Returns the share of the next partition, which can use at most `wanted_bytes`.
    #[must_use]
    pub fn next(&mut self, wanted_bytes: usize) -> usize {
        let even = self.even();
        self.partitions_left = self.partitions_left.saturating_sub(1);
        wanted_bytes.min(even)
    }

    /// The share that each remaining partition can expect.
    #[must_use]
    pub fn even(&self) -> usize {
        self.bytes_left / self.partitions_left.max(1)
    }

    /// Returns true if the next batch must be sent even if it exceeds all limits, because its consumer would otherwise
    /// never advance.
    #[must_use]
    pub fn must_send(&self) -> bool {
        self.empty
    }

    /// Records how many bytes a partition received.
    pub fn sent(&mut self, bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        self.empty &= bytes == 0;
    }

    /// Number of bytes that can still be sent in total.
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        self.bytes_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_share_evenly_and_unused_space_goes_to_others() {
        let mut share = Share::new(1000, 4);
        assert_eq!(share.next(10_000), 250);
        share.sent(100);
        assert_eq!(share.next(10_000), 300);
        share.sent(300);
        assert_eq!(share.next(50), 50);
    }

    #[test]
    fn always_sends_the_first_batch() {
        let mut share = Share::new(0, 1);
        assert!(share.must_send());
        assert_eq!(share.next(100), 0);
        share.sent(600);
        assert!(!share.must_send());
    }
}
