//! How much memory a job may take when nobody has said.

use sysinfo::{MemoryRefreshKind, System};

/// Jobs of a small machine run with little, and need more requests.
const LEAST_BYTES: u64 = 128 << 20;
/// With it, a job that merges a GiB reads each of its files once.
const MOST_BYTES: u64 = 2 << 30;
/// Of the memory that there is. The caches, what is in flight and the clients' connections need the rest.
const SHARE: u64 = 4;

/// A quarter of the memory of this machine, or of the container that the agent runs in, within limits.
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
    fn a_job_takes_a_quarter_of_the_memory_within_limits() {
        let shares = [256 << 20, GIB, 4 * GIB, 8 * GIB, 256 * GIB].map(share_of);
        assert_eq!(shares, [128 << 20, 256 << 20, GIB, 2 * GIB, 2 * GIB]);
    }

    #[test]
    fn this_machine_has_memory_for_jobs() {
        assert!((LEAST_BYTES..=MOST_BYTES).contains(&default_job_memory_bytes()));
    }
}
