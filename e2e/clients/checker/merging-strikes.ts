// Injects faults while files are merged: kills agents in the middle of their jobs, and everything else at any time.
import type { ManagedProcess } from '../../../infra/local/managed-process.ts';
import type { RunningAgent } from '../../../infra/local/system.ts';
import type { S3Server } from '../support/s3-server.ts';
import type { TestSystem } from '../support/system.ts';
import type { FaultyS3 } from './faulty-s3.ts';
import { type AnyTimeStep, type JobStep, jobMoments, type MergingSchedule } from './merging-schedule.ts';
import { findVictim, strikeProcess, TIMEOUT_MS } from './process-faults.ts';
import type { RawClient } from './raw-client.ts';
import { Striking } from './striking.ts';

/** How long a fault waits for a job to strike. */
const JOB_TIMEOUT_MS = 15_000;
/** A held request is released after this, if its agent is still alive. */
const HELD_MS = 1_500;

export interface MergingStrikesOptions {
  system: TestSystem;
  s3: S3Server;
  /** Agents that serve clients. */
  serving: readonly RunningAgent[];
  /** Agents that only run jobs, so all their bucket requests are for jobs. Each has its own proxy. */
  workers: readonly { process: ManagedProcess; proxy: FaultyS3 | undefined }[];
  /** A topic whose records are deleted. */
  trimmed: { topic: string; partitions: number };
}

export class MergingStrikes {
  readonly #options: MergingStrikesOptions;
  readonly #striking = new Striking();
  /** Targets of a current fault, which other faults skip. */
  readonly #struck = new Set<ManagedProcess | S3Server>();

  constructor(options: MergingStrikesOptions) {
    this.#options = options;
  }

  /** How often each fault struck. */
  get counts(): Record<string, number> {
    return this.#striking.counts;
  }

  /** Runs until the time is over and everything runs again. */
  async run(schedule: MergingSchedule, durationMs: number, raw: RawClient): Promise<void> {
    const striking = this.#striking;
    striking.begin(durationMs);
    await Promise.all([
      striking.each(schedule.jobs, (step) => this.#strikeJob(step)),
      striking.each(schedule.anyTime, (step) => this.#strikeAnyTime(step, raw)),
      striking.pause(durationMs),
    ]);
    // However short the run and slow the machine, at least one agent is killed during a job.
    striking.begin(TIMEOUT_MS);
    while (!Object.keys(striking.counts).some((what) => /^job .*: agent killed$/.test(what))) {
      if (Date.now() >= striking.endsAtMs) {
        throw new Error('there was no job to kill an agent at');
      }
      await this.#strikeJob({ wait_ms: 0, moment: 'writing', victim: 'agent', draw: 0, how: 'killed', for_ms: 300 });
    }
  }

  /** Holds the next request that an agent sends for a job, and strikes while it is held. */
  async #strikeJob({ moment, victim, draw, how, for_ms: forMs }: JobStep): Promise<void> {
    const { kind, method } = moment === 'completing' ? jobMoments.writing : jobMoments[moment];
    const holdMs = moment === 'completing' ? 100 : HELD_MS;
    const { workers } = this.#options;
    const before = workers.map(({ proxy }) => strikesOf(proxy));
    for (const { proxy } of workers) {
      proxy?.setFault({ kind, methods: [method], probability: 1, delay_ms: holdMs });
    }
    const letGo = (): void => {
      for (const { proxy } of workers) {
        proxy?.setFault(undefined);
      }
    };
    try {
      const deadlineMs = Math.min(Date.now() + JOB_TIMEOUT_MS, this.#striking.endsAtMs);
      const findHeld = (): (typeof workers)[number] | undefined =>
        workers.find(({ proxy }, index) => strikesOf(proxy) > (before[index] ?? 0));
      while (findHeld() === undefined && Date.now() < deadlineMs) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const held = findHeld();
      if (held === undefined) {
        this.#striking.count('no job to strike at');
        return;
      }
      if (moment === 'completing') {
        letGo();
        // The agent requests the swap as soon as the file is written.
        await new Promise((resolve) => setTimeout(resolve, holdMs + draw * 40));
      }
      const process = victim === 'agent' ? held.process : await this.#processOf(victim);
      // Later requests are not held: a restarting agent contacts the bucket first.
      await this.#strikeOne(`job ${moment}: ${victim}`, process, how, forMs, letGo);
    } finally {
      letGo();
    }
  }

  async #strikeAnyTime({ victim, draw, how, for_ms: forMs }: AnyTimeStep, raw: RawClient): Promise<void> {
    const { trimmed, serving } = this.#options;
    if (victim === 'records') {
      const partition = { topic: trimmed.topic, partition: Math.floor(draw * trimmed.partitions) };
      const share = (draw * trimmed.partitions) % 1;
      // At most to the raw client's position, which needs each batch for the bill, and always leaving some records.
      const beforeOffset = Math.floor(share * raw.position(partition));
      if (beforeOffset > 0) {
        await raw.deleteRecords(partition, beforeOffset);
      }
      this.#striking.count('records deleted');
      return;
    }
    const agent = serving[Math.floor(draw * serving.length)]?.process;
    const process = victim === 'agent' ? agent : await this.#processOf(victim);
    await this.#strikeOne(`any time: ${victim}`, process, how, forMs);
  }

  async #processOf(victim: 'owner' | 'other-metadata' | 's3'): Promise<ManagedProcess | S3Server | undefined> {
    const { system, s3 } = this.#options;
    return victim === 's3' ? s3 : await findVictim(system, victim, 0);
  }

  async #strikeOne(
    what: string,
    victim: ManagedProcess | S3Server | undefined,
    how: JobStep['how'],
    forMs: number,
    onStruck: () => void = () => undefined,
  ): Promise<void> {
    if (victim === undefined || this.#struck.has(victim)) {
      return;
    }
    this.#struck.add(victim);
    this.#striking.count(`${what} ${how}`);
    const pause = (): Promise<void> => {
      onStruck();
      return this.#striking.pause(forMs);
    };
    try {
      await ('plan' in victim ? strikeProcess(victim, how, pause) : this.#strikeS3(victim, how, pause));
    } finally {
      this.#struck.delete(victim);
    }
  }

  async #strikeS3(s3: S3Server, how: JobStep['how'], pause: () => Promise<void>): Promise<void> {
    if (how === 'suspended') {
      s3.signal('SIGSTOP');
      await pause();
      s3.signal('SIGCONT');
      return;
    }
    await s3.kill();
    await pause();
    await s3.restart();
  }
}

function strikesOf(proxy: FaultyS3 | undefined): number {
  return [...(proxy?.struck.values() ?? [])].reduce((sum, count) => sum + count, 0);
}
