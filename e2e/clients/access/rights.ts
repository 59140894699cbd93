// Creates what the requests of the matrix need, and sends them.
import { type Admin, Kafka, logLevel, type SASLOptions } from 'kafkajs';
import type { RawConnection } from '../support/raw-connection.ts';
import { Reader } from '../support/wire-reader.ts';
import { APIS, type Api, NAME_PREFIX, TOPIC, TOPIC_PARTITIONS } from './apis.ts';

const TIMEOUT_MS = 15_000;

export const nobody = { user: 'nobody', password: 'of-nobody' };
/** Has the rights that the requests need. */
export const alice = { user: 'alice', password: 'of-alice' };
/** A user with all rights. */
export const admin = { user: 'admin', password: 'of-admin' };

/** Signs in, calls `work` with the client and signs out. */
export async function asAdmin<T>(
  bootstrap: string,
  mechanism: 'plain' | 'scram-sha-256',
  work: (client: Admin) => Promise<T>,
): Promise<T> {
  const sasl: SASLOptions = { mechanism, username: admin.user, password: admin.password };
  const client = new Kafka({ brokers: [bootstrap], sasl, logLevel: logLevel.NOTHING }).admin();
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.disconnect();
  }
}

export async function createTopic(client: Admin): Promise<void> {
  await client.createTopics({ topics: [{ topic: TOPIC, numPartitions: TOPIC_PARTITIONS, replicationFactor: 1 }] });
}

/** Gives Alice the rights that the requests need. */
export async function allowAlice(client: Admin): Promise<void> {
  const [anything, allow] = [2, 3];
  const [topic, group, cluster, transactionalId] = [2, 3, 4, 5];
  const [literal, prefixed] = [3, 4];
  const rule = { principal: `User:${alice.user}`, host: '*', operation: anything, permissionType: allow };
  await client.createAcls({
    acl: [
      { ...rule, resourceType: topic, resourceName: NAME_PREFIX, resourcePatternType: prefixed },
      { ...rule, resourceType: group, resourceName: NAME_PREFIX, resourcePatternType: prefixed },
      { ...rule, resourceType: transactionalId, resourceName: NAME_PREFIX, resourcePatternType: prefixed },
      { ...rule, resourceType: cluster, resourceName: 'kafka-cluster', resourcePatternType: literal },
    ],
  });
}

/** Takes all of Alice's rights away. */
export async function revokeFromAlice(client: Admin): Promise<void> {
  const any = 1;
  const filter = { resourceType: any, resourcePatternType: any, operation: any, permissionType: any };
  await client.deleteAcls({ filters: [{ ...filter, principal: `User:${alice.user}` }] });
}

/** Sends one request of the matrix. */
export async function ask(
  connection: RawConnection,
  { key, name, version, body, isFlexible, read }: Api,
): Promise<number> {
  const answer = connection.ask(key, version, body, TIMEOUT_MS, isFlexible).catch((cause: unknown) => {
    throw new Error(`No answer to ${name}`, { cause });
  });
  return read(new Reader(await answer));
}

/** Calls every API as a signed-in client over one connection. Returns the error codes by API name. */
export async function answers(connection: RawConnection): Promise<Record<string, number>> {
  const answered: Record<string, number> = {};
  for (const api of APIS) {
    answered[api.name] = await ask(connection, api);
  }
  return answered;
}

/** Kafka's responses to a client without rights, or with them. */
export function expected(outcome: 'denied' | 'allowed'): Record<string, number> {
  return Object.fromEntries(APIS.map((api) => [api.name, api[outcome]]));
}
