// What is merged when: the numbers of the policy, and what follows from them.
//
// Level 0 is what agents flush: a little of every partition, 72 files a second at 1 GiB/s. A job of level 1 takes the oldest of these in
// commit order and writes them once more, ordered by partition. A job of level 2 takes what level 1 holds of some partitions over an hour
// and writes that once more, so that each partition has long runs. A byte is written at most once per level.
//
// | of one cluster               | 1 GiB/s (4:1), 4,608 partitions, 18 agents      | 1 file of 10 KiB a second, 4 partitions |
// | ---------------------------- | ----------------------------------------------- | --------------------------------------- |
// | level 0                      | 72 files of 3.6 MiB a second, 18,432 rows       | 1 file, 4 rows                          |
// | a job of level 1             | 256 files, 3.6 s: 910 MiB and 65,536 rows, the  | 60 files, 1 minute: 600 KiB, 4 rows     |
// |                              | most, as 4,608 rows                             |                                         |
// | a job of level 2             | 256 files of level 1, 15 minutes: 20 partitions | 60 files, 1 hour: 35 MiB, 4 rows        |
// |                              | with runs of 50 MiB, 1 GiB in all               |                                         |
// | left after a day             | 21,600 files, 440,000 rows                      | 24 files, 96 rows                       |
// | left after 30 days           | 650,000 files, 13 million rows                  | 720 files, 2,880 rows                   |
// | rows on their way, at most   | 2.4 million of level 1, 2 windows               | 480                                     |
// | bytes written per byte       | 3, and 12 bytes per run for the files' indexes  | 3                                       |
// | GETs of jobs                 | 72/s (level 1) and 64/s (level 2): 136 per GiB  | 1.02/s                                  |
// |                              | before compression                              |                                         |
// | PUTs of jobs                 | 9/s: multipart uploads in parts of 64 MiB       | 0.017/s                                 |
//
// GETs and PUTs as of agents whose jobs have 2 GiB of memory, the default from 8 GiB of memory on. With less, a job reads its files in
// several passes and writes smaller parts.
//
// GETs of level 2 grow with the number of files in a window, because each of them has a part of all partitions, and a job reads a part of each
// file. That is why files of level 1 are large, and why a window closes after 256 of them even before its hour is over. Windows of an hour
// would cost four times the GETs of level 2 at 1 GiB/s, and four times the rows in transit.
//
// Files of low-latency mode lie in landing buckets, whose storage costs five times as much: they move to the standard bucket within a minute,
// each on its own if need be, and however large.
//
// A cluster with few writes keeps its few files: a single file is never merged on its own, at either level, but waits for a second one.
// Runs of 32 MiB are long enough and are not merged, so a cluster of few partitions writes its bytes twice, not three times.
//
// Ends of transactions are rows, too: a job takes those around its runs, and they leave the index with it. 10,000 a second make a job of
// level 1 due every 6.5 s, before the files are a minute old. Those behind the first record of an open transaction are left to level 2.
//
// Partitions of compacted topics are not merged at level 2: see compaction-policy.ts.

import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import { type Id, isLandedId } from '../model/ids.ts';
import { COMPACTION_POLICY, type CompactionPolicy } from './compaction-policy.ts';

const MIB = 2 ** 20;

export interface MergePolicy {
  /** The size of a merged file; also what one job reads. */
  targetBytes: number;
  /** The longest run: finding an offset within it reads no more. Runs of at least half of this are not merged again. */
  runBytes: number;
  /** The most files that one job reads. */
  maxSourceFiles: number;
  /** The most runs that one job reads; bounds the time to plan and apply it. */
  maxSourceRuns: number;
  /** Level 1: the most runs that are looked up and added to a job in one call. */
  maxAssembledRuns: number;
  /** Level 2: the most runs that one job makes; a swap takes about 10 µs for each on a busy machine. */
  maxTargetRuns: number;
  /** The most queued runs of level 0 (16 bytes each). The rest of a larger backlog is found when these are merged. */
  maxQueuedRuns: number;
  /** Level 1: how long files wait for others, unless they fill a target file. */
  freshMs: number;
  /** Level 1: how long files in landing buckets wait. With the job itself they are to leave within a minute. */
  landedMs: number;
  /** Level 2: a window is complete after an hour of level 1. */
  windowMs: number;
  /** Level 2: a window is also complete with this many files of level 1. */
  maxWindowFiles: number;
  compaction: Readonly<CompactionPolicy>;
}

export const MERGE_POLICY: Readonly<MergePolicy> = {
  targetBytes: 1_024 * MIB,
  runBytes: 64 * MIB,
  maxSourceFiles: 4_096,
  maxSourceRuns: 65_536,
  maxAssembledRuns: 16_384,
  maxTargetRuns: 16_384,
  maxQueuedRuns: 1_000_000,
  freshMs: MINUTE_MS,
  landedMs: MINUTE_MS / 2,
  windowMs: 60 * MINUTE_MS,
  maxWindowFiles: 256,
  compaction: COMPACTION_POLICY,
};

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = HOUR_MS;

/** How long to wait after this many failures. */
export function pauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

/** Whether a file of level 0 stays as it is: it is like a merged one, and in the standard bucket. */
export function staysAsItIs(policy: MergePolicy, fileId: Id, bytes: number, runs: number): boolean {
  return (isLargeFile(policy, bytes) || runs * 2 >= policy.maxSourceRuns) && !isLandedId(fileId);
}

export function isLargeFile({ targetBytes }: MergePolicy, bytes: number): boolean {
  return bytes * 2 >= targetBytes;
}
