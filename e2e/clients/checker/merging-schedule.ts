// Draws the faults that strike during merging from a seed, so that a run can be repeated. Two tracks run side by side: faults during a job,
// and faults at any time.

import { randomNumbers } from '../support/random.ts';
import type { S3FaultKind, S3Method } from './faulty-s3.ts';

/** The moment in a job: an agent's request is held then, when it is sent or after it was carried out. */
export const jobMoments = {
  reading: { kind: 'delayed', method: 'GET' },
  writing: { kind: 'delayed', method: 'PUT' },
  written: { kind: 'done-then-hanging', method: 'PUT' },
  deleting: { kind: 'delayed', method: 'DELETE' },
  deleted: { kind: 'done-then-hanging', method: 'DELETE' },
} as const satisfies Record<string, { kind: S3FaultKind; method: S3Method }>;
export type JobMoment = keyof typeof jobMoments | 'completing';

export type JobVictim = 'agent' | 'owner' | 's3';

export interface JobStep {
  wait_ms: number;
  moment: JobMoment;
  victim: JobVictim;
  /** For `completing`, how long after the PUT: 0 to 1. */
  draw: number;
  how: 'killed' | 'suspended';
  for_ms: number;
}

export interface AnyTimeStep {
  wait_ms: number;
  victim: 'agent' | 'owner' | 'other-metadata' | 's3' | 'records';
  /** Which of the agents that serve clients; for `records`, how many are deleted. */
  draw: number;
  how: 'killed' | 'suspended';
  for_ms: number;
}

export interface MergingSchedule {
  jobs: JobStep[];
  anyTime: AnyTimeStep[];
}

const SHORTEST_MS = 300;
/** A process suspended for this long has lost its lease and its job. */
const LONGEST_MS = 15_000;

/** As many steps as could fit. How long each waits for a job is unknown, so the run stops when its time is up. */
export function drawMergingSchedule(seed: number, durationMs: number): MergingSchedule {
  const random = randomNumbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  /** Log-uniform: as many between 1 and 2 s as between 2 and 4 s. */
  const span = (fromMs: number, toMs: number): number =>
    Math.round(fromMs * (Math.max(toMs, fromMs) / fromMs) ** random());
  const fill = <Step extends { wait_ms: number; for_ms: number }>(draw: () => Step): Step[] => {
    const steps: Step[] = [];
    for (let atMs = 0; atMs <= durationMs; ) {
      const step = draw();
      atMs += step.wait_ms + step.for_ms;
      steps.push(step);
    }
    return steps;
  };
  const longestFaultMs = Math.min(LONGEST_MS, durationMs / 10);
  return {
    jobs: fill(() => {
      const how = pick<JobStep['how']>(['killed', 'killed', 'killed', 'suspended']);
      return {
        wait_ms: span(300, 4_000),
        moment: pick<JobMoment>([
          ...(['reading', 'reading', 'writing', 'writing', 'written', 'written'] as const),
          ...(['completing', 'completing', 'completing', 'deleting', 'deleted'] as const),
        ]),
        victim: pick<JobVictim>(['agent', 'agent', 'agent', 'agent', 'owner', 's3']),
        draw: random(),
        how,
        for_ms: span(how === 'killed' ? SHORTEST_MS : longestFaultMs / 3, longestFaultMs),
      };
    }),
    anyTime: fill(() => ({
      wait_ms: span(2_000, 15_000),
      victim: pick<AnyTimeStep['victim']>([
        ...(['agent', 'agent', 'agent', 'owner', 'owner'] as const),
        ...(['other-metadata', 's3', 's3', 'records', 'records'] as const),
      ]),
      draw: random(),
      how: pick<AnyTimeStep['how']>(['killed', 'killed', 'killed', 'suspended']),
      for_ms: span(SHORTEST_MS, longestFaultMs),
    })),
  };
}
