// When a partition of a topic with cleanup.policy=compact is cleaned: the numbers of the policy, and what follows from them.
//
// A partition consists of its clean part, in which each key occurs once, then what may be cleaned, then what may not yet: records younger
// than min.compaction.lag.ms, and runs that level 1 will merge within the minute (they take the place of Kafka's active segment). A
// cleaning reads what may be cleaned to build the map of its keys, then reads and writes everything from the first record on. It is due as
// in Kafka: when more than min.cleanable.dirty.ratio of all that would be read is dirty, or when the oldest dirty record is older than
// max.compaction.lag.ms. Less than 4 MiB of dirty records waits until segment.ms has passed, at most ten minutes. This keeps a topic with a
// few records an hour from causing a job a minute.
//
// Level 2 of merging skips these topics, since a cleaning makes long runs too. With C bytes clean, D dirty and the ratio r, a cleaning is
// due at D = C r / (1 - r). It reads C + 2 D and writes at most C + D.
//
// | ratio           | dirty at the cleaning | bytes written per dirty byte, at most | with levels 0 and 1 |
// | --------------- | --------------------- | ------------------------------------- | ------------------- |
// | 0.5 (default)   | C                     | 2                                     | 4                   |
// | 0.9             | 9 C                   | 1.1                                   | 3.1                 |
// | 0.1             | C / 9                 | 10                                    | 12                  |
//
// "At most" holds where no key occurs twice. With a million keys that are updated twenty times, C stays the size of a million records, and
// each cleaning writes that much. So at the default ratio a partition takes at most twice the bytes of its latest records, plus what is too
// young.
//
// | of one cluster                   | 100 MiB/s into 1,000 partitions, 10 GiB of keys | a schema registry: a record a minute |
// | -------------------------------- | ----------------------------------------------- | ------------------------------------ |
// | a cleaning of a partition is due | every 100 s, at 10 MiB dirty                    | after 10 min, then when it doubled   |
// | jobs of the cluster              | one of 1 GiB, 50 partitions, every 5 s          | 6 an hour at most                    |
// | read and written                 | 300 MiB/s, and 100 to 200 MiB/s                 | some KiB                             |
//
// Tombstones, and the ends of transactions of which no batch is left, are removed as in Kafka: at the first cleaning after their delete
// horizon, which is delete.retention.ms after the cleaning that first met them. If none comes, as in a topic that nobody writes to, one is
// due for them when as much time has passed again, and at least ten minutes, if the agent has reported them. That adds at most one cleaning
// per delete.retention.ms.
import { MINUTE_MS } from '@penstock/units';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

export interface CompactionPolicy {
  /** Less than this waits for `maxWaitMs`, or segment.ms. */
  minDirtyBytes: number;
  maxWaitMs: number;
  /** Dirty bytes of a partition that one job cleans; it reads them twice. */
  maxDirtyBytes: number;
  /** The most runs of a partition that one job reads, and the most files for all its partitions. */
  maxSourceRuns: number;
  /** The interval between sweeps over all partitions (Kafka: log.cleaner.backoff.ms). */
  sweepMs: number;
}

export const COMPACTION_POLICY: Readonly<CompactionPolicy> = {
  minDirtyBytes: 4 * MIB,
  maxWaitMs: 10 * MINUTE_MS,
  maxDirtyBytes: 32 * GIB,
  maxSourceRuns: 16_384,
  sweepMs: 15_000,
};
