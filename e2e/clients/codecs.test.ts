// Batches pass through unchanged in every codec: what one client compresses, other implementations can read.
import { expect, inject, test } from 'vitest';
import { type Codec, clients } from './support/clients.ts';
import { faultsOf, makeValues, recordCount } from './support/records.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
const values = makeValues(Math.min(2_000, recordCount));
const writers = clients.flatMap((client) => client.codecs.map((codec) => ({ client, codec })));

/** A reader other than the writer, rotating through the clients. */
function readerFor(writer: (typeof clients)[number], codec: Codec): (typeof clients)[number] {
  const others = clients.filter((client) => client !== writer && client.codecs.includes(codec));
  const reader = others[clients.indexOf(writer) % others.length];
  if (reader === undefined) {
    throw new Error(`Only ${writer.name} knows ${codec}`);
  }
  return reader;
}

test.each(writers.map(({ client, codec }) => ({ client, codec, reader: readerFor(client, codec) })))(
  '$codec from $client.name is read by $reader.name',
  async ({ client, codec, reader }) => {
    const topic = `codec-${codec}-${client.name.replaceAll(' ', '-')}`;
    await createTopic(bootstrap, topic, 3);
    await client.produce(bootstrap, topic, values, codec);
    expect(faultsOf(await reader.consume(bootstrap, topic, values.length), values)).toEqual([]);
  },
);
