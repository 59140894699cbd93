//! Estimates the metadata service's time. The service checks the ids of data files against its own clock, and a
//! machine's clock may be wrong by minutes, so ids and ages use this clock.
use std::sync::OnceLock;

use parking_lot::RwLock;
use penstock_runtime::{Instant, since_unix_epoch, time_ordered_uuid_at};
use uuid::Uuid;

/// A clock set by every response that contains the service's time, and advanced by the machine's monotonic clock. It
/// lags by the response's travel time. Before the first response, and with a service that sends no time, it is the
/// machine's clock.
#[derive(Debug, Default)]
pub struct ServiceClock {
    last: RwLock<Option<(u64, Instant)>>,
    writer: OnceLock<i32>,
}

/// Position of the writer's node id in the id of a flushed file: the first 32 of the 62 random bits at the end of a
/// UUIDv7. This leaves 42 random bits for the files of one agent and millisecond.
const WRITER_SHIFT: u32 = 30;
const WRITER_MASK: u128 = (u32::MAX as u128) << WRITER_SHIFT;
/// The first random bit of a UUIDv7: 0 for a file in the standard bucket, 1 for one in landing buckets
/// (`penstock_store::is_landed`).
const LANDED_BIT: u128 = 1 << 75;

/// The node id of the agent that flushed a file. Only a hint: ids of merged files contain a random one.
#[must_use]
pub fn writer_of(file_id: Uuid) -> i32 {
    // The mask leaves 32 bits.
    let node_id = ((file_id.as_u128() & WRITER_MASK) >> WRITER_SHIFT) as u32;
    node_id.cast_signed()
}

impl ServiceClock {
    /// Sets the clock from the service's `time_ms` (milliseconds since the Unix epoch). Ignores times that are not positive.
    pub fn note(&self, time_ms: i64) {
        if let Ok(time_ms @ 1..) = u64::try_from(time_ms) {
            *self.last.write() = Some((time_ms, Instant::now()));
        }
    }

    /// Current time in milliseconds since the Unix epoch.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        match *self.last.read() {
            Some((time_ms, at)) => time_ms.saturating_add(millis(at.elapsed())),
            None => millis(since_unix_epoch()),
        }
    }

    /// Sets the node id as which the agent is registered.
    pub fn set_writer(&self, node_id: i32) {
        // An agent keeps its node id when it registers again.
        let _ = self.writer.set(node_id);
    }

    /// A new id for a file of recently produced records. It names this agent, which still has them in memory.
    #[must_use]
    pub fn new_flushed_file_id(&self) -> Uuid {
        let id = self.new_file_id();
        match self.writer.get() {
            Some(node_id) => {
                let writer = u128::from(node_id.cast_unsigned()) << WRITER_SHIFT;
                Uuid::from_u128((id.as_u128() & !WRITER_MASK) | writer)
            }
            None => id,
        }
    }

    /// A new id for a data file about to be written (UUIDv7 of the current time).
    #[must_use]
    pub fn new_file_id(&self) -> Uuid {
        let id = time_ordered_uuid_at(self.now_ms());
        Uuid::from_u128(id.as_u128() & !LANDED_BIT)
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::*;

    fn time_ms(id: Uuid) -> u64 {
        let (seconds, nanos) = id.get_timestamp().unwrap().to_unix();
        seconds * 1000 + u64::from(nanos) / 1_000_000
    }

    #[test]
    fn ids_use_the_services_time_despite_the_machines_clock() {
        let clock = ServiceClock::default();
        let told_ms = 1_790_000_000_123;
        clock.note(told_ms);
        let told_ms = told_ms.unsigned_abs();
        let id = clock.new_file_id();
        assert!((told_ms..=clock.now_ms()).contains(&time_ms(id)), "{id}");
        assert_ne!(clock.new_file_id(), clock.new_file_id());
    }

    #[test]
    fn the_id_of_a_flushed_file_names_its_writer() {
        let clock = ServiceClock::default();
        let _ = clock.new_flushed_file_id();
        for node_id in [1, 7, i32::MAX] {
            let clock = ServiceClock::default();
            clock.note(1_790_000_000_123);
            clock.set_writer(node_id);
            let ids: Vec<Uuid> = (0..1000).map(|_| clock.new_flushed_file_id()).collect();
            for id in &ids {
                assert_eq!(writer_of(*id), node_id);
                assert_eq!(id.get_version_num(), 7);
                assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
                assert!((1_790_000_000_123..=clock.now_ms()).contains(&time_ms(*id)), "{id}");
            }
            let distinct: std::collections::HashSet<&Uuid> = ids.iter().collect();
            assert_eq!(distinct.len(), ids.len());
            // The file names spread over the key space.
            let spreads: std::collections::HashSet<u8> = ids.iter().map(|id| id.as_bytes()[15]).collect();
            assert!(spreads.len() > 200, "{}", spreads.len());
        }
    }

    #[test]
    fn no_id_looks_like_a_landed_one() {
        let clock = ServiceClock::default();
        clock.set_writer(7);
        for _ in 0..1000 {
            assert!(clock.new_file_id().as_bytes()[6] < 0x78);
            assert!(clock.new_flushed_file_id().as_bytes()[6] < 0x78);
        }
    }

    #[test]
    fn uses_the_machines_clock_if_the_service_sends_no_time() {
        let clock = ServiceClock::default();
        clock.note(0);
        let wall_ms = millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap());
        assert!(clock.now_ms().abs_diff(wall_ms) < 60_000);
    }
}
