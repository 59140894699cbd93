// An agent that merges the written files, in addition to the one that serves the load.
import type { RunningAgent, RunningSystem } from '../../../../infra/local/system.ts';
import type { LoadResult } from '../agent-load.ts';
import {
  costBetween,
  type JobCost,
  jobCost,
  objectsFolder,
  progressOf,
  untilMerged,
  windowBegins,
} from '../backlog/merging.ts';
import { agentOptions, type SystemChoice } from '../servers.ts';

/** Files committed within it are merged together: see PENSTOCK_METADATA_MERGE_WINDOW_MS. In production it is an hour. */
export const JOBS_WINDOW_MS = 120_000;

export const jobsMetadataEnv = { PENSTOCK_METADATA_MERGE_WINDOW_MS: String(JOBS_WINDOW_MS) };

/** The first job is due when the first file is a minute old. */
const SHORTEST_LOAD_SECONDS = 90;

/** How long a load must last for jobs to run during it. */
export function secondsWithJobs(scale: number): number {
  return Math.max(SHORTEST_LOAD_SECONDS, 180 * scale);
}

/** The effect of one load on jobs. */
export interface JobsResult {
  /** Completed while the load ran. */
  jobsUnderLoad: number;
  /** Completed until all that the load wrote was merged at both levels. */
  level1: number;
  level2: number;
  cost: JobCost;
  /** Volume written by the load, uncompressed and as stored, including unmeasured writes. */
  gib: number;
  storedGib: number;
}

export class JobsAgent {
  readonly #system: RunningSystem;
  readonly #agent: RunningAgent;
  readonly #bucketFolder: string;
  /** The batches of all loads so far. */
  #storedBytes = 0;

  private constructor(system: RunningSystem, agent: RunningAgent, bucketFolder: string) {
    this.#system = system;
    this.#agent = agent;
    this.#bucketFolder = bucketFolder;
  }

  static async start(system: RunningSystem, home: string, choice: SystemChoice): Promise<JobsAgent> {
    const agent = await system.startAgent(agentOptions('jobs', choice));
    return new JobsAgent(system, agent, choice.s3?.folder ?? objectsFolder(home));
  }

  /**
   * Runs a load from the beginning of a window on, and waits afterwards until everything is merged at both levels.
   * @param warmUpShare bytes that the load writes unmeasured, in proportion to those that it measures
   * @throws Error if merging does not end
   */
  async measure(
    load: () => Promise<LoadResult>,
    warmUpShare: number,
  ): Promise<{ result: LoadResult; jobs: JobsResult }> {
    await windowBegins(JOBS_WINDOW_MS);
    const [before, progressBefore] = [await jobCost(this.#agent), await progressOf(this.#system)];
    const result = await load();
    const { jobs: jobsUnderLoad } = costBetween(before, await jobCost(this.#agent));
    const storedBytes = (result.bytes ?? Number.NaN) * (1 + warmUpShare);
    this.#storedBytes += storedBytes;
    const merged = await untilMerged(this.#system, this.#bucketFolder, this.#storedBytes);
    const jobs = {
      jobsUnderLoad,
      level1: merged.level1 - progressBefore.level1,
      level2: merged.level2 - progressBefore.level2,
      cost: costBetween(before, await jobCost(this.#agent)),
      gib: (result.records / 2 ** 20) * (1 + warmUpShare),
      storedGib: storedBytes / 2 ** 30,
    };
    return { result, jobs };
  }

  /** Stops the jobs, so that they do not affect later measurements. */
  async stop(): Promise<void> {
    await this.#agent.process.stop();
  }
}
