// The jobs that this process runs now, followed by the queue's events.
import type { Job, WorkerEvents } from 'graphile-worker';

export interface RunningJob {
  id: string;
  task: string;
  /** The queue's key, by which a job is added only once; null if it has none. */
  key: string | null;
  /** The attempt that runs, from 1. */
  attempt: number;
  /** Who holds it, by the queue's name. */
  lockedBy: string | null;
  startedMs: number;
}

export class RunningJobs {
  readonly #running = new Map<string, RunningJob>();
  readonly #failed: RunningJob[] = [];
  #isKeepingFailures = false;

  constructor(events: Pick<WorkerEvents, 'on'>, nowMs: () => number) {
    events.on('job:start', ({ job }) => {
      this.#running.set(job.id, { ...factsOf(job), startedMs: nowMs() });
    });
    events.on('job:complete', ({ job, error }) => {
      const ended = this.#running.get(job.id);
      this.#running.delete(job.id);
      if (this.#isKeepingFailures && ended !== undefined && isError(error)) {
        this.#failed.push(ended);
      }
    });
  }

  get running(): readonly RunningJob[] {
    return [...this.#running.values()];
  }

  /** Jobs that failed since `keepFailures`. */
  get failed(): readonly RunningJob[] {
    return this.#failed;
  }

  /** From now on remembers which jobs fail. */
  keepFailures(): void {
    this.#isKeepingFailures = true;
  }
}

function factsOf({ id, task_identifier: task, key, attempts: attempt, locked_by: lockedBy }: Job) {
  return { id, task, key, attempt, lockedBy };
}

function isError(error: unknown): boolean {
  return error !== undefined && error !== null;
}
