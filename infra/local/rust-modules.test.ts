import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './paths.ts';
import { moduleCycles, modulesOf } from './rust-modules.ts';

const crates = join(root, 'apps/agent/crates');

describe('the modules of each agent crate', () => {
  const names = readdirSync(crates).filter((name) => existsSync(join(crates, name, 'src')));
  test.each(names)('%s has no cycle', async (name) => {
    expect(moduleCycles(await modulesOf(join(crates, name, 'src')))).toEqual([]);
  });
});

/** Each crate depends on crates of lower layers only. From the top down. */
const layers = [
  ['agent'],
  ['handlers', 'authn', 'cli', 'peers'],
  ['access', 'client-metrics', 'read-path', 'write-path'],
  ['metrics'],
  ['metadata-client', 'store'],
  ['authz', 'http-listener', 'scram', 'telemetry', 'traces', 'wire'],
  ['runtime'],
];

test('lets each agent crate depend on lower layers only', async () => {
  expect(layers.flat().sort()).toEqual(readdirSync(crates).sort());
  const layerOf = new Map(layers.flatMap((names, layer) => names.map((name) => [name, layer])));
  const upward: string[] = [];
  for (const [name, layer] of layerOf) {
    const manifest = await readFile(join(crates, name, 'Cargo.toml'), 'utf8');
    const dependencies = /^\[dependencies\]\n([^[]*)/m.exec(manifest)?.[1] ?? '';
    for (const [, dependency = ''] of dependencies.matchAll(/^penstock-([\w-]+)/gm)) {
      if ((layerOf.get(dependency) ?? -1) <= layer) {
        upward.push(`${name} depends on ${dependency}`);
      }
    }
  }
  expect(upward).toEqual([]);
});

// The command line runs in no simulation.
test.each(layers.flat().filter((name) => name !== 'cli'))('denies what clippy bans in the crate %s', async (name) => {
  const library = await readFile(join(crates, name, 'src/lib.rs'), 'utf8');
  expect(library).toContain('#![cfg_attr(not(test), deny(clippy::disallowed_methods))]');
});

// But none between a parent and its child.
test('finds cycles through groups, re-exports and inline paths', () => {
  const sources = new Map([
    ['', 'mod a; mod b; mod c;'],
    ['a', 'use crate::b::{self, deep::Thing}; mod part; use part::Part;'],
    ['a::part', 'use super::Own;'],
    ['b', 'mod deep; pub use deep::Thing;'],
    ['b::deep', 'fn f() { crate::c::g() } // crate::a is only mentioned'],
    ['c', 'use crate::a::part::Part;\n#[cfg(test)]\nmod tests {\n use crate::b::Thing; }'],
  ]);
  expect(moduleCycles(sources)).toEqual([['a', 'b', 'c']]);
});
