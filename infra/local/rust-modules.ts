// Finds cycles between the modules of a Rust crate from its `use` declarations and paths. Compares siblings: `a::x` using `b::y` is a
// dependency of `a` on `b`. Dependencies between a parent and its children do not count. Tests are left out.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const TEST_MODULE = /^(tests|testing|.*_tests)$/;

/** The cycles of a crate, each as the sorted names of its modules. `sources`: source texts by module path, such as `read_path::share`. */
export function moduleCycles(sources: ReadonlyMap<string, string>): string[][] {
  const texts = new Map([...sources].map(([name, text]) => [name, withoutCommentsAndTests(text)]));
  const reexports = new Map<string, string>();
  for (const [name, text] of texts) {
    for (const [, tree = ''] of text.matchAll(/\bpub(?:\([^)]*\))?\s+use\s+([^;]+);/g)) {
      for (const path of expand(tree)) {
        const found = resolve(texts, name, path);
        if (found !== undefined && found.item !== undefined && found.module !== name) {
          reexports.set(join2(name, path.at(-1) ?? ''), found.module);
        }
      }
    }
  }
  const arrows = new Map<string, Set<string>>();
  for (const [name, text] of texts) {
    for (const path of pathsOf(text)) {
      const found = resolve(texts, name, path);
      if (found === undefined) {
        continue;
      }
      const target = reexports.get(join2(found.module, found.item ?? '')) ?? found.module;
      const [from, to] = siblings(name, target);
      if (from !== undefined && to !== undefined) {
        arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
      }
    }
  }
  return cyclesOf(arrows);
}

/** The source texts of a crate's modules, by module path. */
export async function modulesOf(sourceFolder: string): Promise<Map<string, string>> {
  const entries = await readdir(sourceFolder, { recursive: true, withFileTypes: true });
  const modules = new Map<string, string>();
  for (const entry of entries.filter(({ name }) => name.endsWith('.rs'))) {
    const path = relative(sourceFolder, join(entry.parentPath, entry.name)).replace(/\.rs$/, '').split('/');
    if (['mod', 'lib', 'main'].includes(path.at(-1) ?? '')) {
      path.pop();
    }
    if (path.some((part) => TEST_MODULE.test(part))) {
      continue;
    }
    const name = path.join('::');
    modules.set(name, (modules.get(name) ?? '') + (await readFile(join(entry.parentPath, entry.name), 'utf8')));
  }
  return modules;
}

function withoutCommentsAndTests(text: string): string {
  const tests = text.indexOf('#[cfg(test)]\nmod tests {');
  return text.slice(0, tests < 0 ? undefined : tests).replaceAll(/\/\/[^\n]*/g, '');
}

function pathsOf(text: string): string[][] {
  const uses = [...text.matchAll(/\buse\s+([^;]+);/g)].flatMap(([, tree = '']) => expand(tree));
  const inline = text.replaceAll(/\buse\s+[^;]+;/g, '').matchAll(/\b(?:crate|super|self)(?:::\w+)+/g);
  return [...uses, ...[...inline].map(([path]) => path.split('::'))];
}

/** Expands `a::{b, c::d}` to `a::b` and `a::c::d`. */
function expand(tree: string, prefix: readonly string[] = []): string[][] {
  const group = /^([\w:]*?)(?:::)?\{([\s\S]*)\}$/.exec(tree.trim());
  if (group === null) {
    return [
      [
        ...prefix,
        ...tree
          .replace(/\s+as\s+\w+/, '')
          .trim()
          .split('::')
          .filter(Boolean),
      ],
    ];
  }
  const [, before = '', inner = ''] = group;
  const parts: string[] = [''];
  let depth = 0;
  for (const character of inner) {
    depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    if (character === ',' && depth === 0) {
      parts.push('');
    } else {
      parts[parts.length - 1] += character;
    }
  }
  const inside = [...prefix, ...before.split('::').filter(Boolean)];
  return parts.filter((part) => part.trim() !== '').flatMap((part) => expand(part, inside));
}

/** The module that a path leads to, and the name in it. Undefined for other crates. */
function resolve(
  modules: ReadonlyMap<string, string>,
  from: string,
  path: readonly string[],
): { module: string; item: string | undefined } | undefined {
  let rest = [...path];
  let module = from;
  if (rest[0] === 'crate') {
    module = '';
    rest = rest.slice(1);
  } else if (rest[0] === 'self') {
    rest = rest.slice(1);
  } else if (rest[0] === 'super') {
    for (; rest[0] === 'super'; rest = rest.slice(1)) {
      module = module.split('::').slice(0, -1).join('::');
    }
  } else if (!modules.has(join2(from, rest[0] ?? ''))) {
    return undefined;
  }
  for (; rest[0] !== undefined && modules.has(join2(module, rest[0])); rest = rest.slice(1)) {
    module = join2(module, rest[0]);
  }
  return { module, item: rest[0] };
}

function join2(module: string, name: string): string {
  return module === '' ? name : `${module}::${name}`;
}

/** The first pair of names where two module paths differ; undefined when one contains the other. */
function siblings(left: string, right: string): [from?: string, to?: string] {
  const [from, to] = [left.split('::'), right.split('::')];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) {
    shared += 1;
  }
  if (left === '' || right === '' || shared === from.length || shared === to.length) {
    return [];
  }
  return [from.slice(0, shared + 1).join('::'), to.slice(0, shared + 1).join('::')];
}

/** Strongly connected components: sets of nodes that reach each other. */
function cyclesOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map<string, Set<string>>();
  for (const start of arrows.keys()) {
    const seen = new Set<string>();
    const waiting = [...(arrows.get(start) ?? [])];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (!seen.has(node)) {
        seen.add(node);
        waiting.push(...(arrows.get(node) ?? []));
      }
    }
    reached.set(start, seen);
  }
  const cycles = new Map<string, string[]>();
  for (const [node, seen] of reached) {
    if (seen.has(node)) {
      const members = [...seen].filter((other) => reached.get(other)?.has(node) === true).sort();
      cycles.set(members.join(), members);
    }
  }
  return [...cycles.values()];
}
