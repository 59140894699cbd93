// A failover of an asynchronous pair that deliberately loses acknowledged commits: what the service reported before, how it stops, what is
// deleted meanwhile, and how an operator resumes the cluster.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@penstock/units';
import { Pool } from 'pg';
import { connectAgent } from '../../../apps/metadata/src/testing/agent-client.ts';
import { pinnedNode, root } from '../../../infra/local/paths.ts';
import { newId } from '../../../packages/platform/src/index.ts';
import { type Consumed, faultsOf, lostAcknowledgements } from '../../clients/support/records.ts';
import { start, until } from '../../clients/support/run.ts';
import { storedBatches } from '../../clients/support/stored-batches.ts';
import type { TestSystem } from '../../clients/support/system.ts';
import { type Sent, startTraffic } from '../../clients/support/traffic.ts';
import { createTopics, deleteTopic } from './fault-run.ts';
import type { PatroniPair } from './patroni-pair.ts';

const PARTITIONS = 4;
const topics = { deleted: 'deleted', kept: 'kept', tail: 'tail' };
const RECORDS_PER_S = 200;
const RECORDS_OF_EACH = 400;
/** An unreferenced file is deleted after a minute at the earliest, by agents that check every ten seconds. */
const DELETION_IS_DUE_AFTER_MS = 75_000;

export interface LostTailOutcome {
  /** As /readyz of a metadata process reported before the failover. */
  replication: string;
  /** From the promotion of the standby until the cluster was stopped. */
  stoppedAfterMs: number;
  /** The response to every agent call. */
  refusal: string;
  /** The report of `metadata resume` about the loss. */
  report: string;
  /** Acknowledged before replication was cut; all of them must be present, each once. */
  acknowledgedBefore: number;
  /** Acknowledged while replication was cut: the lost tail. */
  acknowledgedInTail: number;
  acknowledgedAfter: number;
  lostOfBefore: number;
  /** Objects in the bucket before the failover, and how many were missing before and after the cluster was resumed. */
  objects: number;
  objectsDeletedWhileStopped: number;
  objectsOfTailDeleted: number;
  /** All other errors, in words. */
  wrong: string[];
}

/** @param say is called with each step */
export async function runLostTail(
  pair: PatroniPair,
  system: TestSystem,
  say: (line: string) => void,
): Promise<LostTailOutcome> {
  const run = new LostTailRun(pair, system, say);
  try {
    return await run.run();
  } finally {
    await run.end();
  }
}

class LostTailRun {
  readonly #pair: PatroniPair;
  readonly #system: TestSystem;
  readonly #say: (line: string) => void;
  readonly #pool: Pool;
  readonly #cluster: { clusterId: string; key: string };
  readonly #bootstraps: string[];
  readonly #wrong: string[] = [];

  constructor(pair: PatroniPair, system: TestSystem, say: (line: string) => void) {
    if (system.demo === undefined) {
      throw new Error('the system has no cluster');
    }
    this.#pair = pair;
    this.#system = system;
    this.#say = say;
    this.#pool = new Pool({ connectionString: system.databaseUrl, max: 1 });
    // The run kills its server, so connection errors are expected.
    this.#pool.on('error', () => undefined);
    this.#cluster = { clusterId: system.demo.clusterId, key: system.demo.agentKey };
    this.#bootstraps = system.agents.map(({ bootstrap }) => bootstrap);
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async run(): Promise<LostTailOutcome> {
    const replication = await this.#replication();
    this.#say(`  /readyz: ${replication}`);
    await createTopics(this.#bootstraps, Object.values(topics), PARTITIONS);

    const empty = new Set(await this.#objects());
    await this.#send(topics.deleted);
    const ofDeleted = (await this.#objects()).filter((name) => !empty.has(name));
    await deleteTopic(this.#bootstraps, topics.deleted);
    const deletedAtMs = performance.now();
    const before = await this.#send(topics.kept);
    await this.#untilReplicated();

    const primary = await this.#pair.untilWhole();
    this.#pair.cut(primary, ['peer']);
    const known = new Set(await this.#objects());
    const tail = await this.#send(topics.tail);
    const all = await this.#objects();
    const ofTail = all.filter((name) => !known.has(name));
    this.#say(
      `  ${tail.acknowledged.length} records were acknowledged that the standby does not have; killing the primary`,
    );
    await primary.kill();
    await this.#pair.untilPrimary(this.#pair.otherThan(primary));
    const promotedAtMs = performance.now();
    await until('the cluster is stopped', () => this.#isStopped());
    const stoppedAfterMs = performance.now() - promotedAtMs;
    const refusal = await this.#refusal();
    this.#say(`  ${refusal}`);
    await primary.start();
    this.#pair.mend();
    await this.#pair.untilWhole();

    await sleep(Math.max(0, deletedAtMs + DELETION_IS_DUE_AFTER_MS - performance.now()));
    await this.#expectNothingDeletable(ofTail);
    const objectsDeletedWhileStopped = missing(all, await this.#objects());

    const report = await this.#resume();
    this.#say(report.replace(/^/gm, '  '));
    const after = await this.#send(topics.tail);
    await until('the resumed cluster deletes the objects of the topic that was deleted before', async () => {
      return missing(ofDeleted, await this.#objects()) === ofDeleted.length;
    });
    await this.#expectSpared(ofTail);
    const stored = await this.#stored(topics.kept);
    this.#wrong.push(
      ...faultsOf(stored, before.values),
      ...faultsOf(await this.#stored(topics.tail), after.values),
      ...this.#system.deaths,
    );
    return {
      replication,
      stoppedAfterMs,
      refusal,
      report,
      acknowledgedBefore: before.acknowledged.length,
      acknowledgedInTail: tail.acknowledged.length,
      acknowledgedAfter: after.acknowledged.length,
      lostOfBefore: lostAcknowledgements(before.acknowledged, stored).length,
      objects: all.length,
      objectsDeletedWhileStopped,
      objectsOfTailDeleted: missing(ofTail, await this.#objects()),
      wrong: this.#wrong,
    };
  }

  /** Returns the service's report about the pair; its metrics must agree. It queries PostgreSQL every 30 seconds. */
  async #replication(): Promise<string> {
    const [metadata] = this.#system.metadata;
    if (metadata === undefined) {
      throw new Error('there is no metadata process');
    }
    const read = (path: string): Promise<string> =>
      fetch(`${metadata.httpUrl}/${path}`).then((response) => response.text());
    let line: string | undefined;
    await until('/readyz says that the pair is asynchronous', async () => {
      line = (await read('readyz'))
        .split('\n')
        .find((text) => text.startsWith('replication of cell main: asynchronous'));
      return line !== undefined;
    });
    if (!(await read('metrics')).includes('{cell="main",penstock_metadata_replication="asynchronous"} 1')) {
      this.#wrong.push('the metrics do not say that the pair is asynchronous');
    }
    return line ?? '';
  }

  async #send(topic: string): Promise<Sent> {
    const traffic = await startTraffic({ bootstrap: this.#bootstraps.join(','), topic, recordsPerS: RECORDS_PER_S });
    await traffic.flows(RECORDS_OF_EACH);
    return await traffic.stop();
  }

  /** Everything stored by now is on the standby, too. */
  async #untilReplicated(): Promise<void> {
    const { rows } = await this.#pool.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    await until('the standby has everything', async () => {
      const { rowCount } = await this.#pool.query('SELECT FROM pg_stat_replication WHERE replay_lsn >= $1::pg_lsn', [
        rows[0]?.lsn,
      ]);
      return rowCount === 1;
    });
  }

  async #isStopped(): Promise<boolean> {
    // The connection may have been lost with the old primary.
    const stops = await this.#pool
      .query('SELECT FROM metadata_stop WHERE cluster_id = $1 AND resolved_at IS NULL', [this.#cluster.clusterId])
      .catch(() => undefined);
    return stops?.rowCount === 1;
  }

  /**
   * Returns the refusal that agents get once all processes agree: a process that was opening the cluster when it
   * stopped responds that it is not the owner.
   */
  async #refusal(): Promise<string> {
    let refusals: string[] = [];
    await until('every process tells that the cluster is stopped', async () => {
      ({ refusals } = await this.#asAgent((client) => client.describeCluster({})));
      return refusals.length > 0 && refusals.every((text) => text.includes(`${this.#cluster.clusterId} is stopped`));
    });
    return refusals[0] ?? '';
  }

  /** Neither the deletion queue nor the orphan collection gets an answer that an agent could act on. */
  async #expectNothingDeletable(names: readonly string[]): Promise<void> {
    const deletions = await this.#asAgent((client) => client.takeDeletions({ agentId: newId(), maxFiles: 500 }));
    const known = await this.#asAgent((client) => client.knownFiles({ fileIds: names.map(fileIdOf) }));
    if (deletions.answer !== undefined) {
      this.#wrong.push('the stopped cluster gives files out for deletion');
    }
    if (known.answer !== undefined) {
      this.#wrong.push('the stopped cluster says which files are orphans');
    }
  }

  /** The request of the orphan collection. */
  async #expectSpared(names: readonly string[]): Promise<void> {
    const stray = Buffer.from(newId(Date.now() - 2 * DAY_MS).replaceAll('-', ''), 'hex');
    const { answer, refusals } = await this.#asAgent((client) =>
      client.knownFiles({ fileIds: [...names.map(fileIdOf), stray] }),
    );
    if (answer === undefined) {
      this.#wrong.push(`the resumed cluster does not say which files are orphans: ${refusals.join('; ')}`);
      return;
    }
    const orphans = names.filter((_, index) => answer.known[index] !== true);
    if (orphans.length > 0) {
      this.#wrong.push(`${orphans.length} objects of the lost tail are taken for orphans`);
    }
    if (answer.known.at(-1) !== false) {
      this.#wrong.push('a file that nobody ever knew is not taken for an orphan');
    }
  }

  /** Queries the metadata processes until one answers; undefined when all refused. */
  async #asAgent<Answer>(
    ask: (client: ReturnType<typeof connectAgent>['client']) => Promise<Answer>,
  ): Promise<{ answer: Answer | undefined; refusals: string[] }> {
    const refusals: string[] = [];
    for (const { url } of this.#system.metadata) {
      const connection = connectAgent(url, this.#cluster);
      try {
        return { answer: await ask(connection.client), refusals: [] };
      } catch (error) {
        refusals.push(error instanceof Error ? error.message : String(error));
      } finally {
        connection.close();
      }
    }
    return { answer: undefined, refusals };
  }

  /** Both of the operator's steps. Returns the report of the first. */
  async #resume(): Promise<string> {
    const command = (...args: string[]) =>
      start(
        pinnedNode,
        [join(root, 'apps/admin/src/main.ts'), 'metadata', 'resume', '--cluster', this.#cluster.clusterId, ...args],
        {
          env: { DATABASE_URL: this.#system.databaseUrl },
        },
      );
    const inspection = command();
    if ((await inspection.exited) === 0) {
      this.#wrong.push('metadata resume went on without being told to');
    }
    const acceptance = command('--accept-lost-tail', '--yes');
    if ((await acceptance.exited) !== 0) {
      throw new Error(`metadata resume failed: ${acceptance.stderr()}`);
    }
    return inspection.stdout().trim();
  }

  async #stored(topic: string): Promise<Consumed[]> {
    const batches = await storedBatches(this.#bootstraps[0] ?? '', topic, PARTITIONS);
    return batches.flatMap(({ partition, baseOffset, values }) =>
      values.map((value, index) => ({ partition, offset: Number(baseOffset) + index, value })),
    );
  }

  /** The data files of the bucket. */
  async #objects(): Promise<string[]> {
    const entries = await readdir(join(this.#system.home, 'objects'), { recursive: true });
    return entries.filter((name) => name.endsWith(EXTENSION));
  }
}

/** Data files are named by their ids, below the cluster's folder. */
const EXTENSION = '.batches';

function fileIdOf(name: string): Uint8Array {
  return Buffer.from(basename(name, EXTENSION).replaceAll('-', ''), 'hex');
}

function missing(names: readonly string[], present: readonly string[]): number {
  const there = new Set(present);
  return names.filter((name) => !there.has(name)).length;
}
