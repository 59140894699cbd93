// The merge jobs of one cluster: which agent has which, and until when. Kept in memory only. A new owner hands jobs out again, and the swap
// of a late agent is refused because it no longer matches the index. What a job allows is in its signed plan, so that every owner knows it.
import {
  type ClusterState,
  type Effects,
  type Id,
  type IdKey,
  idKey,
  limits,
  type MergeJob,
  MergePlanner,
  type MergePolicy,
  orderOf,
  orderProblem,
  type ReplaceRuns,
  type ReplaceRunsAnswer,
  sameId,
} from '@penstock/metadata-core';
import { DAY_MS, MINUTE_MS } from '@penstock/units';
import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import type { JobPlans } from './job-plans.ts';
import { kindOf, type MergeCounts } from './merge-counts.ts';

const LEASE_MS = 60_000;
/**
 * The longest time for a job, however often its lease is renewed: half a gigabyte takes seconds to minutes. Each file that is swapped in
 * restarts it.
 */
const MAX_JOB_MS = 30 * MINUTE_MS;
/**
 * How long a plan allows completions. The cleaning of a large partition takes hours, file by file. A plan that outlives its lease does no
 * harm: its swaps apply only while the index holds exactly what the job read.
 */
const PLAN_VALID_MS = DAY_MS;
const MAX_JOBS = 256;
const MAX_JOBS_PER_AGENT = 4;
/** An agent that lets this many jobs in a row expire gets none for a while. */
const WASTED_JOBS_BEFORE_PAUSE = 3;
const PAUSE_MS = 5 * MINUTE_MS;
/** When an agent should ask again. */
const AFTER_JOB_MS = 100;
const UNFINISHED_MS = 20;
const SOON_MS = 1_000;
const IDLE_MS = 5_000;

interface LeasedJob {
  job: MergeJob;
  agentId: string;
  startedMs: number;
  leaseUntilMs: number;
}

interface Reliability {
  wastedInARow: number;
  pausedUntilMs: number;
}

/** An agent's report of the job that it completes. */
export interface CompletedJob {
  jobId: Id;
  /** As it got it with the job. */
  plan: Uint8Array;
}

/** The request of an agent for a job. */
export interface JobRequest {
  /** The jobs that it is working on. */
  readonly runningJobIds: readonly Id[];
  readonly wantsJob: boolean;
  /** Whether it supports compaction; if absent, it does not. */
  readonly canCompact?: boolean | undefined;
  /** Whether it has landing buckets; if absent, it does. */
  readonly canReadLanded?: boolean | undefined;
}

export interface TakenJob {
  taken: (CompletedJob & { job: MergeJob }) | undefined;
  askAgainMs: number;
  lostJobIds: Id[];
}

export interface MergeJobsOptions {
  /** Everything applied to it is durable. */
  state: ClusterState;
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  ids: Pick<Ids, 'uuidBytes'>;
  counts: MergeCounts;
  plans: JobPlans;
  clusterId: string;
  /** Absent: the default policy of all clusters. */
  policy?: MergePolicy | undefined;
}

export class MergeJobs {
  readonly #options: MergeJobsOptions;
  readonly #planner: MergePlanner;
  readonly #jobs = new Map<IdKey, LeasedJob>();
  readonly #agents = new Map<string, Reliability>();

  constructor(options: MergeJobsOptions) {
    const { state, clock, policy } = options;
    this.#options = options;
    this.#planner = new MergePlanner(state, clock.nowMs(), policy);
  }

  /** Partitions of compacted topics that are waiting for a job. */
  get waitingPartitions(): number {
    return this.#planner.waitingPartitions;
  }

  /** Jobs that agents are working on. */
  get size(): number {
    return this.#jobs.size;
  }

  /** Call with the effects of every durable command, in order. */
  observe(effects: Effects): void {
    this.#planner.observe(effects);
  }

  /**
   * Renews the leases of the jobs that an agent is working on, and hands it one more if it wants one and there is one.
   */
  take(agentId: string, { runningJobIds, wantsJob, canCompact, canReadLanded }: JobRequest): TakenJob {
    const nowMs = this.#options.clock.monotonicMs();
    const lostJobIds = runningJobIds.filter((jobId) => !this.#renew(jobId, agentId, nowMs));
    this.#expire(nowMs);
    if (!wantsJob || !this.#mayHaveMore(agentId, nowMs)) {
      return { taken: undefined, askAgainMs: IDLE_MS, lostJobIds };
    }
    const { job, isUnfinished } = this.#planner.plan(this.#options.clock.nowMs(), canCompact, canReadLanded);
    if (job === null) {
      const restMs = this.#planner.waitingFiles > 1 ? SOON_MS : IDLE_MS;
      return { taken: undefined, askAgainMs: isUnfinished ? UNFINISHED_MS : restMs, lostJobIds };
    }
    const jobId = this.#options.ids.uuidBytes();
    this.#jobs.set(idKey(jobId), { job, agentId, startedMs: nowMs, leaseUntilMs: nowMs + LEASE_MS });
    this.#options.counts.handedOut(kindOf(job));
    const { plans, clusterId, clock } = this.#options;
    const expiresAtMs = clock.nowMs() + PLAN_VALID_MS;
    const plan = plans.sign({ clusterId, agentId, jobId, expiresAtMs, order: orderOf(job) });
    return { taken: { jobId, job, plan }, askAgainMs: AFTER_JOB_MS, lostJobIds };
  }

  /** Why a swap must not be applied: no job that this agent was given ordered it. Null when one did, or when the swap is a repetition. */
  refusal(agentId: string, { jobId, plan }: CompletedJob, swap: ReplaceRuns): string | null {
    const { files } = this.#options.state;
    const slot = files.slotOf(swap.fileId);
    if (slot !== undefined && files.level(slot) > 0) {
      return null;
    }
    if (plan.length === 0) {
      return 'The completion has no plan, which comes with each job that is handed out: take the job again.';
    }
    const verified = this.#options.plans.verify(plan);
    if (verified === undefined || verified.clusterId !== this.#options.clusterId) {
      return 'The plan was not handed out by this service for this cluster.';
    }
    if (verified.agentId !== agentId || !sameId(verified.jobId, jobId)) {
      return 'The plan was handed out to another agent, or for another job.';
    }
    if (this.#options.clock.nowMs() >= verified.expiresAtMs) {
      return 'The plan was handed out more than a day ago: take the job again.';
    }
    return unordered(orderProblem(verified.order, swap));
  }

  /**
   * Call when the swap of a job, or of one of its files, was answered. Ignores jobs that this owner did not hand to this agent.
   * @param hasMore more files of the job follow if this one was applied
   */
  answered(jobId: Id, agentId: string, outcome: ReplaceRunsAnswer['outcome'], hasMore: boolean): void {
    const leased = this.#jobs.get(idKey(jobId));
    if (leased?.agentId !== agentId) {
      return;
    }
    if (hasMore && outcome === 'applied') {
      leased.startedMs = this.#options.clock.monotonicMs();
      leased.leaseUntilMs = leased.startedMs + LEASE_MS;
      return;
    }
    this.#jobs.delete(idKey(jobId));
    if (outcome === 'applied') {
      this.#planner.complete(leased.job);
      this.#agents.delete(agentId);
    } else {
      this.#giveUp(leased);
    }
  }

  #renew(jobId: Id, agentId: string, nowMs: number): boolean {
    const leased = this.#jobs.get(idKey(jobId));
    if (leased?.agentId !== agentId) {
      return false;
    }
    leased.leaseUntilMs = Math.min(nowMs + LEASE_MS, leased.startedMs + MAX_JOB_MS);
    return nowMs < leased.leaseUntilMs;
  }

  #expire(nowMs: number): void {
    for (const [key, leased] of this.#jobs) {
      if (nowMs >= leased.leaseUntilMs) {
        this.#jobs.delete(key);
        this.#options.counts.lost(kindOf(leased.job));
        this.#giveUp(leased);
        this.#noteWaste(leased.agentId, nowMs);
      }
    }
  }

  #giveUp({ job }: LeasedJob): void {
    this.#planner.giveUp(job, this.#options.clock.nowMs());
  }

  #noteWaste(agentId: string, nowMs: number): void {
    if (this.#agents.size >= limits.MAX_AGENTS) {
      this.#agents.clear();
    }
    const record = this.#agents.get(agentId) ?? { wastedInARow: 0, pausedUntilMs: 0 };
    record.wastedInARow += 1;
    if (record.wastedInARow >= WASTED_JOBS_BEFORE_PAUSE) {
      record.pausedUntilMs = nowMs + PAUSE_MS;
    }
    this.#agents.set(agentId, record);
  }

  #mayHaveMore(agentId: string, nowMs: number): boolean {
    const agent = this.#options.state.agents.get(agentId);
    if (agent === undefined || agent.leftAtMs !== null || this.#jobs.size >= MAX_JOBS) {
      return false;
    }
    if (nowMs < (this.#agents.get(agentId)?.pausedUntilMs ?? 0)) {
      return false;
    }
    let jobs = 0;
    for (const leased of this.#jobs.values()) {
      jobs += leased.agentId === agentId ? 1 : 0;
    }
    return jobs < MAX_JOBS_PER_AGENT;
  }
}

function unordered(problem: string | null): string | null {
  return problem === null ? null : `The completion exceeds the job that was handed out: ${problem}.`;
}
