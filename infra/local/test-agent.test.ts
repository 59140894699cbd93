import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

// No step would run it.
test('no crate’s comment has a Rust example', () => {
  const sources = globSync(['apps/agent/crates/*/src/**/*.rs', 'e2e/bench/load/src/**/*.rs'], { cwd: root });
  expect(sources.length).toBeGreaterThan(100);
  const examples = sources.filter((source) => {
    const fences = readFileSync(join(root, source), 'utf8').match(/^\s*\/\/[/!]\s*```.*$/gm) ?? [];
    return fences.some((fence, index) => index % 2 === 0 && !/```text$/.test(fence.trimEnd()));
  });
  expect(examples).toEqual([]);
});
