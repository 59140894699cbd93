// Merge jobs as an agent does them: reads the source runs, puts them one after the other into a new object, and asks for the swap. Now and
// then it is slow at the worst moments, or goes on with a job that is not its own any more.
import type { Placed } from '../auditor/log-auditor.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { RequestInit, Response } from '../metadata/metadata-process.ts';
import { type ObjectStore, ObjectStoreFailed } from '../store/object-store.ts';
import { CallFailed, type MetadataClient } from './metadata-client.ts';
import type { FileContent } from './write-path.ts';

const ASK_AT_LEAST_MS = 300;
const RENEWAL_PERIOD_MS = 15_000;
const ATTEMPTS = 5;
const PAUSE_MS = 500;
const COMPLETE_TIMEOUT_MS = 60_000;
const SLOW_MOST_MS = 20_000;
/** Longer than a lease. */
const VERY_SLOW_MOST_MS = 150_000;
/** What the index of a file takes. */
const INDEX_BYTES = 16;

type Job = NonNullable<Response<'takeJob'>['job']>;

export interface JobRunnerOptions {
  agentId: string;
  machine: Machine;
  client: MetadataClient;
  objects: ObjectStore<FileContent>;
  random: Random;
  /** A merged file is in the store. */
  onMerged: (name: string, content: FileContent, job: { level: number; sources: number }) => void;
  /** Its swap was answered. */
  onAnswered: (name: string, isApplied: boolean) => void;
}

export class JobRunner {
  readonly #options: JobRunnerOptions;
  /** Some agents do not care that a job is lost. */
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
        const { job, askAgainMs } = await client.call('takeJob', { agentId, wantsJob: true });
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
    const { machine, random, onMerged, onAnswered } = this.#options;
    const open = { isOver: false, isLost: false };
    void this.#renew(job.jobId, open);
    try {
      const content = await this.#readSources(job);
      await this.#dawdle();
      if (content === undefined || (open.isLost && !this.#isStubborn)) {
        return;
      }
      const fileId = random.fileId(machine.nowMs());
      const name = Buffer.from(fileId).toString('hex');
      if (!(await this.#attempt((objects) => objects.put(machine, name, content.placed)))) {
        return;
      }
      onMerged(name, content.placed, { level: job.level, sources: job.sourceFileIds.length });
      await this.#dawdle();
      const applied = await this.#complete(job, fileId, content);
      if (applied !== undefined) {
        onAnswered(name, applied);
      }
      if (applied === false) {
        await this.#attempt((objects) => objects.delete(machine, name));
      }
    } finally {
      open.isOver = true;
    }
  }

  /** Undefined: a source is gone, or cannot be read. */
  async #readSources(job: Job): Promise<{ placed: Placed[]; starts: number[]; bytes: number } | undefined> {
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
    const placed: Placed[] = [];
    const starts: number[] = [];
    let [run, bytes] = [0, 0];
    for (const count of job.targetRuns) {
      starts.push(bytes);
      for (const end = run + count; run < end; run += 1) {
        const from = Number(job.runPosition[run]);
        const length = Number(job.runBytes[run]);
        for (const { payload, position } of sources[job.runSource[run] ?? 0] ?? []) {
          if (position >= from && position < from + length) {
            placed.push({ payload, position: bytes + position - from });
          }
        }
        bytes += length;
      }
    }
    return { placed, starts, bytes };
  }

  /** Undefined: nobody knows, so the object must stay. */
  async #complete(
    job: Job,
    fileId: Uint8Array,
    { starts, bytes }: { starts: number[]; bytes: number },
  ): Promise<boolean | undefined> {
    const { agentId, client } = this.#options;
    const request: RequestInit<'completeJob'> = {
      agentId,
      jobId: job.jobId,
      fileId,
      fileBytes: BigInt(bytes + INDEX_BYTES),
      level: job.level,
      sourceFileIds: job.sourceFileIds,
      topicIds: job.topicIds,
      targetTopic: job.targetTopic,
      targetPartition: job.targetPartition,
      targetBaseOffset: job.targetBaseOffset,
      targetEndOffset: job.targetEndOffset,
      targetPosition: starts.map(BigInt),
      targetBytes: starts.map((start, at) => BigInt((starts[at + 1] ?? bytes) - start)),
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

  /** Mostly it is quick. */
  async #dawdle(): Promise<void> {
    const { machine, random } = this.#options;
    if (random.chance(0.2)) {
      await machine.sleep(random.below(random.chance(0.3) ? VERY_SLOW_MOST_MS : SLOW_MOST_MS));
    }
  }

  /** False: it failed again and again. */
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
