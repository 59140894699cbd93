//! The open file, to which batches are added, and the sealed file: ordered, indexed and ready to write.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use penstock_metadata_client::cache::Topic;
use penstock_store::{FileIndex, IndexedRun, encode_index};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;
use uuid::Uuid;

use super::CheckedBatch;
use super::class::Class;
use super::file_senders::FileSenders;
use super::file_spans::{FileFacts, FileSpans};
use super::gaps::ProducerKey;
use super::outcome::{FileOutcome, Place};
use super::partition_name::PartitionName;

/// A run that is being collected.
pub(super) struct Run {
    pub(super) topic: Arc<Topic>,
    pub(super) partition: u32,
    pub(super) batches: Vec<CheckedBatch>,
}

impl Run {
    fn bytes(&self) -> usize {
        self.batches.iter().map(|batch| batch.batch.bytes.len()).sum()
    }
}

pub(super) struct OpenFile {
    /// Files are numbered in the order in which they were opened.
    pub(super) number: u64,
    runs: Vec<Run>,
    run_of: HashMap<PartitionName, usize>,
    bytes: usize,
    uncompressed_bytes: u64,
    opened: Instant,
    outcome: watch::Sender<Option<Arc<FileOutcome>>>,
    memory: Vec<OwnedSemaphorePermit>,
    shared_memory: Vec<Arc<OwnedSemaphorePermit>>,
    pub(super) senders: FileSenders,
    pub(super) spans: FileSpans,
}

impl OpenFile {
    pub(super) fn new(number: u64, class: Class) -> Self {
        Self {
            number,
            runs: Vec::new(),
            run_of: HashMap::new(),
            bytes: 0,
            uncompressed_bytes: 0,
            opened: Instant::now(),
            outcome: watch::Sender::new(None),
            memory: Vec::new(),
            shared_memory: Vec::new(),
            senders: FileSenders::new(class),
            spans: FileSpans::default(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of partitions with batches in the file.
    pub(super) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Uncompressed size of its batches, in bytes.
    pub(super) fn uncompressed_bytes(&self) -> u64 {
        self.uncompressed_bytes
    }

    /// The partitions with batches in the file.
    pub(super) fn partitions(&self) -> Vec<PartitionName> {
        self.run_of.keys().cloned().collect()
    }

    /// Returns true if it contains batches of an earlier topic with this name. Batches of the new topic then go to a
    /// later file, because their commit depends on the outcome of the earlier ones.
    pub(super) fn holds_earlier_topic(&self, topic: &Topic, partition: u32) -> bool {
        let run = self.run_of.get(&PartitionName::new(topic, partition));
        run.is_some_and(|run| self.runs[*run].topic.id != topic.id)
    }

    /// Returns true if it contains batches of this partition.
    pub(super) fn holds(&self, topic: &Topic, partition: u32) -> bool {
        self.run_of.contains_key(&PartitionName::new(topic, partition))
    }

    /// When its first batch arrived.
    pub(super) fn opened(&self) -> Instant {
        self.opened
    }

    pub(super) fn add(&mut self, topic: &Arc<Topic>, partition: u32, batch: CheckedBatch) -> Place {
        self.bytes += batch.batch.bytes.len();
        self.uncompressed_bytes += batch.uncompressed_bytes;
        let run = *self
            .run_of
            .entry(PartitionName::new(topic, partition))
            .or_insert_with(|| {
                self.runs.push(Run {
                    topic: Arc::clone(topic),
                    partition,
                    batches: Vec::new(),
                });
                self.runs.len() - 1
            });
        let batches = &mut self.runs[run].batches;
        batches.push(batch);
        Place {
            run,
            batch: batches.len() - 1,
        }
    }

    pub(super) fn hold(&mut self, memory: Option<OwnedSemaphorePermit>) {
        let Some(memory) = memory else { return };
        // One permit per file and budget rather than per request, because permits merge. Unauthenticated clients have a
        // separate budget.
        let same = |held: &&mut OwnedSemaphorePermit| Arc::ptr_eq(held.semaphore(), memory.semaphore());
        match self.memory.iter_mut().find(same) {
            Some(held) => held.merge(memory),
            None => self.memory.push(memory),
        }
    }

    /// Like [`Self::hold`], for a request with batches in several files: its bytes stay in memory until all of them are
    /// done.
    pub(super) fn share(&mut self, memory: Option<Arc<OwnedSemaphorePermit>>) {
        self.shared_memory.extend(memory);
    }

    /// Receives the outcome of the file.
    pub(super) fn outcome(&self) -> watch::Receiver<Option<Arc<FileOutcome>>> {
        self.outcome.subscribe()
    }

    /// Orders the runs by topic and partition, so that a reader of adjacent partitions reads adjacent bytes. `file_id`
    /// is a new id with the current time.
    pub(super) fn seal(self, file_id: Uuid) -> SealedFile {
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        order.sort_unstable_by_key(|run| (self.runs[*run].topic.id, self.runs[*run].partition));
        let mut file_position_of_run = vec![0; order.len()];
        for (position, run) in order.iter().enumerate() {
            file_position_of_run[*run] = position;
        }
        let mut runs: Vec<Option<Run>> = self.runs.into_iter().map(Some).collect();
        let runs: Vec<Run> = order.iter().filter_map(|run| runs[*run].take()).collect();
        let (index, chunks) = lay_out(file_id, &runs);
        SealedFile {
            file_id,
            file_bytes: chunks.iter().map(|chunk| chunk.len() as u64).sum(),
            topics: index.topics.into_iter().map(|(id, _)| id).collect(),
            run_topic: index.runs.into_iter().map(|run| run.topic).collect(),
            runs,
            chunks,
            file_position_of_run,
            opened: self.opened,
            buffered: self.opened.elapsed(),
            outcome: self.outcome,
            _memory: (self.memory, self.shared_memory),
        }
    }
}

/// Returns the file's index, and its bytes as chunks.
fn lay_out(file_id: Uuid, runs: &[Run]) -> (FileIndex, Vec<Bytes>) {
    let mut index = FileIndex {
        file_id,
        topics: Vec::new(),
        runs: Vec::with_capacity(runs.len()),
    };
    let mut chunks = Vec::with_capacity(runs.iter().map(|run| run.batches.len()).sum::<usize>() + 1);
    for run in runs {
        // Runs are ordered by topic.
        if index.topics.last().is_none_or(|(id, _)| *id != run.topic.id) {
            index.topics.push((run.topic.id, run.topic.name.to_string()));
        }
        index.runs.push(IndexedRun {
            topic: count(index.topics.len() - 1),
            partition: run.partition,
            bytes: count(run.bytes()),
            batches: count(run.batches.len()),
        });
        chunks.extend(run.batches.iter().map(|batch| batch.batch.bytes.clone()));
    }
    chunks.push(encode_index(&index));
    (index, chunks)
}

/// Counts within a file fit in 32 bits, because it has a few MiB.
pub(super) fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

pub(super) struct SealedFile {
    pub(super) file_id: Uuid,
    pub(super) file_bytes: u64,
    /// The distinct topics, in file order.
    pub(super) topics: Vec<Uuid>,
    /// The index in `topics` of each run.
    pub(super) run_topic: Vec<u32>,
    pub(super) runs: Vec<Run>,
    pub(super) chunks: Vec<Bytes>,
    /// The position in the file of each run, by order of admission.
    pub(super) file_position_of_run: Vec<usize>,
    /// When its first batch arrived.
    pub(super) opened: Instant,
    /// Time between the first batch and sealing.
    pub(super) buffered: Duration,
    outcome: watch::Sender<Option<Arc<FileOutcome>>>,
    _memory: (Vec<OwnedSemaphorePermit>, Vec<Arc<OwnedSemaphorePermit>>),
}

impl SealedFile {
    /// Gives the file another id, also in its index. The previous one is never committed.
    pub(super) fn rename(&mut self, file_id: Uuid) {
        self.file_id = file_id;
        (_, self.chunks) = lay_out(file_id, &self.runs);
    }

    /// All batches of the file, in order.
    pub(super) fn batches(&self) -> impl Iterator<Item = &CheckedBatch> {
        self.runs.iter().flat_map(|run| &run.batches)
    }

    /// The attributes of its span.
    pub(super) fn facts(&self) -> FileFacts {
        FileFacts {
            id: self.file_id,
            bytes: self.file_bytes,
            runs: self.runs.len(),
            batches: self.batches().count(),
        }
    }

    /// The idempotent producer of each batch, if it has one, and its first sequence.
    pub(super) fn producers(&self) -> impl Iterator<Item = Option<(ProducerKey, i32)>> {
        self.runs.iter().flat_map(|run| {
            let partition = PartitionName::new(&run.topic, run.partition);
            run.batches.iter().map(move |batch| {
                let header = &batch.batch.header;
                let key = ProducerKey {
                    partition: partition.clone(),
                    producer_id: header.producer_id,
                    producer_epoch: header.producer_epoch,
                };
                (header.producer_id >= 0).then_some((key, header.base_sequence))
            })
        })
    }

    /// Notifies all waiters and releases the memory.
    pub(super) fn finish(self, outcome: FileOutcome) {
        self.outcome.send_replace(Some(Arc::new(outcome)));
    }
}
