// Every client reads back what it sent: each byte, in order, once.
import { expect, inject, test } from 'vitest';
import { clients } from './support/clients.ts';
import { faultsOf, makeValues, recordCount } from './support/records.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
const values = makeValues(recordCount);

test.each(clients)('$name reads back all records of 1 KiB that it sent', async (client) => {
  const topic = `round-trip-${client.name.replaceAll(' ', '-')}`;
  await createTopic(bootstrap, topic, 12);
  await client.produce(bootstrap, topic, values, client.codecs.includes('lz4') ? 'lz4' : 'none');
  const consumed = await client.consume(bootstrap, topic, values.length);
  expect(faultsOf(consumed, values)).toEqual([]);
});
