// A schema registry's topic: schemas, ids, deletions and subject settings, read into an empty cache after each `kill -9`.
import { join } from 'node:path';
import { javaClassPath, kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { JavaProgram } from './java-program.ts';
import type { RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const TOPIC = '_schemas';
const SUBJECTS = 20;

/** The registry's entries as JSON, with fields in the order in which it writes them. */
const schemaKey = (subject: string, version: number): string =>
  JSON.stringify({ keytype: 'SCHEMA', subject, version, magic: 1 });
const configKey = (subject: string): string => JSON.stringify({ keytype: 'CONFIG', subject, magic: 0 });

function schemaValue(subject: string, version: number, id: number, deleted: boolean): string {
  const fields = Array.from({ length: 10 }, (_, at) => ({ name: `field${at}_of_${version}`, type: 'string' }));
  const schema = JSON.stringify({ type: 'record', name: subject, fields });
  return JSON.stringify({ subject, version, id, schema, deleted });
}

/** A sequence of registries on the same topic, and the entries that each must have. */
class Registry {
  readonly expected = new Map<string, string>();
  readonly #start: () => JavaProgram;
  #program: JavaProgram;

  constructor(start: () => JavaProgram) {
    this.#start = start;
    this.#program = start();
  }

  async put(key: string, value: string): Promise<void> {
    this.expected.set(key, value);
    await this.#program.ask(`put\t${key}\t${value}`);
  }

  async delete(key: string): Promise<void> {
    this.expected.delete(key);
    await this.#program.ask(`delete\t${key}`);
  }

  /** @throws when the cache differs from what was written */
  async check(): Promise<void> {
    const lines = await this.#program.ask('dump');
    const expected = [...this.expected].map(([key, value]) => `${key}\t${value}`).sort();
    const wrong = [
      ...expected.filter((line) => !lines.includes(line)),
      ...lines.filter((line) => !expected.includes(line)),
    ];
    if (wrong.length > 0) {
      throw new Error(
        `The registry has ${lines.length} of ${expected.length} entries, wrong: ${wrong.slice(0, 3).join('; ')}`,
      );
    }
  }

  async kill(): Promise<void> {
    await this.#program.kill();
  }

  startEmpty(): void {
    this.#program = this.#start();
  }
}

/** Each round registers a version of each subject, soft-deletes the previous one and permanently deletes the one before that. */
async function register(registry: Registry, round: number): Promise<void> {
  for (let at = 0; at < SUBJECTS; at += 1) {
    const subject = `subject-${at}`;
    const id = (version: number) => (version - 1) * SUBJECTS + at + 1;
    await registry.put(
      configKey(subject),
      JSON.stringify({ compatibilityLevel: round % 2 === 0 ? 'FULL' : 'BACKWARD' }),
    );
    await registry.put(schemaKey(subject, round), schemaValue(subject, round, id(round), false));
    if (round > 1) {
      await registry.put(schemaKey(subject, round - 1), schemaValue(subject, round - 1, id(round - 1), true));
    }
    if (round > 2) {
      await registry.delete(schemaKey(subject, round - 2));
    }
  }
}

/** @throws when a registry does not find a registered schema */
export async function runRegistry(stage: Stage, { rounds, compacts, report }: RoundsOptions): Promise<void> {
  const classPath = await javaClassPath(join(import.meta.dirname, 'java/SchemaStore.java'), kafkaEcosystemJars());
  const registry = new Registry(() => new JavaProgram(classPath, 'SchemaStore', [stage.bootstrap, TOPIC]));
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await register(registry, round);
      await registry.check();
      await registry.kill();
      if (compacts) {
        await stage.areCompacted([TOPIC]);
      }
      registry.startEmpty();
      await registry.check();
      const figures = { entries: registry.expected.size };
      report({ part: 'registry', round, figures, sizes: await stage.sizes(TOPIC), compacted: [TOPIC] });
    }
  } finally {
    await registry.kill();
  }
}
