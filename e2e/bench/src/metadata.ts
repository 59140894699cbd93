// `npm run bench -- metadata`: durable commits of 288 runs per second, through an owner and as SQL, and the recovery time.
import { loadavg } from 'node:os';
import { Pool } from 'pg';
import type { Load, LoopResult } from './closed-loop.ts';
import { describeMachine } from './machine.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import type { MeasuredCommits } from './metadata/cpu-shares.ts';
import { measureOwnedCommits } from './metadata/owned-commits.ts';
import { measureRecovery } from './metadata/recovery-time.ts';
import { measureRpcCommits } from './metadata/rpc-commits.ts';
import { measureSqlBaseline } from './metadata/sql-baseline.ts';
import { RUNS_PER_COMMIT } from './metadata/workload.ts';
import { reportResult, rounded } from './results.ts';

const IN_FLIGHT = 16;
const load: Load = { inFlight: IN_FLIGHT, warmUpMs: 3_000, measureMs: 10_000 };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function row(what: string, { perSecond, p50Ms, p99Ms }: LoopResult): string {
  const runsPerSecond = Math.round(perSecond * RUNS_PER_COMMIT);
  const cells = [perSecond.toFixed(0), runsPerSecond.toLocaleString('en'), p50Ms.toFixed(2), p99Ms.toFixed(2)];
  return `  ${what.padEnd(38)}${cells.map((cell) => cell.padStart(13)).join('')}`;
}

/** CPU time per commit, by process and in total. */
function shares({ cpuMsPerCommit }: MeasuredCommits): string {
  const total = Object.values(cpuMsPerCommit).reduce((sum, ms) => sum + ms, 0);
  const parts = Object.entries(cpuMsPerCommit).map(([name, ms]) => `${name.replaceAll('_', ' ')} ${ms.toFixed(3)}`);
  return `  ${''.padEnd(4)}CPU ms per commit: ${parts.join(', ')}; together ${total.toFixed(3)}`;
}

function roundedShares({ cpuMsPerCommit }: MeasuredCommits): Record<string, number> {
  return Object.fromEntries(Object.entries(cpuMsPerCommit).map(([name, ms]) => [name, rounded(ms, 3)]));
}

say('Starting a PostgreSQL of its own with default durability ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 8 });
// A query on the connection reports its own error. An idle connection may learn of the server's shutdown before its own close is read,
// which is not a failure.
pool.on('error', () => undefined);
try {
  say(`Durable commits of ${RUNS_PER_COMMIT} runs each, ${IN_FLIGHT} in flight, ${load.measureMs / 1_000} s each:\n`);
  say(`  ${''.padEnd(38)}${['commits/s', 'runs/s', 'p50 ms', 'p99 ms'].map((head) => head.padStart(13)).join('')}`);
  const owned = await measureOwnedCommits(pool, server, load);
  say(row('owner, in this process', owned));
  say(shares(owned));
  const rpc = await measureRpcCommits(pool, server, load);
  say(row('owner, through the RPC', rpc));
  say(shares(rpc));
  const baseline = await measureSqlBaseline(server.url, load);
  say(row('one SQL statement per commit', baseline));
  const ratio = owned.perSecond / baseline.perSecond;
  const rpcRatio = rpc.perSecond / owned.perSecond;
  say(`\n  ratio: ${ratio.toFixed(1)} (through the RPC ${(rpc.perSecond / baseline.perSecond).toFixed(1)})`);
  say(`  through the RPC, as a share of the commits/s in this process: ${(rpcRatio * 100).toFixed(0)} %`);
  const recovery = await measureRecovery(pool);
  say(`\nRecovery of a cluster with ${recovery.journaledRuns.toLocaleString('en')} journaled runs:`);
  say(
    `  from the journal alone ${recovery.fromJournalMs.toFixed(0)} ms, from a snapshot ${recovery.fromSnapshotMs.toFixed(0)} ms`,
  );
  say(
    `  the snapshot: ${(recovery.snapshotBytes / 2 ** 20).toFixed(1)} MiB, ${recovery.snapshotMs.toFixed(0)} ms from the owner's live state\n`,
  );
  await reportResult('metadata', {
    commits_per_s: rounded(owned.perSecond),
    runs_per_s: rounded(owned.perSecond * RUNS_PER_COMMIT),
    p50_ms: rounded(owned.p50Ms, 2),
    p99_ms: rounded(owned.p99Ms, 2),
    rpc_commits_per_s: rounded(rpc.perSecond),
    rpc_p50_ms: rounded(rpc.p50Ms, 2),
    rpc_p99_ms: rounded(rpc.p99Ms, 2),
    rpc_ratio: rounded(rpcRatio, 3),
    cpu_ms_per_commit: roundedShares(owned),
    rpc_cpu_ms_per_commit: roundedShares(rpc),
    baseline_commits_per_s: rounded(baseline.perSecond, 1),
    baseline_p50_ms: rounded(baseline.p50Ms, 2),
    baseline_p99_ms: rounded(baseline.p99Ms, 2),
    ratio: rounded(ratio, 1),
    recovery_ms: rounded(recovery.fromJournalMs),
    recovery_from_snapshot_ms: rounded(recovery.fromSnapshotMs),
    snapshot_ms: rounded(recovery.snapshotMs),
    snapshot_bytes: recovery.snapshotBytes,
    runs_per_commit: RUNS_PER_COMMIT,
    in_flight: IN_FLIGHT,
    journaled_runs: recovery.journaledRuns,
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await pool.end();
  await server.stop();
}
