// Draws the faults, their order and their duration from a seed, so that a run can be repeated. Three tracks run side by side: object
// storage, processes, topics.
import { randomNumbers } from '../support/random.ts';
import { type S3Fault, type S3Method, s3FaultKinds } from './faulty-s3.ts';

export const victims = ['agent', 'owner', 'other-metadata', 'worker'] as const;
export type Victim = (typeof victims)[number];

export interface S3Step {
  /** After the previous step. */
  wait_ms: number;
  fault: S3Fault;
  for_ms: number;
}

export interface ProcessStep {
  wait_ms: number;
  victim: Victim;
  /** Which of several agents: 0 to 1. */
  draw: number;
  /** kill -9 and restart; or SIGSTOP, then SIGCONT. */
  how: 'killed' | 'suspended';
  for_ms: number;
}

export interface TopicStep {
  wait_ms: number;
  what: 'recreate' | 'delete-records';
  /** For `recreate`: how long the topic is missing. */
  for_ms: number;
  /** For `delete-records`: the partition, and the share of its records to delete. */
  draw: number;
}

export interface Schedule {
  s3: S3Step[];
  processes: ProcessStep[];
  topics: TopicStep[];
}

/** Most faults are short; a few last nearly the maximum. */
const SHORTEST_MS = 300;
const LONGEST_MS = 30_000;
/** Agents give up on a file after a minute: one in four runs of sufficient length has a bucket outage that outlasts it. */
const OUTAGE_MS = 70_000;
const outageKinds = ['internal-error', 'hanging', 'done-then-error', 'done-then-dropped'] as const;
/** A process suspended or down for this long has lost its lease and its connections. */
const LONGEST_OF_PROCESS_MS = 15_000;

/** Fills `duration_ms` on each track. Long runs have long faults: up to a fifth of the run. */
export function drawSchedule(seed: number, durationMs: number): Schedule {
  const random = randomNumbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  /** Log-uniform: as many between 1 and 2 s as between 2 and 4 s. */
  const span = (fromMs: number, toMs: number): number =>
    Math.round(fromMs * (Math.max(toMs, fromMs) / fromMs) ** random());
  const fill = <Step extends { wait_ms: number; for_ms: number }>(draw: () => Step, steps: Step[] = []): Step[] => {
    for (let atMs = steps.reduce((sum, { wait_ms: waitMs, for_ms: forMs }) => sum + waitMs + forMs, 0); ; ) {
      const step = draw();
      atMs += step.wait_ms + step.for_ms;
      if (atMs > durationMs) {
        return steps;
      }
      steps.push(step);
    }
  };
  const longestFaultMs = Math.min(LONGEST_MS, durationMs / 5);
  const drawOutage = (): S3Step => ({
    wait_ms: span(SHORTEST_MS, 10_000),
    fault: { kind: pick(outageKinds), methods: ['PUT'], probability: 1, delay_ms: 0 },
    for_ms: OUTAGE_MS,
  });
  const outages = durationMs > 1.5 * OUTAGE_MS && random() < 0.25 ? [drawOutage()] : [];
  return {
    s3: fill(
      () => ({
        wait_ms: span(SHORTEST_MS, 3_000),
        fault: {
          kind: pick(s3FaultKinds),
          methods: pick<readonly S3Method[]>([['PUT'], ['PUT'], ['GET'], ['PUT', 'GET', 'HEAD', 'DELETE', 'LIST']]),
          probability: pick([0.2, 0.5, 1]),
          delay_ms: span(SHORTEST_MS, longestFaultMs),
        },
        for_ms: span(SHORTEST_MS, longestFaultMs),
      }),
      outages,
    ),
    processes: fill(() => ({
      wait_ms: span(1_000, 6_000),
      victim: pick<Victim>(['agent', 'agent', 'agent', 'owner', 'owner', 'other-metadata', 'worker']),
      draw: random(),
      how: pick<ProcessStep['how']>(['killed', 'suspended']),
      for_ms: span(SHORTEST_MS, Math.min(LONGEST_OF_PROCESS_MS, longestFaultMs)),
    })),
    topics: fill(() => ({
      wait_ms: span(1_000, 6_000),
      what: pick<TopicStep['what']>(['recreate', 'delete-records']),
      for_ms: span(SHORTEST_MS, 2_000),
      draw: random(),
    })),
  };
}
