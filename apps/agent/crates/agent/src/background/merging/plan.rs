//! Validates a job and plans its reads. Performs no I/O.

use bytes::Bytes;
use penstock_metadata_client::cache::uuid_from_bytes;
use penstock_metadata_client::proto;
use penstock_wire::record_batch::EndMarker;
use thiserror::Error;
use uuid::Uuid;

/// Maximum number of sources in a job. The service never sends as many.
const MAX_SOURCES: usize = 4096;
const MAX_COMPACTED_SOURCES: usize = 16_384;
/// Maximum size of a read request.
const MAX_WINDOW_BYTES: u64 = 16 << 20;
/// Minimum size of a window, however many sources share the memory. Windows for [`MAX_SOURCES`] sources fit in the
/// unshared third of the memory.
const MIN_WINDOW_BYTES: u64 = 2 << 10;
/// Maximum gap between two runs of a source that is read in one request rather than in two.
const GAP_BYTES: u64 = 64 << 10;

/// The job is inconsistent or incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the job is malformed: {0}")]
pub(crate) struct MalformedJob(pub(crate) &'static str);

/// A data file to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) file_id: Uuid,
}

/// Consecutive batches of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourceRun {
    pub(crate) source: usize,
    pub(crate) position: u64,
    pub(crate) bytes: u64,
}

/// Source index of a run that is the job's next marker.
const MARKER_SOURCE: u32 = u32::MAX;

/// A piece of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Run(SourceRun),
    /// The end of a transaction whose control batch is in no file.
    Marker(EndMarker),
}

impl Piece {
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Run(run) => run.bytes,
            Self::Marker(_) => EndMarker::BATCH_BYTES.into(),
        }
    }
}

/// A run of the file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// Index of the topic in [`Plan::topics`].
    pub(crate) topic: u32,
    pub(crate) partition: u32,
    pub(crate) base_offset: i64,
    pub(crate) end_offset: i64,
    /// The pieces, in the order of their offsets.
    pub(crate) pieces: Vec<Piece>,
}

impl Target {
    /// The source runs to read for the target.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &SourceRun> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Run(run) => Some(run),
            Piece::Marker(_) => None,
        })
    }
}

/// A range of a source that is read with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) source: usize,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// A job that was validated.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) job_id: Bytes,
    pub(crate) level: u32,
    pub(crate) sources: Vec<Source>,
    pub(crate) topics: Vec<Uuid>,
    pub(crate) targets: Vec<Target>,
}

impl Plan {
    /// Parses and validates a job.
    ///
    /// # Errors
    /// Returns an error if the job is inconsistent.
    pub(crate) fn new(job: &proto::MergeJob) -> Result<Self, MalformedJob> {
        let sources = sources(job)?;
        let topics = job
            .topic_ids
            .iter()
            .map(|id| uuid_from_bytes(id).ok_or(MalformedJob("a topic id is no id")))
            .collect::<Result<Vec<_>, _>>()?;
        let targets = targets(job, &topics)?;
        Ok(Self {
            job_id: job.job_id.clone(),
            level: job.level,
            sources,
            topics,
            targets,
        })
    }

    /// Plans the reads for these targets, in the order in which their first bytes are needed. The sources share
    /// `memory_bytes`. If the windows of each source are read one after another, memory use stays below that, plus a
    /// few KiB per source.
    pub(crate) fn windows(&self, targets: &[Target], memory_bytes: u64) -> Vec<Window> {
        windows(targets, self.sources.len(), memory_bytes)
    }
}

fn sources(job: &proto::MergeJob) -> Result<Vec<Source>, MalformedJob> {
    let most = if job.compact {
        MAX_COMPACTED_SOURCES
    } else {
        MAX_SOURCES
    };
    if job.source_file_ids.is_empty() || job.source_file_ids.len() > most {
        return Err(MalformedJob("it names no sources, or too many"));
    }
    let id = |id: &Bytes| uuid_from_bytes(id).ok_or(MalformedJob("a file id is no id"));
    job.source_file_ids
        .iter()
        .map(|file_id| Ok(Source { file_id: id(file_id)? }))
        .collect()
}

fn targets(job: &proto::MergeJob, topics: &[Uuid]) -> Result<Vec<Target>, MalformedJob> {
    let (runs, targets) = (job.run_source.len(), job.target_topic.len());
    let source_columns = [job.source_file_bytes.len() == job.source_file_ids.len()];
    let run_columns = [job.run_position.len() == runs, job.run_bytes.len() == runs];
    let target_columns = [
        job.target_partition.len() == targets,
        job.target_base_offset.len() == targets,
        job.target_end_offset.len() == targets,
        job.target_runs.len() == targets,
    ];
    let columns = [&source_columns[..], &run_columns, &target_columns].concat();
    if targets == 0 || columns.contains(&false) {
        return Err(MalformedJob("its columns differ in length"));
    }
    let mut markers = job.markers.iter();
    let mut next_run = 0;
    let mut all = Vec::with_capacity(targets);
    for at in 0..targets {
        let first_run = next_run;
        next_run += job.target_runs[at] as usize;
        if next_run > runs || next_run == first_run {
            return Err(MalformedJob("its targets and runs do not add up"));
        }
        let offset = |offset: u64| i64::try_from(offset).map_err(|_| MalformedJob("an offset is too large"));
        let target = Target {
            topic: job.target_topic[at],
            partition: job.target_partition[at],
            base_offset: offset(job.target_base_offset[at])?,
            end_offset: offset(job.target_end_offset[at])?,
            pieces: (first_run..next_run)
                .map(|run| piece(job, run, &mut markers))
                .collect::<Result<_, _>>()?,
        };
        if target.topic as usize >= topics.len() || target.base_offset >= target.end_offset {
            return Err(MalformedJob("a target names no topic of the job, or no offsets"));
        }
        if target.pieces.iter().map(Piece::bytes).sum::<u64>() > u64::from(u32::MAX) {
            return Err(MalformedJob("a target is larger than a run can be"));
        }
        all.push(target);
    }
    if next_run != runs || markers.next().is_some() {
        return Err(MalformedJob("its targets and runs do not add up"));
    }
    Ok(all)
}

fn piece<'a>(
    job: &proto::MergeJob,
    run: usize,
    markers: &mut impl Iterator<Item = &'a proto::JobMarker>,
) -> Result<Piece, MalformedJob> {
    if job.run_source[run] != MARKER_SOURCE {
        return source_run(job, run).map(Piece::Run);
    }
    let marker = markers.next().ok_or(MalformedJob("a marker is missing"))?;
    let producer_epoch = i16::try_from(marker.producer_epoch);
    Ok(Piece::Marker(EndMarker {
        producer_id: marker.producer_id,
        producer_epoch: producer_epoch.map_err(|_| MalformedJob("the epoch of a marker is too large"))?,
        is_commit: marker.committed,
        timestamp_ms: marker.timestamp_ms,
    }))
}

fn source_run(job: &proto::MergeJob, run: usize) -> Result<SourceRun, MalformedJob> {
    let (source, position, bytes) = (job.run_source[run] as usize, job.run_position[run], job.run_bytes[run]);
    let file_bytes = job.source_file_bytes.get(source).copied().unwrap_or(0);
    let end = position.checked_add(bytes);
    if bytes == 0 || end.is_none_or(|end| end > file_bytes) {
        return Err(MalformedJob("a run lies outside its source"));
    }
    Ok(SourceRun {
        source,
        position,
        bytes,
    })
}

/// Divides the memory among sources by the bytes read from each, so that all need about the same number of requests.
fn windows(targets: &[Target], sources: usize, memory_bytes: u64) -> Vec<Window> {
    let runs = || targets.iter().flat_map(Target::runs);
    let mut bytes_of = vec![0u64; sources];
    for run in runs() {
        bytes_of[run.source] += run.bytes;
    }
    let total = u128::from(bytes_of.iter().sum::<u64>().max(1));
    let largest: Vec<u64> = bytes_of
        .iter()
        .map(|bytes| {
            let share = u128::from(*bytes) * u128::from(memory_bytes) / total;
            u64::try_from(share)
                .unwrap_or(MAX_WINDOW_BYTES)
                .clamp(MIN_WINDOW_BYTES, MAX_WINDOW_BYTES)
        })
        .collect();
    let mut windows: Vec<Window> = Vec::new();
    let mut open: Vec<Option<usize>> = vec![None; sources];
    for run in runs() {
        let (mut position, end) = (run.position, run.position + run.bytes);
        while position < end {
            let window = open[run.source].map(|index| &mut windows[index]).filter(|window| {
                (window.end..=window.end.saturating_add(GAP_BYTES)).contains(&position)
                    && position < window.start + largest[run.source]
            });
            let window = match window {
                Some(window) => window,
                None => {
                    open[run.source] = Some(windows.len());
                    windows.push(Window {
                        source: run.source,
                        start: position,
                        end: position,
                    });
                    let last = windows.len() - 1;
                    &mut windows[last]
                }
            };
            window.end = end.min(window.start + largest[run.source]);
            position = window.end;
        }
    }
    windows
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A job with sources of these sizes. Its targets (partitions 0, 1, …) consist of runs (source, position, bytes) of
    /// 10 records.
    pub(crate) fn job(sources: &[(Uuid, u64)], targets: &[&[(u32, u64, u64)]]) -> proto::MergeJob {
        let mut job = proto::MergeJob {
            job_id: Bytes::from_static(&[9; 16]),
            level: 1,
            source_file_ids: sources
                .iter()
                .map(|(id, _)| Bytes::copy_from_slice(id.as_bytes()))
                .collect(),
            source_file_bytes: sources.iter().map(|(_, bytes)| *bytes).collect(),
            topic_ids: vec![Bytes::from_static(&[7; 16])],
            plan: Bytes::from_static(b"as the service signed it"),
            ..Default::default()
        };
        for (partition, runs) in (0..).zip(targets) {
            job.target_topic.push(0);
            job.target_partition.push(partition);
            job.target_base_offset.push(100);
            job.target_end_offset.push(100 + 10 * runs.len() as u64);
            job.target_runs.push(u32::try_from(runs.len()).unwrap());
            for (source, position, bytes) in *runs {
                job.run_source.push(*source);
                job.run_position.push(*position);
                job.run_bytes.push(*bytes);
            }
        }
        job
    }

    fn ids(count: u128, bytes: u64) -> Vec<(Uuid, u64)> {
        (1..=count).map(|id| (Uuid::from_u128(id), bytes)).collect()
    }

    fn windows_of(job: &proto::MergeJob, memory_bytes: u64) -> Vec<Window> {
        let plan = Plan::new(job).unwrap();
        plan.windows(&plan.targets, memory_bytes)
    }

    #[test]
    fn reads_adjacent_runs_with_one_request() {
        let job = job(
            &ids(2, 1000),
            &[&[(0, 0, 100), (1, 50, 10)], &[(0, 100, 200), (1, 60, 40)]],
        );
        let windows = windows_of(&job, 1 << 20);
        let windows: Vec<_> = windows.iter().map(|w| (w.source, w.start, w.end)).collect();
        assert_eq!(windows, [(0, 0, 300), (1, 50, 100)]);
    }

    #[test]
    fn skips_wide_gaps_and_runs_in_reverse_order() {
        let job = job(
            &ids(1, 10 << 20),
            &[&[(0, 0, 100)], &[(0, 5 << 20, 100)], &[(0, 1000, 100)]],
        );
        let windows = windows_of(&job, 1 << 20);
        let starts: Vec<_> = windows.iter().map(|window| window.start).collect();
        assert_eq!(starts, [0, 5 << 20, 1000]);
    }

    #[test]
    fn windows_fit_in_memory_and_cover_every_byte_once() {
        const MIB: u64 = 1 << 20;
        for memory in [MIB, 48 * MIB, 1 << 30] {
            // 60 sources of 8 MiB, each with one run per partition (50).
            let run_bytes = 8 * MIB / 50;
            let runs: Vec<Vec<(u32, u64, u64)>> = (0..50u64)
                .map(|partition| {
                    (0..60)
                        .map(|source| (source, partition * run_bytes, run_bytes))
                        .collect()
                })
                .collect();
            let targets: Vec<&[_]> = runs.iter().map(Vec::as_slice).collect();
            let windows = windows_of(&job(&ids(60, 8 * MIB), &targets), memory);
            let mut largest = [0; 60];
            for window in &windows {
                largest[window.source] = largest[window.source].max(window.end - window.start);
            }
            assert!(largest.iter().sum::<u64>() <= memory + 60 * MIN_WINDOW_BYTES);
            let read: u64 = windows.iter().map(|window| window.end - window.start).sum();
            assert_eq!(read, 60 * 50 * run_bytes);
            let requests = windows.len() as u64;
            assert!(
                requests <= 60 * (8 * MIB / (memory / 60).min(MAX_WINDOW_BYTES) + 2),
                "{requests}"
            );
        }
    }

    #[test]
    fn refuses_a_contradictory_job() {
        let good = job(&ids(1, 1000), &[&[(0, 0, 100)]]);
        assert!(Plan::new(&good).is_ok());
        let spoil: [fn(&mut proto::MergeJob); 11] = [
            |job| job.source_file_ids.clear(),
            |job| job.source_file_ids[0] = Bytes::from_static(b"short"),
            |job| job.topic_ids[0] = Bytes::new(),
            |job| job.run_source[0] = 1,
            |job| job.run_source[0] = MARKER_SOURCE,
            |job| job.markers.push(proto::JobMarker::default()),
            |job| job.run_position[0] = u64::MAX,
            |job| job.run_bytes[0] = 0,
            |job| job.target_runs[0] = 2,
            |job| job.target_end_offset[0] = 100,
            |job| job.target_partition.clear(),
        ];
        for (number, spoil) in spoil.iter().enumerate() {
            let mut bad = good.clone();
            spoil(&mut bad);
            assert!(Plan::new(&bad).is_err(), "{number}");
        }
    }
}
