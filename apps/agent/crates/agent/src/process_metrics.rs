//! CPU time, memory and limits of this process.

use penstock_runtime::measured;

/// CPU time used so far (user and system), in milliseconds; 0 if /proc is missing.
#[expect(clippy::disallowed_methods, reason = "Linux's own accounts of this process")]
pub(crate) fn cpu_ms() -> u64 {
    let Some(stat) = measured(|| std::fs::read_to_string("/proc/self/stat").ok()) else {
        return 0;
    };
    // The name in parentheses may contain spaces. User and system ticks are the 12th and 13th fields after it.
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return 0;
    };
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    ticks * 1000 / rustix::param::clock_ticks_per_second().max(1)
}

/// Resident memory, in bytes; 0 if /proc is missing.
#[expect(clippy::disallowed_methods, reason = "Linux's own accounts of this process")]
pub(crate) fn resident_bytes() -> u64 {
    let Some(statm) = measured(|| std::fs::read_to_string("/proc/self/statm").ok()) else {
        return 0;
    };
    let pages: u64 = statm
        .split_whitespace()
        .nth(1)
        .and_then(|field| field.parse().ok())
        .unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// Raises the soft limit on open files to the hard limit, since each connection needs a file descriptor.
pub(crate) fn raise_open_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum
        && let Err(error) = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                maximum: limit.maximum,
            },
        )
    {
        tracing::debug!(%error, "cannot raise the limit on open files");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_memory_and_cpu_time_on_linux() {
        if cfg!(target_os = "linux") {
            assert!(super::resident_bytes() > 100_000);
            let spin = std::time::Instant::now();
            while super::cpu_ms() == 0 {
                assert!(spin.elapsed().as_secs() < 20, "no CPU time after 20 s of work");
            }
        }
    }
}
