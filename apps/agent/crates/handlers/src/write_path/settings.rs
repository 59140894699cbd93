//! When files are sealed, what sealing them early may cost, and how long writing them may take.

use std::time::Duration;

use penstock_store::LANDED_COPIES;

use super::class::Class;

const HOUR: Duration = Duration::from_secs(3600);

/// When the files of one class are sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneSettings {
    /// A file is sealed at the latest this long after its first batch.
    pub flush_interval: Duration,
    /// PUTs that may be spent per hour on sealing files earlier than that, when no client that waits could send more, as long as the
    /// interval and the size alone cost less. 0: never.
    pub puts_per_hour: u32,
}

impl LaneSettings {
    /// Files for the standard bucket. The budget is what the interval costs at most: one PUT each.
    #[must_use]
    pub fn standard(flush_interval: Duration) -> Self {
        Self::with_interval_budget(flush_interval, Class::Standard)
    }

    /// Files for landing buckets. The budget is what the interval costs at most: [`LANDED_COPIES`] PUTs each.
    #[must_use]
    pub fn landing(flush_interval: Duration) -> Self {
        Self::with_interval_budget(flush_interval, Class::Low)
    }

    fn with_interval_budget(flush_interval: Duration, class: Class) -> Self {
        let files = HOUR.as_nanos() / flush_interval.as_nanos().max(1);
        let files = u32::try_from(files).unwrap_or(u32::MAX);
        Self {
            flush_interval,
            puts_per_hour: files.saturating_mul(puts_per_file(class)),
        }
    }
}

/// When files are sealed, and how long writing one may take.
#[derive(Debug, Clone)]
pub struct WriteSettings {
    /// Files that go to the standard bucket.
    pub standard: LaneSettings,
    /// Files that go to landing buckets.
    pub landing: LaneSettings,
    /// A file of this size is sealed at once.
    pub flush_bytes: usize,
    /// Unspent PUTs are saved for at most this many hours.
    pub saved_put_hours: u32,
    /// How long object storage may take to accept a file, retries included. After it the producers get an error.
    pub put_timeout: Duration,
    /// How long the metadata service may take to commit a file, retries included. The time that earlier files took counts: all that
    /// waited for an outage to end fail together, instead of each after a time-out of its own.
    pub commit_timeout: Duration,
}

impl WriteSettings {
    pub(super) fn lane(&self, class: Class) -> LaneSettings {
        match class {
            Class::Standard => self.standard,
            Class::Low => self.landing,
        }
    }
}

impl Default for WriteSettings {
    fn default() -> Self {
        Self {
            standard: LaneSettings::standard(Duration::from_millis(250)),
            landing: LaneSettings::landing(Duration::from_millis(25)),
            flush_bytes: 15 << 20,
            saved_put_hours: 24,
            // Together far below the 10 minutes after which the service refuses to commit a file.
            put_timeout: Duration::from_secs(60),
            commit_timeout: Duration::from_secs(60),
        }
    }
}

/// What writing one file costs.
pub(super) fn puts_per_file(class: Class) -> u32 {
    match class {
        Class::Standard => 1,
        Class::Low => LANDED_COPIES as u32,
    }
}
