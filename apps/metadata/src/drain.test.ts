// Moves clusters between real processes while agents commit: drained, restarted, balanced. Prints what producers notice.
import { PostgresProcesses } from '@penstock/metadata-journal';
import { OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CommittingAgents, OwnerFollower } from './testing/committing-agents.ts';
import { ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { ServiceProcess } from './testing/service-process.ts';

const LEASE_TTL_MS = 5_000;
const CLUSTERS = 6;
/** For hangs; far above what the test takes. */
const WAIT = { timeout: 240_000, interval: 20 };

let controlPlane: ControlPlaneFixture;
let processes: ServiceProcess[];
let followers: OwnerFollower[];
let agents: CommittingAgents[];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterAll(() => controlPlane.drop());

afterEach(async () => {
  for (const follower of followers) {
    follower.close();
  }
  await Promise.all(processes.map((process) => process.end()));
});

/** How many clusters each process owns, by its URL. */
async function ownersByUrl(): Promise<Map<string, number>> {
  const { rows } = await controlPlane.pool.query<{ owner_url: string; clusters: number }>(
    'SELECT owner_url, count(*)::int AS clusters FROM metadata_lease WHERE expires_at > clock_timestamp() GROUP BY 1',
  );
  return new Map(rows.map(({ owner_url: url, clusters }) => [url, clusters]));
}

async function allAcknowledgeMore(count: number): Promise<void> {
  const goals = agents.map((agent) => agent.count + count);
  await vi.waitFor(() => expect(agents.every((agent, at) => agent.count >= (goals[at] ?? 0))).toBe(true), WAIT);
}

test('a drained process loses no record, and gets its share back', async () => {
  const start = () => ServiceProcess.start(controlPlane.database.ownerUrl, LEASE_TTL_MS);
  processes = await Promise.all([start(), start()]);
  const [one, two] = processes.map(({ rpcUrl }) => rpcUrl);
  const list = new PostgresProcesses(controlPlane.pool);
  followers = [];
  agents = [];
  for (let at = 0; at < CLUSTERS; at += 1) {
    const cluster = await controlPlane.createCluster();
    const follower = new OwnerFollower([one ?? '', two ?? ''], cluster);
    followers.push(follower);
    const topics = [{ name: 'orders', partitions: 1 }];
    const created = await follower.call((client) => client.createTopics({ topics }));
    agents.push(new CommittingAgents(follower, created.results[0]?.topicId ?? new Uint8Array(), 1, false, 5));
  }
  await allAcknowledgeMore(20);
  const drained = (await list.list()).find(({ ownerUrl }) => ownerUrl === one);
  for (const agent of agents) {
    agent.takeLongestGapMs();
  }
  await list.setDraining(drained?.ownerId ?? '', true);
  await vi.waitFor(async () => expect(await ownersByUrl()).toEqual(new Map([[two, CLUSTERS]])), WAIT);
  await allAcknowledgeMore(20);
  const gaps = agents.map((agent) => agent.takeLongestGapMs());
  process.stdout.write(`drained ${CLUSTERS} clusters, longest gap of a producer ${Math.max(...gaps).toFixed(0)} ms\n`);

  // Agents may know no other process than the drained one.
  for (const follower of followers) {
    const refused = await follower.refusalOf(one ?? '');
    expect(refused.metadata.get(OWNER_URL_HEADER)).toBe(two);
  }

  await list.setDraining(drained?.ownerId ?? '', false);
  await vi.waitFor(async () => {
    const counts = await ownersByUrl();
    expect([counts.get(one ?? ''), counts.get(two ?? '')]).toEqual([CLUSTERS / 2, CLUSTERS / 2]);
  }, WAIT);
  await allAcknowledgeMore(20);
  const moved = agents.map((agent) => agent.takeLongestGapMs());
  process.stdout.write(`balanced, longest gap of a producer ${Math.max(...moved).toFixed(0)} ms\n`);
  await Promise.all(agents.map((agent) => agent.stop()));
  for (const agent of agents) {
    const { lost, highWatermark } = await agent.audit();
    expect([lost, highWatermark]).toEqual([[], agent.acknowledged.size]);
  }
});
