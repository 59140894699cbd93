// Carries out merge jobs as an agent does: reads the source runs, writes them one after the other to a new object, and requests the swap.
// Sometimes it is slow at the worst moments, or continues with a job that it has lost.
import { limits, MARKER_SOURCE } from '@penstock/metadata-core';
import type { Placed } from '../auditor/log-auditor.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { RequestInit, Response } from '../metadata/metadata-process.ts';
import { type ObjectStore, ObjectStoreFailed } from '../store/object-store.ts';
import { compactTargets } from './compact-targets.ts';
import { CallFailed, type MetadataClient } from './metadata-client.ts';
import type { FileContent } from './write-path.ts';

const ASK_AT_LEAST_MS = 300;
const RENEWAL_PERIOD_MS = 15_000;
const ATTEMPTS = 5;
const PAUSE_MS = 500;
const COMPLETE_TIMEOUT_MS = 60_000;
const SLOW_SHARE = 0.2;
/** A compaction reads more than it writes, so more can happen meanwhile. */
const SLOW_COMPACTION_SHARE = 0.6;
const SLOW_MOST_MS = 20_000;
/** Longer than a job's lease. */
const VERY_SLOW_MOST_MS = 150_000;
/** The size of a file's index. */
const INDEX_BYTES = 16;

type Job = NonNullable<Response<'takeJob'>['job']>;

/** Some targets of a job, one after the other in one file. */
interface MergedFile {
  firstTarget: number;
  placed: Placed[];
  starts: number[];
  bytes: number;
  hasMore: boolean;
}

export interface JobRunnerOptions {
  agentId: string;
  machine: Machine;
  client: MetadataClient;
  objects: ObjectStore<FileContent>;
  random: Random;
  /** A merged file has been stored. */
  onMerged: (name: string, content: FileContent, job: { level: number; isCompacted: boolean; sources: number }) => void;
  /** Its swap has been answered. */
  onAnswered: (name: string, isApplied: boolean, isCompacted: boolean) => void;
}

export class JobRunner {
  readonly #options: JobRunnerOptions;
  /** Some agents continue with a job that they have lost. */
  readonly #isStubborn: boolean;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#isStubborn = options.random.chance(0.5);
    void this.#run();
  }

  async #run(): Promise<void> {
    const { agentId, client, machine } = this.#options;
    for (;;) {
      let waitMs = ASK_AT_LEAST_MS;
      try {
        const { job, askAgainMs } = await client.call('takeJob', { agentId, wantsJob: true, canCompact: true });
        waitMs = Math.max(waitMs, askAgainMs);
        if (job !== undefined) {
          await this.#do(job);
        }
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
      }
      await machine.sleep(waitMs);
    }
  }

  async #do(job: Job): Promise<void> {
    const open = { isOver: false, isLost: false };
    void this.#renew(job.jobId, open);
    try {
      const targets = await this.#readSources(job);
      await this.#dawdle(job.compact ? SLOW_COMPACTION_SHARE : SLOW_SHARE);
      for (const file of targets === undefined ? [] : this.#filesOf(job, targets)) {
        if ((open.isLost && !this.#isStubborn) || (await this.#write(job, file)) !== true) {
          return;
        }
      }
    } finally {
      open.isOver = true;
    }
  }

  /** Writes a file and requests its swap. Undefined: the outcome is unknown. */
  async #write(job: Job, file: MergedFile): Promise<boolean | undefined> {
    const { machine, random, onMerged, onAnswered } = this.#options;
    const fileId = random.fileId(machine.nowMs());
    const name = Buffer.from(fileId).toString('hex');
    if (!(await this.#attempt((objects) => objects.put(machine, name, file.placed)))) {
      return undefined;
    }
    onMerged(name, file.placed, { level: job.level, isCompacted: job.compact, sources: job.sourceFileIds.length });
    await this.#dawdle(SLOW_SHARE);
    const applied = await this.#complete(job, fileId, file);
    if (applied !== undefined) {
      onAnswered(name, applied, job.compact);
    }
    if (applied === false) {
      await this.#attempt((objects) => objects.delete(machine, name));
    }
    return applied;
  }

  /** The batches of each target. Undefined: a source is gone, or cannot be read. */
  async #readSources(job: Job): Promise<Placed[][] | undefined> {
    const { machine } = this.#options;
    const sources: FileContent[] = [];
    for (const fileId of job.sourceFileIds) {
      let found: FileContent | undefined;
      await this.#attempt(async (objects) => {
        found = await objects.get(machine, Buffer.from(fileId).toString('hex'));
      });
      if (found === undefined) {
        return undefined;
      }
      sources.push(found);
    }
    let run = 0;
    const markers = job.markers.values();
    return job.targetRuns.map((count) => {
      const batches: Placed[] = [];
      for (const end = run + count; run < end; run += 1) {
        if (job.runSource[run] === MARKER_SOURCE) {
          batches.push(controlBatch(markers.next().value));
          continue;
        }
        const from = Number(job.runPosition[run]);
        const length = Number(job.runBytes[run]);
        const source = sources[job.runSource[run] ?? 0] ?? [];
        batches.push(...source.filter(({ position }) => position >= from && position < from + length));
      }
      return batches;
    });
  }

  /** The targets as one file or, for a compaction, sometimes as two. */
  #filesOf(job: Job, targets: readonly Placed[][]): MergedFile[] {
    const { random } = this.#options;
    if (!job.compact) {
      return [fileOf(targets, 0, targets.length)];
    }
    const compacted = compactTargets(job, targets);
    const first = targets.length > 1 && random.chance(0.5) ? 1 + random.below(targets.length - 1) : targets.length;
    const files = [fileOf(compacted, 0, first)];
    return first < targets.length ? [...files, fileOf(compacted, first, targets.length)] : files;
  }

  /** Undefined: the outcome is unknown, so the object must stay. */
  async #complete(job: Job, fileId: Uint8Array, file: MergedFile): Promise<boolean | undefined> {
    const { agentId, client } = this.#options;
    const { firstTarget, starts, bytes, hasMore } = file;
    const some = <T>(column: readonly T[]): T[] => column.slice(firstTarget, firstTarget + starts.length);
    const request: RequestInit<'completeJob'> = {
      agentId,
      jobId: job.jobId,
      fileId,
      fileBytes: BigInt(bytes + INDEX_BYTES),
      level: job.level,
      sourceFileIds: job.sourceFileIds,
      topicIds: job.topicIds,
      targetTopic: some(job.targetTopic),
      targetPartition: some(job.targetPartition),
      targetBaseOffset: some(job.targetBaseOffset),
      targetEndOffset: some(job.targetEndOffset),
      targetPosition: starts.map(BigInt),
      targetBytes: starts.map((start, at) => BigInt((starts[at + 1] ?? bytes) - start)),
      compact: job.compact,
      hasMore,
      targetSourceBytes: job.compact ? some(sourceBytesOf(job)) : [],
      abortedRemoved: job.compact && job.aborted.length > 0,
      plan: job.plan,
    };
    try {
      return (await client.call('completeJob', request, COMPLETE_TIMEOUT_MS)).applied;
    } catch (error) {
      if (error instanceof CallFailed) {
        return undefined;
      }
      throw error;
    }
  }

  async #renew(jobId: Uint8Array, open: { isOver: boolean; isLost: boolean }): Promise<void> {
    const { agentId, client, machine } = this.#options;
    for (;;) {
      await machine.sleep(RENEWAL_PERIOD_MS);
      if (open.isOver) {
        return;
      }
      try {
        const { lostJobIds } = await client.call('takeJob', { agentId, runningJobIds: [jobId], wantsJob: false });
        open.isLost ||= lostJobIds.length > 0;
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
      }
    }
  }

  /** Sometimes waits, as a slow agent does. */
  async #dawdle(share: number): Promise<void> {
    const { machine, random } = this.#options;
    if (random.chance(share)) {
      await machine.sleep(random.below(random.chance(0.3) ? VERY_SLOW_MOST_MS : SLOW_MOST_MS));
    }
  }

  /** False: it failed repeatedly. */
  async #attempt(request: (objects: ObjectStore<FileContent>) => Promise<void>): Promise<boolean> {
    const { machine, objects } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        await request(objects);
        return true;
      } catch (error) {
        if (!(error instanceof ObjectStoreFailed)) {
          throw error;
        }
      }
      await machine.sleep(PAUSE_MS);
    }
    return false;
  }
}

/** The batch that an agent writes for a marker. */
function controlBatch(marker: Job['markers'][number] | undefined): Placed {
  if (marker === undefined) {
    throw new Error('a job names fewer markers than it has runs of them');
  }
  const { producerId, producerEpoch, committed, timestampMs } = marker;
  return {
    payload: null,
    marker: {
      producerId: Number(producerId),
      producerEpoch,
      isCommit: committed,
      timestampMs: Number(timestampMs),
    },
    records: 1,
    bytes: limits.MARKER_BYTES,
    position: 0,
  };
}

function fileOf(targets: readonly Placed[][], firstTarget: number, end: number): MergedFile {
  const placed: Placed[] = [];
  const starts: number[] = [];
  let position = 0;
  for (const batches of targets.slice(firstTarget, end)) {
    starts.push(position);
    for (const batch of batches) {
      placed.push({ ...batch, position });
      position += batch.bytes;
    }
  }
  return { firstTarget, placed, starts, bytes: position, hasMore: end < targets.length };
}

/** Returns the source bytes of each target. */
function sourceBytesOf({ targetRuns, runBytes }: Job): bigint[] {
  let run = 0;
  return targetRuns.map((count) => {
    const runs = runBytes.slice(run, run + count);
    run += count;
    return runs.reduce((sum, bytes) => sum + bytes, 0n);
  });
}
