// The families that every program of ours exposes about itself.
import { counter, type Family, gauge } from './openmetrics.ts';

interface ProcessFacts {
  residentBytes: number;
  cpuSeconds: number;
  delay: { p99Seconds: number; longestSeconds: number };
}

interface PoolFacts {
  name: string;
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max: number };
}

/** @param prefix of the program, e.g. `penstock_web` */
export function processFamilies(prefix: string, { residentBytes, cpuSeconds, delay }: ProcessFacts): Family[] {
  return [
    gauge(
      `${prefix}_event_loop_delay_seconds`,
      'The longest time that the one thread did not answer, since these metrics were read last.',
      [{ value: delay.longestSeconds }],
    ),
    gauge(`${prefix}_event_loop_delay_p99_seconds`, 'The 99th percentile of the same.', [{ value: delay.p99Seconds }]),
    gauge('process_resident_memory_bytes', 'Resident memory.', [{ value: residentBytes }]),
    counter('process_cpu_seconds', 'CPU time, user and system.', [{ value: cpuSeconds }]),
  ];
}

/** @param pools of the pg driver, with the names that the series get */
export function poolFamilies(prefix: string, pools: readonly PoolFacts[]): Family[] {
  const byPool = (value: (pool: PoolFacts) => number) =>
    pools.map((pool) => ({ labels: { pool: pool.name }, value: value(pool) }));
  return [
    gauge(
      `${prefix}_database_connections`,
      'Connections to PostgreSQL.',
      byPool(({ totalCount }) => totalCount),
    ),
    gauge(
      `${prefix}_database_connections_busy`,
      'Connections that run a statement or a transaction.',
      byPool(({ totalCount, idleCount }) => totalCount - idleCount),
    ),
    gauge(
      `${prefix}_database_connections_limit`,
      'How many connections the pool may open.',
      byPool(({ options }) => options.max),
    ),
    gauge(
      `${prefix}_database_waiting`,
      'Statements that wait for a connection.',
      byPool(({ waitingCount }) => waitingCount),
    ),
  ];
}
