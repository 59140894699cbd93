// The simulated cluster, and which parts of its 30 days are really driven. Every figure follows from the first few.
import { SNAPSHOT_AFTER_BYTES, SNAPSHOT_SHARE_OF_JOURNAL } from '@penstock/metadata';

import { MERGE_POLICY } from '@penstock/metadata-core';
import { DAY_MS, SECOND_MS } from '@penstock/units';

const MIB = 2 ** 20;

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
const RUNS_PER_S = FILES_PER_S * PARTITIONS_PER_AGENT;
/** How often the members of a group commit their offsets (Kafka's auto.commit.interval.ms). */
export const OFFSETS_INTERVAL_MS = 5 * SECOND_MS;

/** Bytes of one run. */
export interface RunSize {
  bytes: number;
  records: number;
}
/** One batch of one flush. */
export const FLUSHED_RUN: RunSize = runOf(Math.floor(STORED_BYTES_PER_S / RUNS_PER_S));
/** The result of one window of the merge policy (the arithmetic is in metadata-core's policy.ts): files of level 2 with 9 runs each. */
export const WINDOW_FILES = MERGE_POLICY.maxWindowFiles;
export const WINDOW_MS = Math.round((WINDOW_FILES * MERGE_POLICY.targetBytes * SECOND_MS) / STORED_BYTES_PER_S);
export const PARTITIONS_PER_WINDOW_FILE = PARTITIONS / WINDOW_FILES;
/** A partition's share of a window. */
export const WINDOW_RUN: RunSize = runOf(Math.floor((STORED_BYTES_PER_S * WINDOW_MS) / SECOND_MS / PARTITIONS));

/** Minutes before each printed moment that are driven flush by flush and merged by jobs: more than one window. */
export const DRIVEN_MINUTES = 20;

/** Journal written while a snapshot is taken: ten seconds at 0.31 MiB/s. */
const JOURNAL_DURING_SNAPSHOT_BYTES = 3 * MIB;

/** The most journal that a recovery replays, given the size of the last snapshot. */
export function longestJournalBehind(snapshotBytes: number): number {
  return Math.max(SNAPSHOT_AFTER_BYTES, snapshotBytes * SNAPSHOT_SHARE_OF_JOURNAL) + JOURNAL_DURING_SNAPSHOT_BYTES;
}

function runOf(bytes: number): RunSize {
  return { bytes, records: Math.round((bytes * COMPRESSION) / RECORD_BYTES) };
}
