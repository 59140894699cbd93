//! Settings that decide when files are sealed, what sealing them early may cost, and how long writes may take.

use std::time::Duration;

use penstock_store::LANDED_COPIES;

use super::class::Class;

const HOUR: Duration = Duration::from_secs(3600);

/// The settings for when files of a class are sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneSettings {
    /// Maximum time from a file's first batch until it is sealed.
    pub flush_interval: Duration,
    /// PUTs per hour that may be spent on sealing files earlier if no waiting client could send more, as long as the
    /// interval and size alone cost less. 0 turns this off.
    pub puts_per_hour: u32,
}

impl LaneSettings {
    /// Settings for the standard bucket. The budget is the maximum cost of the interval: one PUT per file.
    #[must_use]
    pub fn standard(flush_interval: Duration) -> Self {
        Self::with_interval_budget(flush_interval, Class::Standard)
    }

    /// Settings for landing buckets. The budget is the maximum cost of the interval: [`LANDED_COPIES`] PUTs per file.
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

/// Settings for sealing and writing files.
#[derive(Debug, Clone)]
pub struct WriteSettings {
    /// Settings of files for the standard bucket.
    pub standard: LaneSettings,
    /// Settings of files for landing buckets.
    pub landing: LaneSettings,
    /// Size at which a file is sealed immediately.
    pub flush_bytes: usize,
    /// Maximum number of hours for which unspent PUTs are saved.
    pub saved_put_hours: u32,
    /// Maximum time for storing a file, including retries. After it, the producers get an error.
    pub put_timeout: Duration,
    /// Maximum time for committing a file, including retries and the time that earlier files took: all files that wait
    /// for an outage to end fail together, rather than each after its own timeout.
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

/// Number of PUTs to write one file.
pub(super) fn puts_per_file(class: Class) -> u32 {
    match class {
        Class::Standard => 1,
        Class::Low => LANDED_COPIES as u32,
    }
}
