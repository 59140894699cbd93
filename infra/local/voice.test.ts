// Comments and test names read as plain English. The patterns that are easy to find by machine are found here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';
import { offences, PATTERN_NAMES, passagesOf } from './voice.ts';

const GENERATED = /(^|\/)(gen|generated)\//;

/** The files' own examples of what they forbid. */
const EXAMPLES: ReadonlySet<string> = new Set(['infra/local/voice.ts', 'infra/local/voice.test.ts']);

function counts(path: string, source: string): number[] {
  return [...offences(passagesOf(path, source)).values()].map((found) => found.length);
}

test('patterns are found in Rust', () => {
  const source = [
    '//! What is kept here.',
    '/// Of a topic: its name.',
    'struct A {',
    '    /// Who.',
    '    who: u8,',
    '    /// The same for what came after.',
    '    /// It is long.',
    '    next: u8,',
    '    // Whoever asks waits.',
    '}',
    '#[tokio::test(start_paused = true)]',
    `async fn ${'a'.repeat(61)}() {}`,
    `fn ${'b'.repeat(61)}() {}`,
  ];
  expect(counts('a.rs', source.join('\n'))).toEqual([1, 1, 1, 1, 1, 1]);
});

test('patterns are found in TypeScript', () => {
  const source = [
    '/** What is kept here. */',
    'interface A {',
    '  /** Who. */',
    '  who: string;',
    '  /**',
    '   * Of a topic: its name.',
    '   */',
    '  topic: string;',
    '  /** That of the landed file. */',
    '  // Whoever asks waits.',
    '}',
    `test('${'a'.repeat(61)}', () => {});`,
    `it.each([1])('${'a'.repeat(60)}', () => {});`,
  ];
  expect(counts('a.test.ts', source.join('\n'))).toEqual([1, 1, 1, 1, 1, 1]);
});

test('a tag that needs no words is no short doc comment', () => {
  expect(counts('a.ts', '/** @internal */\nlet a;\n/** @deprecated use b */')).toEqual([0, 0, 0, 0, 0, 0]);
});

test('comments and test names read as plain English', () => {
  const files = execFileSync('git', ['ls-files', '*.rs', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !GENERATED.test(path) && !EXAMPLES.has(path));
  const passages = files.flatMap((path) => passagesOf(path, readFileSync(join(root, path), 'utf8')));
  expect(passages.length).toBeGreaterThan(10_000);
  expect(offences(passages)).toEqual(new Map(PATTERN_NAMES.map((name) => [name, []])));
});
