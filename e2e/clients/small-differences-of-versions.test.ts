// What a client gets that sends Fetch in a version that was not announced. With PENSTOCK_E2E_TARGET=kafka the same tests run against Apache
// Kafka.
import { beforeAll, expect, inject, test } from 'vitest';
import { eagerFetches, fetchOutcome } from './small-differences/fetch-requests.ts';
import { type ListedDifference, listedFact } from './small-differences/listed.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
/** The name is new in each run, so that a system may be used again. */
const name = `differences-of-versions-${process.pid}`;
const UNSUPPORTED_VERSION = 35;

const NEWEST_OF_KAFKA: ListedDifference<number | 'closed'> = {
  reason: 'Version 18 adds a field that only followers send, so that Penstock announces Fetch up to version 17.',
  kafka: 0,
  penstock: 'closed',
};
const OLD: ListedDifference<number | 'closed'> = {
  reason: 'Penstock knows the form of versions that Kafka 4 has dropped, and tells their clients what is wrong.',
  kafka: 'closed',
  penstock: UNSUPPORTED_VERSION,
};
const REQUESTS_PER_SECOND: ListedDifference<(sent: number) => void> = {
  reason: 'Kafka closes such a connection at once. Penstock waits 100 ms, because some clients connect again at once.',
  kafka: (sent) => expect(sent).toBeGreaterThan(100),
  penstock: (sent) => expect(sent).toBeLessThanOrEqual(11),
};

beforeAll(() => createTopic(bootstrap, name, 1));

test.each([17, 19, 99, 32_767, -1])('treats Fetch version %i as Kafka does', async (version) => {
  expect(await fetchOutcome(bootstrap, version, name)).toBe(version === 17 ? 0 : 'closed');
});

test(`the newest version of Kafka: ${NEWEST_OF_KAFKA.reason}`, async () => {
  expect(await fetchOutcome(bootstrap, 18, name)).toBe(listedFact(NEWEST_OF_KAFKA));
});

test.each([0, 1, 3])(`Fetch version %i: ${OLD.reason}`, async (version) => {
  expect(await fetchOutcome(bootstrap, version, name)).toBe(listedFact(OLD));
});

test.each([19, 3])(`limits endless Fetch %i: ${REQUESTS_PER_SECOND.reason}`, async (version) => {
  listedFact(REQUESTS_PER_SECOND)(await eagerFetches(bootstrap, version, name, 1_000));
});
