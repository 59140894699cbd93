// `npm run bench -- key-flood`: the effect of a flood of unknown agent keys on the commits of an agent with a valid one.
import { loadavg } from 'node:os';
import { Pool } from 'pg';
import { startKeyFlood } from './key-flood/flood.ts';
import { startMetadata } from './key-flood/metadata-process.ts';
import { describeMachine } from './machine.ts';
import { settleWal, startBenchServer } from './metadata/bench-server.ts';
import { type OpenLoad, type OpenLoopResult, runOpenLoop } from './open-loop.ts';
import { reportResult, rounded } from './results.ts';

/** As many commits as 25 agents send that flush every 250 ms. */
const load: OpenLoad = { everyMs: 10, warmUpMs: 3_000, measureMs: 10_000 };
/** Well-formed and malformed keys in equal numbers. */
const KEYS_PER_S = 1_000;
const ADDRESSES = 2;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function row(what: string, { p50Ms, p99Ms }: OpenLoopResult): string {
  const cells = [p50Ms.toFixed(2), p99Ms.toFixed(2)];
  return `  ${what.padEnd(38)}${cells.map((cell) => cell.padStart(13)).join('')}`;
}

say('Starting a PostgreSQL of its own with default durability, and a metadata process ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 2 });
pool.on('error', () => undefined);
await settleWal(pool);
const metadata = await startMetadata(server.url);
try {
  const agent = await metadata.openAgent(pool);
  say(`An agent commits ${1_000 / load.everyMs} files per second, for ${load.measureMs / 1_000} s each:\n`);
  say(`  ${''.padEnd(38)}${['p50 ms', 'p99 ms'].map((head) => head.padStart(13)).join('')}`);
  const quiet = await runOpenLoop(load, () => agent.commit());
  say(row('quiet', quiet));
  const flood = startKeyFlood(metadata.rpcUrl, { keysPerS: KEYS_PER_S, addresses: ADDRESSES });
  const flooded = await runOpenLoop(load, () => agent.commit());
  const answers = await flood.stop();
  say(row(`${KEYS_PER_S} unknown or malformed keys/s`, flooded));
  const after = await runOpenLoop(load, () => agent.commit());
  say(row('quiet again', after));
  const quietP99Ms = (quiet.p99Ms + after.p99Ms) / 2;
  say(
    `\n  p99 of the flood: ${(flooded.p99Ms / quietP99Ms).toFixed(2)} times its quiet value; the flood was answered with`,
  );
  say(`  ${[...answers].map(([what, count]) => `${what}: ${count}`).join(', ')}\n`);
  agent.close();
  await reportResult('key-flood', {
    quiet_p50_ms: rounded(quiet.p50Ms, 2),
    quiet_p99_ms: rounded(quietP99Ms, 2),
    flooded_p50_ms: rounded(flooded.p50Ms, 2),
    flooded_p99_ms: rounded(flooded.p99Ms, 2),
    p99_ratio: rounded(flooded.p99Ms / quietP99Ms, 2),
    commits_per_s: 1_000 / load.everyMs,
    keys_per_s: KEYS_PER_S,
    flood_answers: Object.fromEntries(answers),
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await metadata.stop();
  await pool.end();
  await server.stop();
}
