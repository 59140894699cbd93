//! Measures how much memory the orphan collector needs for a bucket with many files: `cargo run --release --example
//! orphan_memory [millions of files]`; the default is 10. Prints the peak memory of the process before and after.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use penstock_agent::collect_orphans;
use penstock_metadata_client::testing::InMemoryMetadata;
use penstock_store::Objects;
use penstock_store::testing::ManyObjects;

const AGE_MS: u64 = 3 * 24 * 3_600_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let millions: u64 = std::env::args().nth(1).map_or(Ok(10), |text| text.parse())?;
    let now_ms = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?;
    let bucket = ManyObjects::bucket((millions * 1_000_000).div_ceil(256), now_ms - AGE_MS);
    let objects = Objects::new(&bucket, "cluster");
    let metadata = InMemoryMetadata::default();
    metadata.set_knows_all_files();
    let (peak_before_kib, started) = (peak_kib()?, Instant::now());
    let collected = collect_orphans(&metadata, &objects, now_ms).await?;
    println!(
        "listed {} files, asked for {} of them, deleted {}, in {:.1} s; peak resident memory {:.1} MiB, before it {:.1} MiB",
        collected.listed,
        collected.candidates,
        collected.deleted,
        started.elapsed().as_secs_f64(),
        f64::from(peak_kib()?) / 1024.0,
        f64::from(peak_before_kib) / 1024.0,
    );
    Ok(())
}

/// Peak resident memory so far in KiB, as Linux counts it.
fn peak_kib() -> Result<u32, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no VmHWM")?;
    Ok(kib.parse()?)
}
