// `npm run fault -- compaction`: updates keys many times in a compacted topic while the compacting agent is killed repeatedly. Prints the
// final size of the topic compared with one record per key as the producer writes them, and what a fresh reader gets.
// Prints one line of JSON.
//   --keys 1000000   how many keys
//   --updates 20     how often each key is written
//   --kills 3        how often the agent is killed (kill -9) during a compaction job
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { run, start, until } from './support/run.ts';
import { startTestSystem } from './support/system.ts';

const { values: options } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    updates: { type: 'string', default: '20' },
    kills: { type: 'string', default: '3' },
  },
});
const [keys, updates, kills] = [Number(options.keys), Number(options.updates), Number(options.kills)];
const PARTITIONS = 4;
const LONGEST_MS = 1_800_000;
/** Usually coprime to the number of keys, so that each round writes the keys in a different order. */
const STRIDE = 7_919;
const PADDING = 'x'.repeat(60);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const system = await startTestSystem({
  agents: [{ env: { PENSTOCK_ROLES: 'produce,consume' } }, { env: { PENSTOCK_ROLES: 'jobs' } }],
});
const bootstrap = system.agents[0]?.bootstrap ?? '';
let jobs = system.agents[1];

async function bucketBytes(): Promise<number> {
  const folder = join(system.home, 'objects');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.batches'));
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => ({ size: 0 }))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

async function metric(url: string | undefined, name: string, label = ''): Promise<number> {
  const answer = await fetch(`${url}/metrics`).catch(() => undefined);
  const lines = ((await answer?.text()) ?? '').split('\n');
  const samples = lines.filter((line) => line.startsWith(name) && line.includes(label));
  return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

function writtenValue(key: number, round: number): string {
  return `${round}-${(key * 2_654_435_761) % 4_294_967_296}-${PADDING}`;
}

async function produce(round: number): Promise<void> {
  const args = ['-P', '-b', bootstrap, '-t', 'keys', '-K', ':', '-z', 'lz4', '-X', 'linger.ms=50'];
  const producer = start('kcat', args, { keepsInput: true, timeout_ms: LONGEST_MS });
  const { stdin } = producer.child;
  const piece = 10_000;
  for (let from = 0; from < keys; from += piece) {
    let text = '';
    for (let at = from; at < Math.min(keys, from + piece); at += 1) {
      const key = (at * STRIDE + round) % keys;
      text += `key-${key}:${writtenValue(key, round)}\n`;
    }
    if (!stdin.write(text)) {
      await new Promise((resolve) => stdin.once('drain', resolve));
    }
  }
  stdin.end();
  if ((await producer.exited) !== 0) {
    throw new Error(`kcat failed: ${producer.stderr()}`);
  }
}

/** For each key the record with the highest offset, as a fresh reader gets it; and how many records it read. */
async function readAll(): Promise<{ records: number; latest: Map<string, string> }> {
  const args = ['-C', '-b', bootstrap, '-t', 'keys', '-o', 'beginning', '-e', '-q', '-f', '%k %s\n'];
  const printed = await run('kcat', args, { timeout_ms: LONGEST_MS });
  const latest = new Map<string, string>();
  let records = 0;
  for (const line of printed.split('\n')) {
    if (line !== '') {
      records += 1;
      latest.set(line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1));
    }
  }
  return { records, latest };
}

const wrong: string[] = [];
let result = {};
try {
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const configs = { 'cleanup.policy': 'compact', 'segment.ms': '1', 'min.cleanable.dirty.ratio': '0.05' };
  const configEntries = Object.entries(configs).map(([name, value]) => ({ name, value }));
  await admin.createTopics({ topics: [{ topic: 'keys', numPartitions: PARTITIONS, configEntries }] });
  await admin.disconnect();
  await produce(1);
  const leastBytes = await bucketBytes();
  say(`${keys} keys once: ${(leastBytes / 2 ** 20).toFixed(1)} MiB`);
  const beganMs = Date.now();
  for (let round = 2; round <= updates; round += 1) {
    await produce(round);
  }
  say(`written ${updates} times in ${Math.round((Date.now() - beganMs) / 1_000)} s`);
  const service = system.metadata[0]?.httpUrl;
  for (let kill = 0; kill < kills; kill += 1) {
    const removed = await metric(service, 'penstock_metadata_merge_jobs_total', 'compact');
    const isOpen = async () => (await metric(service, 'penstock_metadata_merge_jobs_total', 'compact')) > removed;
    await until('a job of compaction is handed out', isOpen, LONGEST_MS);
    await jobs?.process.kill();
    say('killed the agent with the job');
    jobs = await system.startAgent({ env: { PENSTOCK_ROLES: 'jobs' } });
  }
  let bytes = await bucketBytes();
  const isSettled = async () => {
    bytes = await bucketBytes();
    return bytes <= leastBytes * 1.3;
  };
  await until('the topic is within 1.3 of one record of each key', isSettled, LONGEST_MS).catch((error) =>
    wrong.push(String(error)),
  );
  const settledS = Math.round((Date.now() - beganMs) / 1_000);
  const { records, latest } = await readAll();
  if (latest.size !== keys) {
    wrong.push(`a fresh reader gets ${latest.size} keys`);
  }
  for (const [key, value] of latest) {
    if (value !== writtenValue(Number(key.slice(4)), updates)) {
      wrong.push(`${key} has the value ${value}`);
      break;
    }
  }
  if (system.deaths.length > 0) {
    wrong.push(...system.deaths);
  }
  const cpuS = await metric(jobs?.httpUrl, 'penstock_agent_job_cpu_seconds_total');
  result = {
    keys,
    updates,
    least_mib: leastBytes / 2 ** 20,
    final_mib: bytes / 2 ** 20,
    records_read: records,
    settled_s: settledS,
    cpu_s: cpuS,
  };
  say(JSON.stringify({ ...result, ratio: Number((bytes / leastBytes).toFixed(3)), wrong }));
} finally {
  await system.stop();
}
process.exitCode = wrong.length === 0 ? 0 : 1;
