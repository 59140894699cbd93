// The persisted formats, byte for byte. A difference here means that journals and snapshots of running clusters could no longer be
// read: raise the version and keep reading the old one, then add a file for the new version. Never edit v1.json.
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import type { CommandKind } from '../command.ts';
import { createState } from '../state/cluster-state.ts';
import { START_MS } from '../testing/cluster.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import golden from './golden/v1.json' with { type: 'json' };
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

const meter = { files: 1, storedBytes: 850, uncompressedBytes: 5_000_000_650, records: 325, clusterMinutes: 1 };
const entries: Readonly<Record<string, string>> = golden.entries;

/** All sample commands, one after the other. */
function sampleState() {
  const state = createState('golden');
  for (const command of Object.values(SAMPLE_COMMANDS)) {
    apply(state, command, START_MS);
  }
  return state;
}

describe('version 1 of the journal', () => {
  it.each(Object.keys(SAMPLE_COMMANDS) as CommandKind[])('writes and reads %s as ever', (kind) => {
    const entry = { nowMs: START_MS, commands: [SAMPLE_COMMANDS[kind]], meter };
    expect(hex(encodeEntry(entry))).toBe(entries[kind]);
    expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual(entry);
  });
});

describe('version 1 of the snapshot', () => {
  it('is written and read as ever', () => {
    expect(hex(encodeSnapshot(sampleState()))).toBe(golden.snapshot);
    expect(hex(encodeSnapshot(decodeSnapshot(fromHex(golden.snapshot))))).toBe(golden.snapshot);
  });
});
