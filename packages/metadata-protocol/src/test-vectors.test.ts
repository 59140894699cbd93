import { readFileSync } from 'node:fs';
import type { DescMessage, JsonValue } from '@bufbuild/protobuf';
import { fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { file_penstock_metadata_v1_metadata as contract } from './index.ts';

interface Vector {
  name: string;
  message: string;
  json: JsonValue;
  hex: string;
}

// The Rust client checks the same file: both sides must encode the same message to the same bytes.
const vectors: Vector[] = JSON.parse(readFileSync(new URL('../vectors/messages.json', import.meta.url), 'utf8'));

function schemaOf(message: string): DescMessage {
  const schema = contract.messages.find((candidate) => candidate.name === message);
  if (schema === undefined) {
    throw new Error(`the contract has no message ${message}`);
  }
  return schema;
}

describe.each(vectors)('$name', ({ message, json, hex }) => {
  const schema = schemaOf(message);

  test('encodes to the shared bytes', () => {
    expect(Buffer.from(toBinary(schema, fromJson(schema, json))).toString('hex')).toBe(hex);
  });

  test('decodes from the shared bytes', () => {
    expect(toJson(schema, fromBinary(schema, Buffer.from(hex, 'hex')))).toEqual(json);
  });
});
