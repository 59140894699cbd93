// Kafka Streams: a table that survives `kill -9` and the loss of its local state, restored from its compacted changelog.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { javaClassPath, kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { run, until } from '../support/run.ts';
import { JavaProgram } from './java-program.ts';
import type { RoundReport, RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const APPLICATION = 'table';
const UPDATES = 'table-updates';
const REPARTITION = `${APPLICATION}-by-key-repartition`;
const CHANGELOG = `${APPLICATION}-latest-changelog`;
const PARTITIONS = 2;
const KEYS = 2_000;
/** Coprime to the number of keys, so that each round writes them in a different order. */
const STRIDE = 777;

type Update = readonly [key: string, value: string | null];

/** Every key is written, half of them twice, and each round deletes a tenth of its own. */
function updatesOf(round: number): Update[] {
  const updates: Update[] = [];
  for (let at = 0; at < KEYS; at += 1) {
    const key = (at * STRIDE + round) % KEYS;
    if (key % 2 === 0) {
      updates.push([`k${key}`, `${round}-early-${'x'.repeat(100)}`]);
    }
    updates.push([`k${key}`, key % 10 === round % 10 ? null : `${round}-${key}-${'x'.repeat(100)}`]);
  }
  return updates;
}

async function produce(bootstrap: string, updates: readonly Update[]): Promise<void> {
  const input = updates.map(([key, value]) => `${key}:${value ?? ''}\n`).join('');
  await run('kcat', ['-P', '-b', bootstrap, '-t', UPDATES, '-K', ':', '-Z', '-X', 'enable.idempotence=true'], {
    input,
  });
}

class Table {
  readonly #stage: Stage;
  readonly #classPath: string;
  readonly #state: string;
  #program: JavaProgram;

  constructor(stage: Stage, classPath: string) {
    this.#stage = stage;
    this.#classPath = classPath;
    this.#state = join(stage.home, 'table-state');
    this.#program = this.#start();
  }

  #start(): JavaProgram {
    const args = [this.#stage.bootstrap, UPDATES, APPLICATION, this.#state, String(PARTITIONS)];
    return new JavaProgram(this.#classPath, 'TableApp', args);
  }

  /** The application's table, once it has restored its state. */
  async entries(): Promise<Map<string, string>> {
    const lines = await this.#program.ask('dump');
    return new Map(lines.map((line) => line.split('\t') as [string, string]));
  }

  async count(what: 'processed' | 'restored'): Promise<number> {
    const [line] = await this.#program.ask(what);
    return Number(line);
  }

  /** All written records are in the table, and committed. */
  async isAtRest(): Promise<boolean> {
    const { admin } = this.#stage;
    const topics = [UPDATES, REPARTITION];
    const committed = await admin.fetchOffsets({ groupId: APPLICATION, topics });
    for (const { topic, partitions } of committed) {
      const ends = await admin.fetchTopicOffsets(topic);
      const isBehind = ends.some(({ partition, high }) => {
        const offset = partitions.find((entry) => entry.partition === partition)?.offset ?? '-1';
        return high !== '0' && offset !== high;
      });
      if (isBehind) {
        return false;
      }
    }
    return true;
  }

  async kill(): Promise<void> {
    await this.#program.kill();
  }

  async startWithoutState(): Promise<void> {
    await rm(this.#state, { recursive: true, force: true });
    this.#program = this.#start();
  }
}

function differences(expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
  const keys = [...new Set([...expected.keys(), ...found.keys()])];
  return keys
    .filter((key) => expected.get(key) !== found.get(key))
    .map((key) => `${key} is ${found.get(key)}, not ${expected.get(key)}`);
}

/** @throws when the table differs from what was written */
export async function runTable(stage: Stage, { rounds, compacts, report }: RoundsOptions): Promise<void> {
  const source = join(import.meta.dirname, 'java/TableApp.java');
  const classPath = await javaClassPath(source, kafkaEcosystemJars());
  await stage.admin.createTopics({ topics: [{ topic: UPDATES, numPartitions: PARTITIONS }] });
  const expected = new Map<string, string>();
  const table = new Table(stage, classPath);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const updates = updatesOf(round);
      for (const [key, value] of updates) {
        if (value === null) {
          expected.delete(key);
        } else {
          expected.set(key, value);
        }
      }
      const before = await table.count('processed');
      const producing = produce(stage.bootstrap, updates);
      await until('the table works on the updates', async () => (await table.count('processed')) > before);
      await table.kill();
      await producing;
      await table.startWithoutState();
      const hasAll = async () => differences(expected, await table.entries()).length === 0;
      await until('the table has all updates', hasAll);
      await until('all that was read is committed', () => table.isAtRest());
      await table.kill();
      if (compacts) {
        await stage.areCompacted([CHANGELOG]);
      }
      // Only the changelog is left to read.
      await table.startWithoutState();
      const wrong = differences(expected, await table.entries());
      if (wrong.length > 0) {
        throw new Error(`The restored table has ${wrong.length} wrong keys: ${wrong.slice(0, 3).join('; ')}`);
      }
      const [keys, restored] = [expected.size, await table.count('restored')];
      report(await roundReport(stage, round, { keys, restored }));
    }
  } finally {
    await table.kill();
  }
}

async function roundReport(stage: Stage, round: number, figures: Record<string, number>): Promise<RoundReport> {
  const sizes = await stage.sizes(`${APPLICATION}-`);
  return { part: 'streams', round, figures, sizes, compacted: [CHANGELOG] };
}
