// A doc comment describes the parameters that the function has.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

/** The sources of this repository. */
const SOURCES = ['apps', 'packages', 'infra', 'e2e', 'prisma'].map((folder) => `${folder}/**/*.{ts,tsx,mjs}`);
const OTHERS = /(^|\/)(node_modules|gen|generated|target|\.next[^/]*)(\/|$)/;

/** Names of parameters, and of what parameters are taken apart into or consist of. */
function namesIn(node: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (child: ts.Node, isInParameter: boolean): void => {
    const isName = isInParameter && (ts.isBindingElement(child) || ts.isPropertySignature(child));
    if ((ts.isParameter(child) || isName) && ts.isIdentifier(child.name)) {
      names.add(child.name.text);
    }
    if (!ts.isBlock(child)) {
      ts.forEachChild(child, (inner) => visit(inner, isInParameter || ts.isParameter(child)));
    }
  };
  visit(node, false);
  return names;
}

/** `input.name` is a property of `input`, or of a parameter that has no name of its own. */
function exists(documented: string, names: ReadonlySet<string>): boolean {
  const [first = '', ...properties] = documented.split('.');
  return names.has(first) || names.has(properties.at(-1) ?? '');
}

/** Documented parameters that do not exist, as `path:line`. */
function strayParameters(path: string, text: string): string[] {
  if (!text.includes('@param')) {
    return [];
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const docs = ts.getJSDocCommentsAndTags(node).filter((doc) => ts.isJSDoc(doc) && doc.parent === node);
    for (const tag of docs.flatMap((doc) => (ts.isJSDoc(doc) ? (doc.tags ?? []) : []))) {
      if (ts.isJSDocParameterTag(tag) && !exists(tag.name.getText(source), namesIn(node))) {
        found.push(`${path}:${source.getLineAndCharacterOfPosition(tag.pos).line + 1}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('a documented parameter that does not exist is found', () => {
  const text =
    '/**\n * @param timeMs ends it\n * @param time_ms ends it\n */\nfunction f({ timeMs }: { timeMs: number }) {}';
  expect(strayParameters('f.ts', text)).toEqual(['f.ts:3']);
});

test('doc comments describe the parameters that functions have', () => {
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => OTHERS.test(path) });
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((path) => strayParameters(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
