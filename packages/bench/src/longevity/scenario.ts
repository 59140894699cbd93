// The cluster that is simulated, and what of its 30 days is really driven. Every figure follows from the first few.
import { SNAPSHOT_AFTER_BYTES, SNAPSHOT_SHARE_OF_JOURNAL } from '@penstock/metadata';

const MIB = 2 ** 20;
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const AGENTS = 18;
export const TOPICS = 16;
export const PARTITIONS_PER_TOPIC = 288;
export const PARTITIONS = TOPICS * PARTITIONS_PER_TOPIC;
export const PARTITIONS_PER_AGENT = PARTITIONS / AGENTS;
/** Each writes to all partitions of one topic. */
export const PRODUCERS = 1_000;
export const GROUPS = 3;
export const RETENTION_MS = 7 * DAY_MS;

/** 1 GiB/s before compression, 4:1. */
const STORED_BYTES_PER_S = 256 * MIB;
export const COMPRESSION = 4;
const RECORD_BYTES = 1_024;

/** Every agent flushes four times a second. */
export const FILES_PER_S = 4 * AGENTS;
const RUNS_PER_PARTITION_AND_MINUTE = (FILES_PER_S * 60) / AGENTS;
const RUNS_PER_S = FILES_PER_S * PARTITIONS_PER_AGENT;
/** How often the members of a group commit their offsets (Kafka's auto.commit.interval.ms). */
export const OFFSETS_INTERVAL_MS = 5 * SECOND_MS;

/** What one run holds. */
export interface RunSize {
  bytes: number;
  records: number;
}
/** One batch of one flush. */
export const FLUSHED_RUN: RunSize = runOf(Math.floor(STORED_BYTES_PER_S / RUNS_PER_S));
/** A partition's minute, in a file of level 1 with the minute of one agent's partitions. */
export const MINUTE_RUN: RunSize = timesOf(FLUSHED_RUN, RUNS_PER_PARTITION_AND_MINUTE);
/** A partition's hour. */
export const HOUR_RUN: RunSize = timesOf(MINUTE_RUN, 60);
/** Runs in a file of level 2: 16 of 200 MiB, since a data file has less than 4 GiB. */
export const RUNS_PER_HOUR_FILE = 16;
export const HOUR_FILES = PARTITIONS / RUNS_PER_HOUR_FILE;

/** Minutes before each printed moment that are driven flush by flush; of the rest of that hour, the merged minutes are committed. */
export const DRIVEN_MINUTES = 10;

/** Journal that is written while a snapshot is: at 0.31 MiB/s, of ten seconds. */
const JOURNAL_DURING_SNAPSHOT_BYTES = 3 * MIB;

/** The most journal that a recovery replays, given the size of the last snapshot. */
export function longestJournalBehind(snapshotBytes: number): number {
  return Math.max(SNAPSHOT_AFTER_BYTES, snapshotBytes * SNAPSHOT_SHARE_OF_JOURNAL) + JOURNAL_DURING_SNAPSHOT_BYTES;
}

function runOf(bytes: number): RunSize {
  return { bytes, records: Math.round((bytes * COMPRESSION) / RECORD_BYTES) };
}

function timesOf(run: RunSize, times: number): RunSize {
  return { bytes: run.bytes * times, records: run.records * times };
}
