// The requests of Kafka's protocol, from the specifications in the jar of Apache Kafka's clients.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kafkaJars } from '../../../../infra/local/tools.ts';

export interface FieldSpec {
  name: string;
  /** `int32`, `string`, `[]Topic` ... */
  type: string;
  /** Versions that have it: `0+`, `3-7`, `none`. */
  versions: string;
  nullableVersions?: string;
  flexibleVersions?: string;
  /** A tagged field, which this client leaves out. */
  tag?: number;
  fields?: FieldSpec[];
}

export interface RequestSpec {
  apiKey: number;
  name: string;
  listeners?: string[];
  validVersions: string;
  flexibleVersions: string;
  fields: FieldSpec[];
  commonStructs?: { name: string; versions: string; fields: FieldSpec[] }[];
}

/** Requests that a client may send to a broker. */
export async function readRequestSpecs(): Promise<RequestSpec[]> {
  const jars = await kafkaJars();
  const clients = (await readdir(jars)).find((name) => /^kafka-clients-.*\.jar$/.test(name)) ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'penstock-kafka-specs-'));
  try {
    await promisify(execFile)('jar', ['-xf', join(jars, clients), 'common/message'], { cwd: folder });
    const messages = join(folder, 'common', 'message');
    const names = (await readdir(messages)).filter((name) => name.endsWith('Request.json'));
    const specs = await Promise.all(
      names.map(
        async (name) => JSON.parse(withoutComments(await readFile(join(messages, name), 'utf8'))) as RequestSpec,
      ),
    );
    return specs
      .filter(({ validVersions, listeners }) => validVersions !== 'none' && listeners?.includes('broker') === true)
      .sort((left, right) => left.apiKey - right.apiKey);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/\s\/\/ .*$/gm, '');
}

/** The first and the last version of a range such as `0-9` or `2`. Open ranges end at `last`. */
export function versionRange(range: string, last = 32_767): [number, number] | undefined {
  const match = /^(\d+)(?:-(\d+)|(\+))?$/.exec(range);
  if (match === null) {
    return undefined;
  }
  const first = Number(match[1]);
  return [first, match[3] === '+' ? last : Number(match[2] ?? first)];
}

export function hasVersion(range: string | undefined, version: number): boolean {
  const bounds = range === undefined ? undefined : versionRange(range);
  return bounds !== undefined && version >= bounds[0] && version <= bounds[1];
}
