// The drill of infra/docs/metadata-recovery.md: a database is dumped while agents write, merge and compact; the sources of the merges die;
// then the dump is restored and agents that cache nothing read everything that was acknowledged before the dump.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@penstock/servers/free-port';
import { type PostgresServer, startPostgresServer } from '@penstock/servers/postgres-server';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { type RunningSystem, startSystem } from '../../../infra/local/system.ts';
import { findPostgres } from '../../../infra/local/tools.ts';
import { BucketAudit, type BucketState } from '../../clients/checker/bucket-audit.ts';
import { run, until } from '../../clients/support/run.ts';
import { shortWindows } from '../../clients/support/short-windows.ts';

const LOG = 'orders';
const COMPACTED = 'profiles';
const PARTITIONS = 8;
const KEYS = 500;
const RECORDS_PER_SEND = 500;
const SENDERS = 4;
const PAUSE_MS = 20;
const DATABASE = 'penstock';
const OWNER = 'penstock';
const PASSWORD = 'penstock';

export interface DrillOptions {
  /** The setting PENSTOCK_RESTORE_WINDOW_HOURS of the metadata service. */
  windowHours: number;
  /** At least this many records are acknowledged before the dump. */
  records: number;
  say?: (line: string) => void;
}

export interface DrillOutcome {
  /** Records of the topic without compaction that were acknowledged before the dump began. */
  acknowledged: number;
  missing: number;
  /** Keys of the compacted topic, and those whose value is older than the last one acknowledged before the dump. */
  keys: number;
  staleKeys: number;
  /** Files that the service had merged and compacted when the dump began. */
  merged: number;
  compacted: number;
  /** Dead files whose objects waited for the restore window when the database was lost. */
  waiting: number;
  /** Objects that the restored journal names and that are gone. */
  missingObjects: number;
  /** Records acknowledged after the dump, which the restore loses. */
  lostAfterDump: number;
  /** From the beginning of the dump to the loss of the database. */
  rpoMs: number;
  /** From the loss of the database until the first agent answered. */
  rtoMs: number;
}

export async function runRestoreDrill(options: DrillOptions): Promise<DrillOutcome> {
  const home = await mkdtemp(join(tmpdir(), 'penstock-drill-'));
  const drill = new Drill(home, options);
  try {
    return await drill.run();
  } finally {
    await drill.end();
    await rm(home, { recursive: true, force: true });
  }
}

class Drill {
  readonly #home: string;
  readonly #options: DrillOptions;
  readonly #log: string[] = [];
  readonly #latest = new Map<string, number>();
  #postgres: PostgresServer | undefined;
  #system: RunningSystem | undefined;
  #isSending = true;
  #sent = 0;

  constructor(home: string, options: DrillOptions) {
    this.#home = home;
    this.#options = options;
  }

  async end(): Promise<void> {
    this.#isSending = false;
    await this.#system?.stop();
    await this.#postgres?.stop();
  }

  async run(): Promise<DrillOutcome> {
    const { records, say = () => undefined } = this.#options;
    this.#postgres = await this.#startPostgres();
    await this.#createDatabase();
    this.#system = await this.#startSystem();
    const { clusterId } = this.#demo();
    const audit = new BucketAudit(this.#superuserUrl(), clusterId);
    let before: BucketState;
    let dumped: { values: readonly string[]; latest: Map<string, number>; startedMs: number };
    let waiting: number;
    try {
      await this.#createTopics();
      const sending = this.#send();
      await until('enough is written, merged and compacted', async () => {
        const state = await audit.compare(await this.#objects());
        return this.#log.length >= records && state.files['level 1'] >= 3 && state.files.compacted >= 1;
      });
      before = await audit.compare(await this.#objects());
      dumped = { values: [...this.#log], latest: new Map(this.#latest), startedMs: performance.now() };
      say(`${dumped.values.length} records are acknowledged; dumping`);
      await this.#dump();
      await until('files of the dump are merged and gone from the index', async () => {
        const state = await audit.compare(await this.#objects());
        return state.files['level 1'] >= before.files['level 1'] + 3 && state.files.compacted > before.files.compacted;
      });
      // Agents ask for files to delete every ten seconds.
      await sleep(12_000);
      waiting = (await audit.compare(await this.#objects())).dead;
      this.#isSending = false;
      await sending;
    } finally {
      await audit.close();
    }
    const acknowledgedAtLoss = this.#log.length;
    await this.#system.stop();
    const lostMs = performance.now();
    say('the database is lost; restoring it');
    await this.#restore();
    this.#system = await this.#startSystem();
    await this.#firstAnswer();
    const rtoMs = performance.now() - lostMs;
    const restored = new BucketAudit(this.#superuserUrl(), clusterId);
    const state = await restored.compare(await this.#objects()).finally(() => restored.close());
    const values = new Set((await this.#read(LOG)).map(({ value }) => value));
    const profiles = new Map((await this.#read(COMPACTED)).map(({ key, value }) => [key, Number(value)]));
    return {
      acknowledged: dumped.values.length,
      missing: dumped.values.filter((value) => !values.has(value)).length,
      keys: dumped.latest.size,
      staleKeys: [...dumped.latest].filter(([key, number]) => (profiles.get(key) ?? -1) < number).length,
      merged: before.files['level 1'] + before.files['level 2'],
      compacted: before.files.compacted,
      waiting,
      missingObjects: state.missing.length,
      lostAfterDump: acknowledgedAtLoss - dumped.values.length,
      rpoMs: lostMs - dumped.startedMs,
      rtoMs,
    };
  }

  async #startPostgres(): Promise<PostgresServer> {
    const programs = findPostgres();
    return await startPostgresServer({
      dataDir: join(this.#home, 'postgres'),
      port: await freePort(),
      password: PASSWORD,
      logFile: join(this.#home, 'postgres.log'),
      settings: { max_connections: '200' },
      // Their version is that of pg_dump and psql.
      ...(programs === undefined ? {} : { programs }),
    });
  }

  #superuserUrl(database = DATABASE): string {
    return this.#server().url(database);
  }

  #ownerUrl(): string {
    const url = new URL(this.#superuserUrl());
    url.username = OWNER;
    return url.href;
  }

  #server(): PostgresServer {
    if (this.#postgres === undefined) {
      throw new Error('PostgreSQL is not started');
    }
    return this.#postgres;
  }

  #demo(): NonNullable<RunningSystem['demo']> {
    if (this.#system?.demo === undefined) {
      throw new Error('the system has no cluster');
    }
    return this.#system.demo;
  }

  async #asSuperuser(database: string, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: this.#superuserUrl(database) });
    await client.connect();
    try {
      for (const statement of statements) {
        await client.query(statement);
      }
    } finally {
      await client.end();
    }
  }

  async #createDatabase(): Promise<void> {
    await this.#asSuperuser(
      'postgres',
      `CREATE ROLE ${OWNER} LOGIN CREATEROLE NOINHERIT PASSWORD '${PASSWORD}'`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
    );
    // A role that inherits nothing has no rights as a member of pg_database_owner.
    await this.#asSuperuser(DATABASE, `ALTER SCHEMA public OWNER TO ${OWNER}`);
  }

  async #startSystem(): Promise<RunningSystem> {
    const deaths: string[] = [];
    return await startSystem({
      home: this.#home,
      databaseUrl: this.#ownerUrl(),
      hasDemo: true,
      hasWeb: false,
      hasWorker: false,
      isQuiet: true,
      metadataProcesses: 2,
      agents: [{}, {}],
      metadataEnv: { ...shortWindows, PENSTOCK_RESTORE_WINDOW_HOURS: String(this.#options.windowHours) },
      events: {
        onDeath: (name, reason, lastLines) => deaths.push(`${name} ended (${reason}):\n${lastLines}`),
        onRestart: () => undefined,
        onDatabaseDeath: (lastLines) => deaths.push(lastLines),
      },
    });
  }

  #kafka(): Kafka {
    const brokers = this.#system?.agents.map(({ bootstrap }) => bootstrap) ?? [];
    return new Kafka({ brokers, logLevel: logLevel.NOTHING });
  }

  async #createTopics(): Promise<void> {
    const admin = this.#kafka().admin();
    await admin.connect();
    await admin.createTopics({
      topics: [
        { topic: LOG, numPartitions: PARTITIONS },
        {
          topic: COMPACTED,
          numPartitions: PARTITIONS,
          configEntries: [{ name: 'cleanup.policy', value: 'compact' }],
        },
      ],
    });
    await admin.disconnect();
  }

  /** Sends until it is stopped. Counts what was acknowledged. */
  async #send(): Promise<void> {
    const producer = this.#kafka().producer();
    await producer.connect();
    const sendOn = async (): Promise<void> => {
      while (this.#isSending) {
        const from = this.#sent;
        this.#sent += RECORDS_PER_SEND;
        const numbers = Array.from({ length: RECORDS_PER_SEND }, (_, index) => from + index);
        const values = numbers.map((number) => `order ${number}`);
        await producer.send({ topic: LOG, messages: values.map((value, index) => ({ key: `${index}`, value })) });
        this.#log.push(...values);
        await sleep(PAUSE_MS);
      }
    };
    // One sender, so that the last value sent is the last one stored.
    const sendProfilesOn = async (): Promise<void> => {
      const keys = Array.from({ length: KEYS }, (_, key) => `user ${key}`);
      for (let number = 1; this.#isSending; number += 1) {
        await producer.send({ topic: COMPACTED, messages: keys.map((key) => ({ key, value: `${number}` })) });
        for (const key of keys) {
          this.#latest.set(key, number);
        }
      }
    };
    await Promise.all([...Array.from({ length: SENDERS }, sendOn), sendProfilesOn()]);
    await producer.disconnect();
  }

  async #objects(): Promise<string[]> {
    const entries = await readdir(join(this.#home, 'objects'), { recursive: true });
    return entries.filter((name) => name.endsWith('.batches'));
  }

  async #dump(): Promise<void> {
    await run('pg_dump', [
      '--role=penstock_operator',
      '--enable-row-security',
      '--exclude-schema=graphile_worker',
      `--file=${join(this.#home, 'penstock.sql')}`,
      this.#ownerUrl(),
    ]);
  }

  async #restore(): Promise<void> {
    await this.#asSuperuser(
      'postgres',
      `DROP DATABASE ${DATABASE} WITH (FORCE)`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
    );
    await run('psql', [
      '--quiet',
      '--set=ON_ERROR_STOP=1',
      `--dbname=${this.#superuserUrl()}`,
      `--file=${join(this.#home, 'penstock.sql')}`,
    ]);
  }

  /** Resolves when an agent has read a record. */
  async #firstAnswer(): Promise<void> {
    await until('an agent answers', async () => {
      const bootstrap = this.#system?.agents[0]?.bootstrap ?? '';
      const one = ['-C', '-q', '-b', bootstrap, '-t', LOG, '-o', 'beginning', '-c', '1'];
      return (await run('kcat', one, { timeout_ms: 5_000 }).catch(() => '')) !== '';
    });
  }

  async #read(topic: string): Promise<{ key: string; value: string }[]> {
    const bootstrap = this.#system?.agents[0]?.bootstrap ?? '';
    const output = await run('kcat', [
      ...['-C', '-q', '-e', '-b', bootstrap, '-t', topic, '-o', 'beginning', '-f', '%k\t%s\n'],
    ]).catch((error: Error) => {
      // A consumer that gets no further is a result, too.
      this.#options.say?.(`reading ${topic}: ${error.message.slice(0, 300)}`);
      return '';
    });
    return output
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [key = '', value = ''] = line.split('\t');
        return { key, value };
      });
  }
}
