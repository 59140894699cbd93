// `npm run fault -- takeover`: how long a large cluster cannot be written to when its owner is killed, and how opening it affects other
// clusters.
//   --runs 10000000        runs of state
//   --runs-per-file 288    how many of them one data file has: the fewer, the more files
//   --clusters 50          how many clusters one process owns in the second part, including the large one
import { parseArgs } from 'node:util';
import { CommittingAgents, OwnerFollower } from '../../apps/metadata/src/testing/committing-agents.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../../apps/metadata/src/testing/control-plane-fixture.ts';
import { ServiceProcess } from '../../apps/metadata/src/testing/service-process.ts';
import type { Id } from '../../packages/metadata-core/src/index.ts';
import { until } from '../clients/support/run.ts';
import { type LargeCluster, makeLargeCluster } from './support/large-cluster.ts';

/** The default of the service. */
const LEASE_TTL_MS = 5_000;
const AGENTS = 8;
/** Commits before and after each event. */
const COMMITS = 200;
/** Each small cluster gets ten commits a second: enough to see a gap, yet little load. */
const SMALL_PAUSE_MS = 100;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000000' },
    'runs-per-file': { type: 'string', default: '288' },
    clusters: { type: 'string', default: '50' },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(durationMs: number): number {
  return Number((durationMs / 1_000).toFixed(2));
}

async function createTopic(follower: OwnerFollower, name: string): Promise<Id> {
  const { results } = await follower.call((client) => client.createTopics({ topics: [{ name, partitions: 1 }] }));
  const [created] = results;
  if (created?.errorCode !== 0) {
    throw new Error(`the topic was not created: ${created?.errorMessage}`);
  }
  return created.topicId;
}

async function acknowledgedMore(committing: CommittingAgents, count: number): Promise<void> {
  const goal = committing.count + count;
  await until(`${count} more commits are acknowledged`, () => committing.count >= goal);
}

interface TakeOver {
  longest_gap_s: number;
  acknowledged: number;
  lost: number;
}

/** Two processes; the owner of the large cluster is killed under load. */
async function measureTakeOver(controlPlane: ControlPlaneFixture, cluster: LargeCluster): Promise<TakeOver> {
  const start = (): Promise<ServiceProcess> => ServiceProcess.start(controlPlane.database.url, LEASE_TTL_MS);
  const [owner, other] = await Promise.all([start(), start()]);
  const follower = new OwnerFollower([owner.rpcUrl, other.rpcUrl], cluster);
  try {
    const committing = new CommittingAgents(follower, await createTopic(follower, 'orders'), AGENTS);
    await acknowledgedMore(committing, COMMITS);
    committing.takeLongestGapMs();
    // Whichever owns it: the first process may have lost it while it was opening.
    const { rows } = await controlPlane.pool.query<{ owner_url: string }>(
      'SELECT owner_url FROM metadata_lease WHERE cluster_id = $1',
      [cluster.clusterId],
    );
    const killed = [owner, other].find(({ rpcUrl }) => rpcUrl === rows[0]?.owner_url);
    if (killed === undefined) {
      throw new Error('nobody owns the large cluster');
    }
    killed.kill('SIGKILL');
    await acknowledgedMore(committing, COMMITS);
    const longestGapMs = committing.takeLongestGapMs();
    await committing.stop();
    const { lost } = await committing.audit();
    return { longest_gap_s: seconds(longestGapMs), acknowledged: committing.acknowledged.size, lost: lost.length };
  } finally {
    follower.close();
    await Promise.all([owner.end(), other.end()]);
  }
}

interface Neighbours {
  opening_s: number;
  leases_lost: number;
  longest_gap_s: number;
}

/** One process owns many clusters under load, and opens the large one as well. Another process takes over what it loses. */
async function measureNeighbours(controlPlane: ControlPlaneFixture, large: LargeCluster): Promise<Neighbours> {
  const start = (): Promise<ServiceProcess> => ServiceProcess.start(controlPlane.database.url, LEASE_TTL_MS);
  const [service, other] = await Promise.all([start(), start()]);
  const followers: OwnerFollower[] = [];
  const follow = (cluster: ClusterWithKey): OwnerFollower => {
    const follower = new OwnerFollower([service.rpcUrl, other.rpcUrl], cluster);
    followers.push(follower);
    return follower;
  };
  try {
    const small: CommittingAgents[] = [];
    for (let count = 1; count < Number(options.clusters); count += 1) {
      const follower = follow(await controlPlane.createCluster());
      small.push(new CommittingAgents(follower, await createTopic(follower, 'orders'), 1, false, SMALL_PAUSE_MS));
    }
    await Promise.all(small.map((committing) => acknowledgedMore(committing, 10)));
    // Its last owner was killed in the first part.
    await until('the lease of the large cluster has lapsed', () => isLapsed(controlPlane, large));
    const epochsBefore = await leaseEpochs(controlPlane, large);
    for (const committing of small) {
      committing.takeLongestGapMs();
    }
    const startedMs = performance.now();
    await follow(large).call((client) => client.describeCluster({}));
    const openedMs = performance.now() - startedMs;
    await Promise.all(small.map((committing) => acknowledgedMore(committing, 10)));
    const longestGapMs = Math.max(...small.map((committing) => committing.takeLongestGapMs()));
    await Promise.all(small.map((committing) => committing.stop()));
    const epochsAfter = await leaseEpochs(controlPlane, large);
    const lost = [...epochsBefore].filter(([clusterId, epoch]) => epochsAfter.get(clusterId) !== epoch);
    return { opening_s: seconds(openedMs), leases_lost: lost.length, longest_gap_s: seconds(longestGapMs) };
  } finally {
    for (const follower of followers) {
      follower.close();
    }
    await Promise.all([service.end(), other.end()]);
  }
}

async function isLapsed(controlPlane: ControlPlaneFixture, { clusterId }: LargeCluster): Promise<boolean> {
  const { rowCount } = await controlPlane.pool.query(
    'SELECT FROM metadata_lease WHERE cluster_id = $1 AND expires_at > clock_timestamp()',
    [clusterId],
  );
  return rowCount === 0;
}

/**
 * The lease epochs of all clusters except the large one. An epoch increases when any process acquires the lease, but
 * not when it is renewed.
 */
async function leaseEpochs(controlPlane: ControlPlaneFixture, large: LargeCluster): Promise<Map<string, string>> {
  const { rows } = await controlPlane.pool.query<{ cluster_id: string; epoch: string }>(
    'SELECT cluster_id, epoch FROM metadata_lease WHERE cluster_id <> $1',
    [large.clusterId],
  );
  return new Map(rows.map((row) => [row.cluster_id, row.epoch]));
}

async function main(): Promise<void> {
  const controlPlane = await ControlPlaneFixture.create();
  try {
    const runs = Number(options.runs);
    const runsPerFile = Number(options['runs-per-file']);
    say(`Making a cluster with ${runs.toLocaleString('en')} runs ...`);
    const startedMs = performance.now();
    const large = await makeLargeCluster(controlPlane, runs, runsPerFile);
    const snapshotMib = Number((large.snapshotBytes / 2 ** 20).toFixed(1));
    say(
      `  ${large.files.toLocaleString('en')} files, ${snapshotMib} MiB of snapshot, ${seconds(performance.now() - startedMs)} s`,
    );
    say('Killing its owner under load ...');
    const takeOver = await measureTakeOver(controlPlane, large);
    say(
      `  longest gap ${takeOver.longest_gap_s} s, ${takeOver.lost} of ${takeOver.acknowledged} acknowledged commits lost`,
    );
    say(`Opening it in a process that owns ${Number(options.clusters) - 1} others ...`);
    const neighbours = await measureNeighbours(controlPlane, large);
    say(
      `  opened in ${neighbours.opening_s} s; the others lost ${neighbours.leases_lost} leases, longest gap ${neighbours.longest_gap_s} s`,
    );
    say(
      JSON.stringify({
        runs,
        files: large.files,
        snapshot_mib: snapshotMib,
        takeover_longest_gap_s: takeOver.longest_gap_s,
        acknowledged: takeOver.acknowledged,
        lost: takeOver.lost,
        clusters: Number(options.clusters),
        opening_s: neighbours.opening_s,
        leases_lost: neighbours.leases_lost,
        neighbours_longest_gap_s: neighbours.longest_gap_s,
      }),
    );
    if (takeOver.lost + neighbours.leases_lost > 0) {
      process.exitCode = 1;
    }
  } finally {
    await controlPlane.drop();
  }
}

// The parent process is gone, so stop everything that this run started.
process.on('disconnect', () => process.exit(143));
await main();
process.exit();
