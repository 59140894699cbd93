//! The end of a partition in an answer to a reader must not fall behind an end that clients have known for a while.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

/// A watch stream may be this late until its agent asks the owner instead.
const GRACE: Duration = Duration::from_secs(5);

/// The ends of partitions as clients got to know them: by an acknowledgement, or by an answer to a reader.
#[derive(Debug, Default)]
pub(crate) struct KnownEnds(BTreeMap<i32, Vec<(Instant, i64)>>);

impl KnownEnds {
    /// A client knows now that the partition ends at `end` or later.
    pub(crate) fn note(&mut self, partition: i32, end: i64) {
        let ends = self.0.entry(partition).or_default();
        if ends.last().is_none_or(|(_, known)| *known < end) {
            ends.push((Instant::now(), end));
        }
    }

    /// The largest end that clients knew some time before `asked`.
    pub(crate) fn before(&self, partition: i32, asked: Instant) -> i64 {
        let ends = self.0.get(&partition).map_or(&[][..], Vec::as_slice);
        let old = ends.partition_point(|(known, _)| *known + GRACE <= asked);
        old.checked_sub(1).map_or(0, |last| ends[last].1)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_end_counts_once_it_has_been_known_for_a_while() {
        let mut ends = KnownEnds::default();
        ends.note(0, 3);
        advance(GRACE / 2).await;
        ends.note(0, 7);
        assert_eq!(ends.before(0, Instant::now()), 0);
        advance(GRACE / 2).await;
        assert_eq!(ends.before(0, Instant::now()), 3);
        assert_eq!(ends.before(1, Instant::now()), 0);
        advance(GRACE).await;
        assert_eq!(ends.before(0, Instant::now()), 7);
    }
}
