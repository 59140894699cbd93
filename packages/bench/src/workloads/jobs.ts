// An agent that merges what the load writes, beside the one that serves the load.
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
const WINDOW_MS = 120_000;

export const jobsMetadataEnv = { PENSTOCK_METADATA_MERGE_WINDOW_MS: String(WINDOW_MS) };

/** The first job is due when the first file is a minute old. */
const SHORTEST_LOAD_SECONDS = 90;

/** How long a load has to last so that jobs run beside it. */
export function secondsWithJobs(scale: number): number {
  return Math.max(SHORTEST_LOAD_SECONDS, 180 * scale);
}

/** What merging cost that one load caused. */
export interface JobsResult {
  /** Completed while the load ran. */
  jobsUnderLoad: number;
  /** Completed until all that the load wrote was merged at both levels. */
  level1: number;
  level2: number;
  cpuSPerGib: number;
  putsPerGib: number;
  getsPerGib: number;
  landingGetsPerGib: number;
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

  static async start(system: RunningSystem, home: string, { s3, agentEnv = {} }: SystemChoice): Promise<JobsAgent> {
    const options = agentOptions('jobs', s3);
    const agent = await system.startAgent({ ...options, env: { ...options.env, ...agentEnv } });
    return new JobsAgent(system, agent, s3?.folder ?? objectsFolder(home));
  }

  /**
   * Runs a load from the beginning of a window on, and waits afterwards until everything is merged at both levels.
   * @param warmUpShare bytes that the load writes unmeasured, in proportion to those that it measures
   * @throws Error if no job ran beside the load: its figures would be those of an agent without merging
   */
  async measure(
    load: () => Promise<LoadResult>,
    warmUpShare: number,
  ): Promise<{ result: LoadResult; jobs: JobsResult }> {
    await windowBegins(WINDOW_MS);
    const [before, progressBefore] = [await jobCost(this.#agent), await progressOf(this.#system)];
    const result = await load();
    const { jobs: jobsUnderLoad } = costBetween(before, await jobCost(this.#agent));
    if (jobsUnderLoad === 0) {
      throw new Error('Not a valid run: no job ran beside the load');
    }
    this.#storedBytes += (result.bytes ?? Number.NaN) * (1 + warmUpShare);
    const merged = await untilMerged(this.#system, this.#bucketFolder, this.#storedBytes);
    const gib = (result.records / 2 ** 20) * (1 + warmUpShare);
    const perGib = (cost: JobCost): Omit<JobsResult, 'jobsUnderLoad' | 'level1' | 'level2'> => ({
      cpuSPerGib: cost.cpuS / gib,
      putsPerGib: cost.puts / gib,
      getsPerGib: cost.gets / gib,
      landingGetsPerGib: cost.landingGets / gib,
    });
    const jobs = {
      jobsUnderLoad,
      level1: merged.level1 - progressBefore.level1,
      level2: merged.level2 - progressBefore.level2,
      ...perGib(costBetween(before, await jobCost(this.#agent))),
    };
    return { result, jobs };
  }
}
