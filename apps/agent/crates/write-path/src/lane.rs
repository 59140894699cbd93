//! The state of one class of files.

use prometheus_client::metrics::gauge::Gauge;
use tokio::time::Instant;

use super::class::Class;
use super::open_file::OpenFile;
use super::put_budget::PutBudget;
use super::recent_senders::RecentSenders;
use super::settings::{LaneSettings, WriteSettings, puts_per_file};
use penstock_metrics::Metrics;

/// The open file of a class, and the state that decides when it is sealed. A partition has batches in at most one open
/// file.
pub(super) struct Lane {
    class: Class,
    pub(super) settings: LaneSettings,
    pub(super) open: Option<OpenFile>,
    pub(super) budget: PutBudget,
    pub(super) senders: RecentSenders,
    saved_puts: Gauge,
}

impl Lane {
    /// Creates a lane without an open file.
    pub(super) fn new(class: Class, settings: &WriteSettings, metrics: &Metrics) -> Self {
        let lane = settings.lane(class);
        let files_per_hour = lane.puts_per_hour / puts_per_file(class);
        let saved_puts = match class {
            Class::Standard => &metrics.saved_puts,
            Class::Low => &metrics.saved_landing_puts,
        };
        Self {
            class,
            settings: lane,
            open: None,
            budget: PutBudget::new(
                lane.flush_interval,
                settings.flush_bytes,
                files_per_hour,
                settings.saved_put_hours,
            ),
            senders: RecentSenders::new(class, lane.flush_interval),
            saved_puts: saved_puts.clone(),
        }
    }

    /// Returns the PUTs available for sealing files early, and updates the metric.
    pub(super) fn note_saved_puts(&mut self, now: Instant) -> u64 {
        let files = self.budget.saved_by(now);
        let puts = files.saturating_mul(puts_per_file(self.class).into());
        self.saved_puts.set(i64::try_from(puts).unwrap_or(i64::MAX));
        puts
    }
}
