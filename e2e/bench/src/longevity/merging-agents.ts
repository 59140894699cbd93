// The agents' side of merging: they take jobs from the owner, spend some time on each, and complete them. The files' contents are not
// created.
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { MERGE_POLICY, type MergeJob, replacementOf } from '@penstock/metadata-core';
import { SECOND_MS } from '@penstock/units';
import type { OwnedCluster } from './owned-cluster.ts';
import { AGENTS } from './scenario.ts';
import { newFileId } from './traffic.ts';

/** From taking a job to completing it: 1 GiB read and written. */
const JOB_MS = 10 * SECOND_MS;
/** The size of a data file's index. */
const INDEX_BYTES_PER_RUN = 12;
const INDEX_HEAD_BYTES = 600;
const MOST_JOBS = MERGE_POLICY.maxWindowFiles;

/** The totals of one level. */
export interface LevelTotals {
  jobs: number;
  readBytes: number;
  writtenBytes: number;
  /** One per source file and section of adjacent runs. */
  gets: number;
  replacedRuns: number;
  newRuns: number;
}

interface OpenJob {
  jobId: Uint8Array;
  plan: Uint8Array;
  agentId: string;
  job: MergeJob;
  doneMs: number;
}

export class MergingAgents {
  readonly #cluster: OwnedCluster;
  readonly #open: OpenJob[] = [];
  #nextAgent = 0;
  readonly totals: Readonly<Record<1 | 2, LevelTotals>> = { 1: noTotals(), 2: noTotals() };
  /** How long planning and swapping blocked the event loop. */
  longestPlanMs = 0;
  longestSwapMs = 0;

  constructor(cluster: OwnedCluster) {
    this.#cluster = cluster;
  }

  /** Completes the jobs that are done, and takes all available ones. */
  async work(): Promise<void> {
    const nowMs = this.#cluster.clock.nowMs();
    while ((this.#open[0]?.doneMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      await this.#completeFirst();
    }
    for (let idle = 0; idle < AGENTS && this.#open.length < MOST_JOBS; ) {
      idle = (await this.#take()) ? 0 : idle + 1;
    }
  }

  /** There is a new owner: current jobs are lost. */
  abandon(): void {
    this.#open.length = 0;
  }

  async #take(): Promise<boolean> {
    const agentId = `agent-${this.#nextAgent}`;
    this.#nextAgent = (this.#nextAgent + 1) % AGENTS;
    for (;;) {
      const running = this.#open.filter((open) => open.agentId === agentId).map(({ jobId }) => jobId);
      const startedMs = performance.now();
      const answer = this.#cluster.owner.takeJob(agentId, { runningJobIds: running, wantsJob: true });
      this.longestPlanMs = Math.max(this.longestPlanMs, performance.now() - startedMs);
      const { taken, askAgainMs } = await answer;
      if (taken !== undefined) {
        this.#open.push({ ...taken, agentId, doneMs: this.#cluster.clock.nowMs() + JOB_MS });
        return true;
      }
      if (askAgainMs >= 100) {
        return false;
      }
      // Where the agent would wait, other work of the process can run.
      await setImmediate();
    }
  }

  async #completeFirst(): Promise<void> {
    const open = this.#open.shift();
    if (open === undefined) {
      return;
    }
    const { job, agentId } = open;
    const fileBytes = job.bytes + INDEX_HEAD_BYTES + job.targetRuns.length * INDEX_BYTES_PER_RUN;
    const command = replacementOf(job, newFileId(this.#cluster.clock.nowMs()), fileBytes);
    const startedMs = performance.now();
    const answer = this.#cluster.owner.completeJob(agentId, 'agent-key', open, command);
    this.longestSwapMs = Math.max(this.longestSwapMs, performance.now() - startedMs);
    const { outcome, reason } = await answer;
    if (outcome !== 'applied') {
      throw new Error(`a swap was refused: ${reason}`);
    }
    const totals = this.totals[job.level];
    totals.jobs += 1;
    totals.readBytes += job.bytes;
    totals.writtenBytes += fileBytes;
    totals.gets += getsOf(job);
    totals.replacedRuns += job.runSource.length;
    totals.newRuns += job.targetRuns.length;
  }
}

/** Adjacent runs in a source are read by one GET. */
function getsOf({ runSource, runPosition, runBytes }: MergeJob): number {
  const bySource = new Map<number, number[]>();
  for (const [run, source] of runSource.entries()) {
    const runs = bySource.get(source) ?? [];
    runs.push(run);
    bySource.set(source, runs);
  }
  let gets = 0;
  for (const runs of bySource.values()) {
    runs.sort((a, b) => (runPosition[a] ?? 0) - (runPosition[b] ?? 0));
    let end = Number.NaN;
    for (const run of runs) {
      gets += runPosition[run] === end ? 0 : 1;
      end = (runPosition[run] ?? 0) + (runBytes[run] ?? 0);
    }
  }
  return gets;
}

function noTotals(): LevelTotals {
  return { jobs: 0, readBytes: 0, writtenBytes: 0, gets: 0, replacedRuns: 0, newRuns: 0 };
}
