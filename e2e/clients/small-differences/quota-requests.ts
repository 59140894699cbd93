// Client quotas by raw requests: libraries hide the order in which a response names the parts of an entity.
import { ask, header, int32, string } from '../support/raw-kafka.ts';
import { Reader } from '../support/wire-reader.ts';

const ALTER = 49;

export type EntityPart = [type: string, name: string];

function readEntity(reader: Reader): EntityPart[] {
  return reader.array(() => [reader.string(), reader.string()]);
}

/** Sets consumer_byte_rate of an entity. Returns the entity as the answer names it, whether or not it was allowed. */
export async function answeredEntity(bootstrap: string, entity: EntityPart[], rate: number): Promise<EntityPart[]> {
  const value = Buffer.alloc(8);
  value.writeDoubleBE(rate);
  const parts = entity.flatMap(([type, name]) => [string(type), string(name)]);
  const op = [string('consumer_byte_rate'), value, Buffer.from([0])];
  const body = [int32(1), int32(entity.length), ...parts, int32(1), ...op, Buffer.from([0])];
  const reader = new Reader(await ask(bootstrap, Buffer.concat([header(ALTER, 0), ...body])));
  reader.int32(); // correlation id
  reader.int32(); // throttle time
  const [answered = []] = reader.array(() => {
    reader.int16();
    reader.string();
    return readEntity(reader);
  });
  return answered;
}
