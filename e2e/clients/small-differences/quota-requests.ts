// Client quotas by raw requests: libraries hide the order in which a response names the parts of an entity.
import { ask, header, int32, string } from '../support/raw-kafka.ts';
import { Reader } from '../support/wire-reader.ts';

const DESCRIBE = 48;
const ALTER = 49;
/** Matches any name of the type, the default included. */
const ANY = Buffer.from([2, 0xff, 0xff]);

export type EntityPart = [type: string, name: string];

function readEntity(reader: Reader): EntityPart[] {
  return reader.array(() => [reader.string(), reader.string()]);
}

/** Sets consumer_byte_rate of an entity. Returns the entity as the answer names it. */
export async function setConsumerRate(bootstrap: string, entity: EntityPart[], rate: number): Promise<EntityPart[]> {
  const value = Buffer.alloc(8);
  value.writeDoubleBE(rate);
  const parts = entity.flatMap(([type, name]) => [string(type), string(name)]);
  const op = [string('consumer_byte_rate'), value, Buffer.from([0])];
  const body = [int32(1), int32(entity.length), ...parts, int32(1), ...op, Buffer.from([0])];
  const reader = new Reader(await ask(bootstrap, Buffer.concat([header(ALTER, 0), ...body])));
  reader.int32(); // correlation id
  reader.int32(); // throttle time
  const [[errorCode, message, answered] = []] = reader.array(
    () => [reader.int16(), reader.string(), readEntity(reader)] as const,
  );
  if (errorCode !== 0) {
    throw new Error(`error ${errorCode}: ${message}`);
  }
  return answered ?? [];
}

/** The entities that have both a user and a client id. */
export async function describeUserClients(bootstrap: string): Promise<EntityPart[][]> {
  const components = ['user', 'client-id'].flatMap((type) => [string(type), ANY]);
  const body = [int32(2), ...components, Buffer.from([0])];
  const reader = new Reader(await ask(bootstrap, Buffer.concat([header(DESCRIBE, 0), ...body])));
  reader.int32(); // correlation id
  reader.int32(); // throttle time
  reader.int16();
  reader.string();
  return reader.array(() => {
    const entity = readEntity(reader);
    reader.array(() => [reader.string(), reader.bytes(8)]);
    return entity;
  });
}
