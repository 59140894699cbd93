// Writes request bodies of flexible versions for the raw client.

/** An empty list of tagged fields. */
const NO_TAGS = Buffer.from([0]);

/** Length of a string, bytes or an array, which is null with -1. For lengths below 127. */
function compactLength(length: number): Buffer {
  return Buffer.from([length + 1]);
}

export function compactBytes(bytes: Buffer): Buffer {
  return Buffer.concat([compactLength(bytes.length), bytes]);
}

export function compactString(text: string | null): Buffer {
  return text === null ? compactLength(-1) : compactBytes(Buffer.from(text));
}

export function compactArray(items: readonly Buffer[] | null): Buffer {
  return items === null ? compactLength(-1) : Buffer.concat([compactLength(items.length), ...items]);
}

export function boolean(value: boolean): Buffer {
  return Buffer.from([value ? 1 : 0]);
}

/** Fields in their order. Tagged fields follow, of which there are none. */
export function struct(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat([...fields, NO_TAGS]);
}
