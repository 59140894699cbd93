//! Landing buckets: fast single-zone buckets (S3 Express One Zone), one per availability zone. A low-latency file is
//! written to two of them, and merged to a file in the standard bucket within a minute.
//!
//! The file's id says that it landed, and in which zones it was meant to. The zones are a hint: a reader that doesn't
//! find the file there looks in the other landing buckets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use object_store::ObjectStore;
use object_store::path::Path;
use parking_lot::Mutex;
use penstock_telemetry::{CleanText, ErrorKind, Failure, LastErrors};
use tokio::time::Instant;
use uuid::Uuid;

use crate::bucket::Bucket;

/// Number of landing buckets that must store a file.
pub const LANDED_COPIES: usize = 2;
/// The first twelve random bits of a UUIDv7. The first of them is 0 for files in the standard bucket.
const MARK_SHIFT: u32 = 64;
const MARK_MASK: u128 = 0xfff << MARK_SHIFT;
const MARK: u128 = 0xa7d << MARK_SHIFT;
/// A per-agent file counter, which keeps ids of the same millisecond distinct, because these ids have fewer random
/// bits.
const COUNT_SHIFT: u32 = 16;
const COUNTED: u32 = 0x3fff;
const COUNT_MASK: u128 = (COUNTED as u128) << COUNT_SHIFT;
/// One bit per zone that was meant to store the file, by a hash of the zone's name. The bits after it spread the names
/// over the key space.
const ZONES_SHIFT: u32 = 8;
const ZONES_MASK: u128 = 0xff << ZONES_SHIFT;
/// How long a failed bucket is avoided.
const ROUTED_AROUND_FOR: Duration = Duration::from_secs(10);
/// Number of consecutive late responses that count as a failure. Single ones are common.
const MOST_LATE_ANSWERS: u32 = 3;

/// Returns true if the id marks the file as landed.
#[must_use]
pub fn is_landed(file_id: Uuid) -> bool {
    file_id.as_u128() & MARK_MASK == MARK
}

/// A landing bucket and its zone.
#[derive(Debug, Clone)]
pub struct LandingBucket {
    /// The cloud's name for the zone, as in `--zone`.
    pub zone: String,
    /// The bucket, once opened.
    pub bucket: Bucket,
}

/// The landing buckets of an agent, with its own zone's first.
#[derive(Debug)]
pub(crate) struct Landing {
    places: Vec<LandingPlace>,
    has_own_zone: bool,
    files: AtomicU32,
}

#[derive(Debug)]
pub(crate) struct LandingPlace {
    pub(crate) zone: String,
    zone_bit: u8,
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) root: Path,
    health: Mutex<Health>,
}

#[derive(Debug, Default)]
struct Health {
    failing_until: Option<Instant>,
    late_answers: u32,
}

impl Landing {
    /// Returns `None` if there are too few buckets for two copies.
    pub(crate) fn new(buckets: &[LandingBucket], own_zone: &str, cluster_id: &str) -> Option<Self> {
        let mut places: Vec<LandingPlace> = buckets
            .iter()
            .map(|LandingBucket { zone, bucket }| LandingPlace {
                zone: zone.clone(),
                zone_bit: 1 << (crc32c::crc32c(zone.as_bytes()) & 7),
                store: Arc::clone(&bucket.store),
                root: bucket.data_root(cluster_id),
                health: Mutex::default(),
            })
            .collect();
        // All agents use the same zone order, regardless of the order of their settings.
        places.sort_by(|a, b| (a.zone != own_zone, &a.zone).cmp(&(b.zone != own_zone, &b.zone)));
        (places.len() >= LANDED_COPIES).then(|| Self {
            has_own_zone: places[0].zone == own_zone,
            places,
            files: AtomicU32::new(0),
        })
    }

    pub(crate) fn places(&self) -> &[LandingPlace] {
        &self.places
    }

    /// Returns true if enough buckets work to store a file.
    pub(crate) fn works(&self) -> bool {
        let now = Instant::now();
        let working = self.places.iter().filter(|place| !place.is_failing(now));
        working.count() >= LANDED_COPIES
    }

    /// Returns the id with which this file is written to landing buckets, or `None` if fewer than two work.
    pub(crate) fn landed_id(&self, file_id: Uuid) -> Option<Uuid> {
        let now = Instant::now();
        // Truncated to the bits in an id, so that the order matches that of `targets_of`.
        let count = self.files.fetch_add(1, Ordering::Relaxed) & COUNTED;
        let order = self.write_order(count);
        let mut working = order.iter().filter(|place| !place.is_failing(now));
        let zones = working.next()?.zone_bit | working.next()?.zone_bit;
        let bits = MARK
            | ((u128::from(count) << COUNT_SHIFT) & COUNT_MASK)
            | ((u128::from(zones) << ZONES_SHIFT) & ZONES_MASK);
        Some(Uuid::from_u128(
            (file_id.as_u128() & !(MARK_MASK | COUNT_MASK | ZONES_MASK)) | bits,
        ))
    }

    /// The order of buckets to write to: its own zone first, then the others in rotation, and failing ones last.
    pub(crate) fn targets_of(&self, file_id: Uuid) -> Vec<&LandingPlace> {
        // The mask leaves 14 bits.
        let count = ((file_id.as_u128() & COUNT_MASK) >> COUNT_SHIFT) as u32;
        let now = Instant::now();
        let mut order = self.write_order(count);
        order.sort_by_key(|place| place.is_failing(now));
        order
    }

    /// The order of buckets to read from: those named by the id with the own zone first, then the others, and failing
    /// ones last.
    pub(crate) fn sources_of(&self, file_id: Uuid) -> Vec<&LandingPlace> {
        // The mask leaves 8 bits.
        let zones = ((file_id.as_u128() & ZONES_MASK) >> ZONES_SHIFT) as u8;
        let now = Instant::now();
        let mut order: Vec<&LandingPlace> = self.places.iter().collect();
        order.sort_by_key(|place| (place.is_failing(now), place.zone_bit & zones == 0));
        order
    }

    fn write_order(&self, count: u32) -> Vec<&LandingPlace> {
        let (own, others) = self.places.split_at(usize::from(self.has_own_zone));
        let turn = count as usize % others.len().max(1);
        own.iter().chain(&others[turn..]).chain(&others[..turn]).collect()
    }
}

impl LandingPlace {
    fn is_failing(&self, now: Instant) -> bool {
        self.lock().failing_until.is_some_and(|until| now < until)
    }

    /// Records a response in time.
    pub(crate) fn note_answer(&self) {
        *self.lock() = Health::default();
    }

    /// Records that the bucket did not respond while others did.
    pub(crate) fn note_late(&self, last_errors: &LastErrors) {
        let late_answers = {
            let mut health = self.lock();
            health.late_answers += 1;
            health.late_answers
        };
        if late_answers >= MOST_LATE_ANSWERS {
            self.note_failed(last_errors, "it responds much later than the others");
        }
    }

    /// Avoids the bucket for a while after a failure.
    pub(crate) fn note_failed(&self, last_errors: &LastErrors, reason: &str) {
        let now = Instant::now();
        let was_failing = self
            .lock()
            .failing_until
            .replace(now + ROUTED_AROUND_FOR)
            .is_some_and(|until| now < until);
        if !was_failing {
            tracing::warn!(
                zone = self.zone,
                reason,
                "a landing bucket fails; trying it again in 10 s"
            );
            last_errors.record(
                ErrorKind::Store,
                Failure {
                    class: "landing-bucket",
                    code: CleanText::clean(&self.zone),
                    message: CleanText::clean(&format!("The landing bucket of zone {} fails: {reason}", self.zone)),
                },
            );
        }
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Health> {
        self.health.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn landing(zones: &[&str], own_zone: &str) -> Option<Landing> {
        let buckets: Vec<LandingBucket> = zones
            .iter()
            .map(|zone| LandingBucket {
                zone: (*zone).to_owned(),
                bucket: Bucket::open("mem://").unwrap(),
            })
            .collect();
        Landing::new(&buckets, own_zone, "cluster")
    }

    fn zones(places: &[&LandingPlace]) -> Vec<String> {
        places.iter().map(|place| place.zone.clone()).collect()
    }

    #[test]
    fn a_landed_id_is_marked_and_remains_a_valid_unique_uuid() {
        let landing = landing(&["a", "b", "c"], "b").unwrap();
        let plain = Uuid::from_u128(0x0190_b2a4_1234_7000_8000_0001_c000_00f3);
        assert!(!is_landed(plain));
        let ids: HashSet<Uuid> = (0..16_384).map(|_| landing.landed_id(plain).unwrap()).collect();
        assert_eq!(ids.len(), 16_384, "no two files of one millisecond have one id");
        for id in ids {
            assert!(is_landed(id));
            assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
            assert_eq!(id.get_timestamp(), plain.get_timestamp());
            assert_eq!(id.as_u128() >> 30 & 0xffff_ffff, plain.as_u128() >> 30 & 0xffff_ffff);
            assert_eq!(id.as_bytes()[15], 0xf3);
        }
    }

    /// The metadata service reads this mark, too. The test of `isLandedId` in `packages/metadata-core/src/model/ids.ts`
    /// uses the same id.
    #[test]
    fn the_mark_is_the_one_that_the_metadata_service_reads() {
        assert!(is_landed("0190b2a4-1234-7a7d-8000-0001c00000f3".parse().unwrap()));
        assert!(!is_landed("0190b2a4-1234-7a7c-8000-0001c00000f3".parse().unwrap()));
    }

    #[test]
    fn an_agent_writes_to_its_own_zone_then_to_others_in_turn() {
        let landing = landing(&["c", "a", "b"], "b").unwrap();
        let id = Uuid::now_v7();
        let orders: Vec<Vec<String>> = (0..2)
            .map(|_| zones(&landing.targets_of(landing.landed_id(id).unwrap())))
            .collect();
        assert_eq!(orders, [["b", "a", "c"], ["b", "c", "a"]]);
    }

    #[test]
    fn readers_in_every_zone_start_where_the_id_says() {
        let names = ["use1-az4", "use1-az5", "use1-az6"];
        let writer = landing(&names, names[0]).unwrap();
        for own in names {
            let reader = landing(&names, own).unwrap();
            for _ in 0..4 {
                let id = writer.landed_id(Uuid::now_v7()).unwrap();
                let written = zones(&writer.targets_of(id)[..2]);
                let read = zones(&reader.sources_of(id));
                assert!(written.contains(&read[0]), "{written:?} {read:?}");
                assert!(!written.contains(&own.to_owned()) || read[0] == own);
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_failing_bucket_comes_last_until_it_is_retried() {
        let landing = landing(&["a", "b", "c"], "a").unwrap();
        let last_errors = LastErrors::default();
        let first = || zones(&landing.targets_of(landing.landed_id(Uuid::now_v7()).unwrap()))[0].clone();
        landing.places[0].note_failed(&last_errors, "gone");
        assert_ne!(first(), "a");
        assert_eq!(last_errors.all().len(), 1);
        tokio::time::advance(ROUTED_AROUND_FOR).await;
        assert_eq!(first(), "a");
    }

    #[tokio::test(start_paused = true)]
    async fn one_late_response_is_not_a_failure() {
        let landing = landing(&["a", "b"], "a").unwrap();
        let last_errors = LastErrors::default();
        for _ in 0..5 {
            landing.places[0].note_late(&last_errors);
            landing.places[0].note_late(&last_errors);
            landing.places[0].note_answer();
        }
        assert!(landing.landed_id(Uuid::now_v7()).is_some());
        for _ in 0..MOST_LATE_ANSWERS {
            landing.places[0].note_late(&last_errors);
        }
        assert!(landing.landed_id(Uuid::now_v7()).is_none(), "one bucket is not enough");
    }

    #[test]
    fn one_bucket_is_not_enough() {
        assert!(landing(&["a"], "a").is_none());
        assert!(landing(&["a", "b"], "elsewhere").is_some());
    }
}
