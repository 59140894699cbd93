// Agents that write to one cluster while its owners change, and checks of the result: records, times and usage.
import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import { CommittingAgents, OwnerFollower } from '../../../apps/metadata/src/testing/committing-agents.ts';
import type { ClusterWithKey, ControlPlaneFixture } from '../../../apps/metadata/src/testing/control-plane-fixture.ts';
import { foldJournal } from '../../../packages/billing/src/index.ts';
import { decodeEntry, type Id } from '../../../packages/metadata-core/src/index.ts';
import { newId } from '../../../packages/platform/src/index.ts';
import { until } from '../../clients/support/run.ts';
import type { ThrownAhead } from './thrown-ahead.ts';

const AGENTS = 8;
/** The pause between an agent's commits: hundreds a second are enough to see a gap. */
const PAUSE_MS = 10;
const HEARTBEAT_INTERVAL_MS = 1_000;
const BUCKET = 'b';

export interface CheckedLoad {
  acknowledged: number;
  lost: number;
  /** All other errors, in words. */
  wrong: string[];
}

interface UsageRow {
  hour: Date;
  records: string;
  cluster_minutes: number;
}

export class ClusterLoad {
  readonly committing: CommittingAgents;
  readonly #controlPlane: ControlPlaneFixture;
  readonly #cluster: ClusterWithKey;
  readonly #follower: OwnerFollower;
  readonly #thrownAhead: ThrownAhead | undefined;
  readonly #startedAtMs: number;
  readonly #agentId = newId();
  readonly #heartbeats: NodeJS.Timeout;

  private constructor(
    controlPlane: ControlPlaneFixture,
    cluster: ClusterWithKey,
    follower: OwnerFollower,
    topicId: Id,
    startedAtMs: number,
    thrownAhead: ThrownAhead | undefined,
  ) {
    this.#controlPlane = controlPlane;
    this.#cluster = cluster;
    this.#follower = follower;
    this.#startedAtMs = startedAtMs;
    this.#thrownAhead = thrownAhead;
    this.committing = new CommittingAgents(follower, topicId, AGENTS, false, PAUSE_MS);
    this.#heartbeats = setInterval(() => void this.#giveSign(), HEARTBEAT_INTERVAL_MS);
    void this.#giveSign();
  }

  /** @param urls of the processes that may own it */
  static async start(
    controlPlane: ControlPlaneFixture,
    cluster: ClusterWithKey,
    urls: readonly string[],
    thrownAhead?: ThrownAhead,
  ): Promise<ClusterLoad> {
    const startedAtMs = await databaseTimeMs(controlPlane);
    const follower = new OwnerFollower(urls, cluster);
    const topicId = thrownAhead?.topicId ?? (await createTopic(follower));
    return new ClusterLoad(controlPlane, cluster, follower, topicId, startedAtMs, thrownAhead);
  }

  async acknowledgedMore(count: number): Promise<void> {
    const goal = this.committing.count + count;
    await until(`${count} more commits are acknowledged`, () => this.committing.count >= goal);
  }

  /** The URL of the process that holds the lease, even if it has expired. */
  async ownerUrl(): Promise<string | undefined> {
    const { rows } = await this.#controlPlane.pool.query<{ owner_url: string }>(
      'SELECT owner_url FROM metadata_lease WHERE cluster_id = $1',
      [this.#cluster.clusterId],
    );
    return rows[0]?.owner_url;
  }

  /** Whether this process answers as the owner. */
  async isAnsweredBy(url: string): Promise<boolean> {
    return await this.#follower.isAnsweredBy(url);
  }

  /** The minute of a cluster's repair may be missing, so this can take a minute. */
  async untilMinuteMetered(): Promise<void> {
    await until('a minute of the agent is metered', async () => {
      const nowMs = await databaseTimeMs(this.#controlPlane);
      return (await this.#usage()).some((row) => this.#isOfRun(row, nowMs) && row.cluster_minutes > 0);
    });
  }

  /** Stops the load and checks the result. */
  async finish(): Promise<CheckedLoad> {
    clearInterval(this.#heartbeats);
    await this.committing.stop();
    const { lost, highWatermark } = await this.committing.audit();
    const acknowledged = this.committing.acknowledged.size;
    const recordsBefore = this.#thrownAhead === undefined ? 0 : 1;
    const wrong = [...(await this.#checkTimes()), ...(await this.#checkUsage(acknowledged))];
    if (highWatermark !== acknowledged + recordsBefore) {
      wrong.push(`${highWatermark} records are there, ${acknowledged + recordsBefore} were acknowledged`);
    }
    return { acknowledged, lost: lost.length, wrong };
  }

  close(): void {
    clearInterval(this.#heartbeats);
    this.#follower.close();
  }

  /** A live agent, so that cluster-minutes are metered. Registering again is idempotent. */
  async #giveSign(): Promise<void> {
    const agentId = this.#agentId;
    try {
      await this.#follower.call((client, timeoutMs) =>
        client.registerAgent(
          { agentId, advertisedHost: 'localhost', advertisedPort: 9092, bucket: BUCKET },
          { timeoutMs },
        ),
      );
    } catch {
      // The commits, which go the same way, say what is wrong.
    }
  }

  /** No entry is dated later than PostgreSQL stored it. */
  async #checkTimes(): Promise<string[]> {
    const { rows } = await this.#controlPlane.pool.query<{ seq: string; entry: Buffer; stored_ms: number }>(
      `SELECT seq, entry, extract(epoch FROM appended_at)::float8 * 1000 AS stored_ms
       FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq`,
      [this.#cluster.clusterId],
    );
    const ownRows = this.#thrownAhead === undefined ? rows : rows.slice(1);
    const ahead = ownRows.filter(({ entry, stored_ms: storedMs }) => decodeEntry(entry).nowMs > Math.ceil(storedMs));
    return ahead.length === 0 ? [] : [`${ahead.length} entries are dated ahead of the database's clock`];
  }

  /** Each record and each minute is metered in the hour of the database's clock in which it was written. */
  async #checkUsage(acknowledged: number): Promise<string[]> {
    const rows = await this.#usage();
    const endedAtMs = await databaseTimeMs(this.#controlPlane);
    const isOfRun = (row: UsageRow): boolean => this.#isOfRun(row, endedAtMs);
    const wrong: string[] = [];
    const records = rows.filter(isOfRun).reduce((sum, row) => sum + Number(row.records), 0);
    if (records !== acknowledged) {
      wrong.push(`${records} records are metered in the hours in which ${acknowledged} were written`);
    }
    const minutes = rows.filter(isOfRun).reduce((sum, row) => sum + row.cluster_minutes, 0);
    const begun = Math.floor(endedAtMs / MINUTE_MS) - Math.floor(this.#startedAtMs / MINUTE_MS) + 1;
    // The first minute of a cluster with entries in the future may be missing, and the last, which may have just begun.
    const fewest = Math.max(this.#thrownAhead === undefined ? 1 : 0, begun - 2);
    if (minutes < fewest || minutes > begun) {
      wrong.push(`${minutes} minutes are metered, ${begun} have begun`);
    }
    for (const { hour, records: count } of rows.filter((row) => !isOfRun(row))) {
      const isThatOfTheOldEntry = hour.getTime() === hourOf(this.#thrownAhead?.entryAtMs ?? 0) && count === '1';
      if (!isThatOfTheOldEntry) {
        wrong.push(`${count} records are metered in the hour ${hour.toISOString()}`);
      }
    }
    return wrong;
  }

  /** The ledger, once it has caught up with the journal. */
  async #usage(): Promise<UsageRow[]> {
    const { clusterId } = this.#cluster;
    const { pool } = this.#controlPlane;
    while (!(await foldJournal(pool, { pool: () => pool }, clusterId)).isCaughtUp) {}
    const { rows } = await pool.query<UsageRow>(
      'SELECT hour, records, cluster_minutes FROM usage_hour WHERE cluster_id = $1 ORDER BY hour',
      [clusterId],
    );
    return rows;
  }

  /** Whether the row's hour is between the start of the load and this time. */
  #isOfRun({ hour }: UsageRow, endedAtMs: number): boolean {
    return hour.getTime() >= hourOf(this.#startedAtMs) && hour.getTime() <= endedAtMs;
  }
}

async function createTopic(follower: OwnerFollower): Promise<Id> {
  const { results } = await follower.call((client) =>
    client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] }),
  );
  const [created] = results;
  if (created?.errorCode !== 0) {
    throw new Error(`the topic was not created: ${created?.errorMessage}`);
  }
  return created.topicId;
}

async function databaseTimeMs({ pool }: ControlPlaneFixture): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  return rows[0]?.ms ?? 0;
}

function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}
