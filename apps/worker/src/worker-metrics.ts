// What the worker exposes to Prometheus.
import type { ProcessUsage } from '@penstock/platform';
import { Counts, Durations, type Family, gauge, poolFamilies, processFamilies } from '@penstock/telemetry';
import type { WorkerEvents } from 'graphile-worker';
import type { MeteringWatch } from './metering-watch.ts';
import type { Backlog } from './read-backlog.ts';
import type { RunningJobs } from './running-jobs.ts';

const PREFIX = 'penstock_worker';
const BOUNDS_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** Counts jobs as they end. */
export class JobMeter {
  readonly #ended = new Counts(['task', 'outcome'] as const);
  readonly #durations = new Durations(['task'] as const, BOUNDS_SECONDS);

  constructor(events: Pick<WorkerEvents, 'on'>, monotonicMs: () => number) {
    const started = new Map<string, number>();
    events.on('job:start', ({ job }) => started.set(job.id, monotonicMs()));
    events.on('job:complete', ({ job, error }) => {
      const startMs = started.get(job.id);
      started.delete(job.id);
      const isFailed = error !== undefined && error !== null;
      this.#ended.add(job.task_identifier, isFailed ? 'failed' : 'done');
      if (startMs !== undefined) {
        this.#durations.record((monotonicMs() - startMs) / 1_000, job.task_identifier);
      }
    });
  }

  families(): Family[] {
    return [
      this.#ended.family(
        `${PREFIX}_jobs`,
        'Jobs that ended here, by task: done or failed. A failed one is tried again.',
      ),
      this.#durations.family(`${PREFIX}_job_seconds`, 'How long jobs ran, by task.'),
    ];
  }
}

interface PoolFacts {
  name: string;
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max: number };
}

export interface WorkerFacts {
  meter: Pick<JobMeter, 'families'>;
  jobs: Pick<RunningJobs, 'running'>;
  metering: Pick<MeteringWatch, 'lagSeconds'>;
  backlog: Backlog;
  pools: readonly PoolFacts[];
  usage: ProcessUsage;
  monotonicMs: number;
}

export function workerFamilies({ meter, jobs, metering, backlog, pools, usage, monotonicMs }: WorkerFacts): Family[] {
  const { dueJobs, failedJobs, outboxes } = backlog;
  const running = Map.groupBy(jobs.running, ({ task }) => task);
  return [
    ...meter.families(),
    gauge(
      `${PREFIX}_jobs_running_oldest_seconds`,
      'How long the oldest job that runs here has been running, by task.',
      [...running].map(([task, started]) => ({
        labels: { task },
        value: (monotonicMs - Math.min(...started.map(({ startedMs }) => startedMs))) / 1_000,
      })),
    ),
    gauge(
      `${PREFIX}_jobs_due`,
      'Jobs that are due and that no worker runs, by task.',
      dueJobs.map(({ task, count }) => ({ labels: { task }, value: count })),
    ),
    gauge(
      `${PREFIX}_jobs_due_oldest_seconds`,
      'How long the oldest of these has been due, by task.',
      dueJobs.map(({ task, oldestSeconds }) => ({ labels: { task }, value: oldestSeconds })),
    ),
    gauge(
      `${PREFIX}_jobs_given_up`,
      'Jobs in the queue that have used up their attempts, by task.',
      failedJobs.map(({ task, count }) => ({ labels: { task }, value: count })),
    ),
    gauge(
      `${PREFIX}_metering_lag_seconds`,
      'The age of the oldest journal entry that is not in the usage ledger yet.',
      [{ value: metering.lagSeconds }],
    ),
    gauge(
      `${PREFIX}_outbox_waiting`,
      'What waits to be sent, by outbox: mail, webhook, stripe.',
      outboxes.map(({ outbox, waiting }) => ({ labels: { outbox }, value: waiting })),
    ),
    gauge(
      `${PREFIX}_outbox_oldest_seconds`,
      'How long the oldest of these has been waiting, by outbox.',
      outboxes.map(({ outbox, oldestSeconds }) => ({ labels: { outbox }, value: oldestSeconds })),
    ),
    gauge(
      `${PREFIX}_outbox_given_up`,
      'What was given up within the last 24 hours, by outbox.',
      outboxes.map(({ outbox, failedInLastDay }) => ({ labels: { outbox }, value: failedInLastDay })),
    ),
    gauge(`${PREFIX}_clusters_stopped`, 'Virtual clusters that are stopped until an operator resumes them.', [
      { value: backlog.stoppedClusters },
    ]),
    ...poolFamilies(PREFIX, pools),
    ...processFamilies(PREFIX, usage),
  ];
}
