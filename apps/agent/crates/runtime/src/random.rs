//! Randomness, seeded in a simulation.

use std::ops::Range;
use std::time::Duration;

use rand::{Rng as _, RngExt as _};
use ring::rand::SystemRandom;
use uuid::{Builder, Uuid};

use crate::clock::since_unix_epoch;

/// Fills `bytes` from a cryptographically secure generator.
pub fn fill_random(bytes: &mut [u8]) {
    #[cfg(feature = "simulation")]
    if let Some(machine) = crate::simulation::current() {
        machine.fill_random(bytes);
        return;
    }
    #[expect(clippy::disallowed_methods, reason = "the one place that draws random numbers")]
    rand::rng().fill_bytes(bytes);
}

/// Scales `step` by a random factor from this range.
#[must_use]
pub fn jitter(step: Duration, factors: Range<f64>) -> Duration {
    #[cfg(feature = "simulation")]
    if let Some(machine) = crate::simulation::current() {
        return step.mul_f64(machine.random_factor(factors));
    }
    #[expect(clippy::disallowed_methods, reason = "the one place that draws random numbers")]
    step.mul_f64(rand::rng().random_range(factors))
}

/// A random id (UUIDv4).
#[must_use]
pub fn random_uuid() -> Uuid {
    let mut bytes = [0; 16];
    fill_random(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// An id of the wall clock's current time (UUIDv7).
#[must_use]
pub fn time_ordered_uuid() -> Uuid {
    time_ordered_uuid_at(u64::try_from(since_unix_epoch().as_millis()).unwrap_or(u64::MAX))
}

/// An id of this time in milliseconds since the Unix epoch (UUIDv7).
#[must_use]
pub fn time_ordered_uuid_at(unix_ms: u64) -> Uuid {
    let mut bytes = [0; 10];
    fill_random(&mut bytes);
    Builder::from_unix_timestamp_millis(unix_ms, &bytes).into_uuid()
}

/// The generator for keys, which `ring` accepts only from itself. It reads the system's randomness, which a simulation
/// replaces for the whole process.
#[must_use]
pub fn secure_random() -> SystemRandom {
    #[expect(clippy::disallowed_methods, reason = "the one place that makes this generator")]
    SystemRandom::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_their_version_and_time() {
        let id = time_ordered_uuid_at(1_790_000_000_123);
        let (seconds, nanos) = id.get_timestamp().unwrap().to_unix();
        assert_eq!((seconds, nanos / 1_000_000), (1_790_000_000, 123));
        assert_eq!((id.get_version_num(), random_uuid().get_version_num()), (7, 4));
        assert_eq!(random_uuid().get_variant(), uuid::Variant::RFC4122);
        assert_ne!(time_ordered_uuid_at(1), time_ordered_uuid_at(1));
        assert_ne!(random_uuid(), random_uuid());
    }

    #[test]
    fn jitter_stays_in_its_range() {
        for _ in 0..100 {
            let pause = jitter(Duration::from_secs(1), 0.5..1.0);
            assert!((Duration::from_millis(500)..Duration::from_secs(1)).contains(&pause));
        }
    }
}
