// What Penstock once answered otherwise than Apache Kafka to raw requests. With PENSTOCK_E2E_TARGET=kafka the same tests run against Apache
// Kafka.
import { beforeAll, expect, inject, test } from 'vitest';
import { answeredEntity, type EntityPart } from './small-differences/quota-requests.ts';
import { fetchInSession } from './small-differences/session-requests.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
/** The name is new in each run, so that a system may be used again. */
const name = `differences-of-requests-${process.pid}`;
const FETCH_SESSION_ID_NOT_FOUND = 70;

beforeAll(() => createTopic(bootstrap, name, 1));

test.each([
  [0, -1, 0],
  [-1, -1, 0],
  [0, 0, 0],
  [-1, 0, 0],
  // A full fetch closes the session that it names, whether or not there is one.
  [12_345, -1, 0],
  [12_345, 0, 0],
  [0, 1, FETCH_SESSION_ID_NOT_FOUND],
  [12_345, 1, FETCH_SESSION_ID_NOT_FOUND],
  [12_345, -7, FETCH_SESSION_ID_NOT_FOUND],
])('answers fetches like Kafka for session id %i and epoch %i', async (sessionId, epoch, errorCode) => {
  const answer = await fetchInSession(bootstrap, name, { sessionId, epoch });
  expect(answer).toEqual({ errorCode, topics: errorCode === 0 ? 1 : 0 });
});

test('names the parts of a quota’s entity in Kafka’s order', async () => {
  const client: EntityPart = ['client-id', name];
  const user: EntityPart = ['user', name];
  expect(await answeredEntity(bootstrap, [user, client], 1e9)).toEqual([client, user]);
});
