// Enlarges the demo cluster: agents that register, heartbeat and report, topics with many partitions, and a group that reads them.
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { CLUSTER_HEADER, MetadataService } from '@penstock/metadata-protocol';
import { type Fleet, startFleet } from './agents.ts';

const TOPICS = 16;
const ZONES = ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'] as const;
/** The intervals that the service gives to agents. */
const HEARTBEAT_MS = 3_000;
/** Maximum number of concurrent registrations. */
const AT_ONCE = 32;

export interface LargeCluster {
  /** Pauses the agents' reports and heartbeats, too briefly for their absence to be noticed. */
  pause(): void;
  resume(): void;
  /** @throws the first failed call of an agent */
  stop(): Promise<void>;
}

export async function startLargeCluster(
  rpcUrl: string,
  cluster: { clusterId: string; key: string },
  agents: number,
  partitions: number,
): Promise<LargeCluster> {
  const sessionManager = new Http2SessionManager(rpcUrl);
  const transport = createConnectTransport({ baseUrl: rpcUrl, httpVersion: '2', sessionManager });
  const client = createClient(MetadataService, transport);
  const headers = { authorization: `Bearer ${cluster.key}`, [CLUSTER_HEADER]: cluster.clusterId };
  const ids = Array.from({ length: agents }, (_, index) => `agent-${index}`);
  await inTurns(ids, async (agentId, index) => {
    const request = {
      agentId,
      zone: ZONES[index % ZONES.length] ?? '',
      version: '0.1.0',
      advertisedHost: `10.0.${index >> 8}.${index & 255}`,
      advertisedPort: 9092,
      bucket: 's3://bench/large',
    };
    await client.registerAgent(request, { headers });
  });
  const perTopic = Math.max(1, Math.round(partitions / TOPICS));
  const topics = Array.from({ length: TOPICS }, (_, index) => ({ name: `topic-${index}`, partitions: perTopic }));
  await client.createTopics({ topics }, { headers });
  const offsets = topics.flatMap(({ name: topic }) =>
    Array.from({ length: perTopic }, (_, partition) => ({ topic, partition, offset: 0n, leaderEpoch: -1 })),
  );
  await client.commitOffsets({ groupId: 'readers', generationId: -1, memberId: '', offsets }, { headers });

  let failure: unknown;
  let isStopping = false;
  const fleet: Fleet = startFleet(rpcUrl, cluster, agents);
  const beats = ids.map((agentId, index) => {
    let timer: NodeJS.Timeout;
    const beat = (): void => {
      fleet.gate
        .pass()
        .then(() => client.agentHeartbeat({ agentId, stats: { openConnections: 3 } }, { headers }))
        .catch((error: unknown) => {
          if (!isStopping) {
            failure ??= error;
          }
        });
      timer = setTimeout(beat, HEARTBEAT_MS);
    };
    // Spread over the interval, like agents that start independently.
    timer = setTimeout(beat, (index / agents) * HEARTBEAT_MS);
    return () => clearTimeout(timer);
  });
  return {
    pause: () => fleet.gate.shut(),
    resume: () => fleet.gate.open(),
    async stop() {
      isStopping = true;
      for (const stop of beats) {
        stop();
      }
      await fleet.stop();
      sessionManager.abort();
      if (failure !== undefined) {
        throw failure;
      }
    },
  };
}

async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items.entries()];
  const next = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await work(entry[1], entry[0]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
