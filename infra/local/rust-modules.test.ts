import { existsSync, readdirSync } from 'node:fs';
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

test('a cycle is found through groups, re-exports and inline paths, and not between a parent and its child', () => {
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
