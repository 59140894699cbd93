//! The default memory limit of a job.

use sysinfo::{MemoryRefreshKind, System};

/// Lower bound for small machines, where jobs run with little memory and more requests.
const LEAST_BYTES: u64 = 128 << 20;
/// Upper bound. With this much, a job that merges 1 GiB reads each of its files once.
const MOST_BYTES: u64 = 2 << 30;
/// Divisor of the available memory. Caches, requests in flight and client connections need the rest.
const SHARE: u64 = 4;

/// A quarter of the memory of this machine or container, within the bounds above.
pub(crate) fn default_job_memory_bytes() -> u64 {
    let Ok(mut system) = System::new() else {
        return LEAST_BYTES;
    };
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let of_container = system.cgroup_limits().map(|limits| limits.total_memory);
    share_of(of_container.unwrap_or(u64::MAX).min(system.total_memory()))
}

fn share_of(memory_bytes: u64) -> u64 {
    (memory_bytes / SHARE).clamp(LEAST_BYTES, MOST_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn a_job_may_use_a_quarter_of_the_memory_within_bounds() {
        let shares = [256 << 20, GIB, 4 * GIB, 8 * GIB, 256 * GIB].map(share_of);
        assert_eq!(shares, [128 << 20, 256 << 20, GIB, 2 * GIB, 2 * GIB]);
    }

    #[test]
    fn detects_the_memory_of_this_machine() {
        assert!((LEAST_BYTES..=MOST_BYTES).contains(&default_job_memory_bytes()));
    }
}
