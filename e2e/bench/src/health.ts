// `npm run bench -- health`: the cost for the worker and PostgreSQL of checking a thousand clusters, three agents each, against the health
// rules every five seconds. The clusters' views are given: the call to the metadata service is not included.
import { loadavg } from 'node:os';
import { HealthWatch } from '@penstock/clusters';
import { createPrismaClient } from '@penstock/database';
import { Pool } from 'pg';
import { BusyClusters } from './health/busy-clusters.ts';
import { describeMachine } from './machine.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import { cpuSecondsOfTree } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';

const CLUSTERS = 1_000;
const CHECK_S = 5;
/** A minute and a half, to include the turn of a minute, when state is written. */
const CHECKS = 18;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

say('Starting a PostgreSQL of its own with default durability ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 4 });
const database = createPrismaClient(server.url, 4);

async function walBytes(): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes`);
  return Number(rows[0]?.bytes);
}

try {
  const clusters = await BusyClusters.make(pool, CLUSTERS);
  await clusters.report();
  await clusters.report();
  const metadata = { getClusterView: async (clusterId: string) => clusters.viewOf(clusterId) };
  const watch = new HealthWatch({ database, metadata, webUrl: undefined });
  // The first check creates every cluster's rows.
  await watch.check(new Date(clusters.nowMs));
  const used = { worker_s: 0, postgres_s: 0, wal_bytes: 0, longest_ms: 0 };
  for (let check = 0; check < CHECKS; check += 1) {
    clusters.nowMs += CHECK_S * 1_000;
    if (check % 2 === 1) {
      await clusters.report();
    }
    const began = { cpu: process.cpuUsage(), postgres_s: await cpuSecondsOfTree(server.pid), at: performance.now() };
    const wal = await walBytes();
    const outcome = await watch.check(new Date(clusters.nowMs));
    const tookMs = performance.now() - began.at;
    const cpu = process.cpuUsage(began.cpu);
    used.worker_s += (cpu.user + cpu.system) / 1_000_000;
    used.wal_bytes += (await walBytes()) - wal;
    used.postgres_s += (await cpuSecondsOfTree(server.pid)) - began.postgres_s;
    used.longest_ms = Math.max(used.longest_ms, tookMs);
    if (outcome.clusters !== CLUSTERS || outcome.failures.length > 0 || outcome.raised.length > 0) {
      throw new Error(`Not every cluster was found well: ${JSON.stringify(outcome).slice(0, 500)}`);
    }
  }
  const seconds = CHECKS * CHECK_S;
  say(`\n  ${CLUSTERS} clusters with ${CLUSTERS * 3} agents, a check every ${CHECK_S} s`);
  say(
    `  worker: ${(used.worker_s / seconds).toFixed(3)} cores, PostgreSQL: ${(used.postgres_s / seconds).toFixed(3)} cores`,
  );
  say(
    `  the longest check: ${used.longest_ms.toFixed(0)} ms; WAL: ${(used.wal_bytes / seconds / 1_024).toFixed(0)} KiB/s\n`,
  );
  await reportResult('health', {
    clusters: CLUSTERS,
    agents: CLUSTERS * 3,
    look_every_s: CHECK_S,
    worker_cores: rounded(used.worker_s / seconds, 3),
    postgres_cores: rounded(used.postgres_s / seconds, 3),
    longest_look_ms: rounded(used.longest_ms),
    wal_bytes_per_s: rounded(used.wal_bytes / seconds),
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await database.$disconnect();
  await pool.end();
  await server.stop();
}
