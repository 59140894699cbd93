// Finds comments and test names that do not read as plain English: fragments, riddles and words that the field does not use.
import ts from 'typescript';

/** A doc comment or the name of a test. */
export interface Passage {
  kind: 'doc' | 'comment' | 'test name';
  /** Where it begins, as `path:line`. */
  at: string;
  /** Its words on one line, without comment markers. */
  text: string;
}

const MAX_TEST_NAME_CHARACTERS = 60;
const MIN_DOC_WORDS = 4;

/** Words that stand for a term of the field, or that we made up. */
const FOREIGN_WORDS =
  /\b(told|(?<!-- )strangers?|whoever|takes? back|taken back|patience|broken off|beside|so (many|much) (is|are|of it)|(held|hold|holds) against|mostParts|comingsAndGoings|shallForce|(let|handed)Through|OwnerStoppedDown)\b/i;

/** Each pattern, with a test that recognizes it. */
const PATTERNS: readonly { name: string; kinds: readonly Passage['kind'][]; matches: (text: string) => boolean }[] = [
  { name: 'a doc comment that begins with "Of"', kinds: ['doc'], matches: (text) => /^Of\b/.test(text) },
  {
    name: 'a doc comment that begins with "The same" or "That of"',
    kinds: ['doc'],
    matches: (text) => /^(The same|That of)\b/.test(text),
  },
  { name: 'a doc comment that begins with "What"', kinds: ['doc'], matches: (text) => /^What\b/.test(text) },
  {
    name: `a doc comment of fewer than ${MIN_DOC_WORDS} words`,
    kinds: ['doc'],
    matches: (text) => !text.startsWith('@') && text.split(/\s+/).length < MIN_DOC_WORDS,
  },
  { name: 'a word of our own', kinds: ['doc', 'comment'], matches: (text) => FOREIGN_WORDS.test(text) },
  {
    name: `a test name longer than ${MAX_TEST_NAME_CHARACTERS} characters`,
    kinds: ['test name'],
    matches: (text) => text.length > MAX_TEST_NAME_CHARACTERS,
  },
];

/** The names of all patterns, in the order in which they are checked. */
export const PATTERN_NAMES: readonly string[] = PATTERNS.map(({ name }) => name);

/** The passages that match each pattern, as `path:line text`, by the pattern's name. */
export function offences(passages: readonly Passage[]): Map<string, string[]> {
  return new Map(
    PATTERNS.map(({ name, kinds, matches }) => [
      name,
      passages.filter(({ kind, text }) => kinds.includes(kind) && matches(text)).map(({ at, text }) => `${at} ${text}`),
    ]),
  );
}

/** The doc comments, other comments and test names of a Rust or TypeScript source. */
export function passagesOf(path: string, source: string): Passage[] {
  return path.endsWith('.rs') ? rustPassages(path, source) : typeScriptPassages(path, source);
}

function rustPassages(path: string, source: string): Passage[] {
  const found: Passage[] = [];
  let block: { marker: string; line: number; words: string[] } | undefined;
  const close = (): void => {
    if (block !== undefined && block.words.length > 0) {
      // The docs of options are the help that users read: labels such as "Cluster name or ID".
      const kind = block.marker === '//' || isHelp ? 'comment' : 'doc';
      found.push({ kind, at: `${path}:${block.line}`, text: block.words.join(' ') });
    }
    block = undefined;
  };
  let isTest = false;
  let isHelp = false;
  for (const [index, line] of source.split('\n').entries()) {
    const [, marker, text = ''] = /^\s*(\/\/[/!]?)(?!\/)\s*(.*)$/.exec(line) ?? [];
    if (marker !== block?.marker) {
      close();
    }
    if (marker !== undefined) {
      block ??= { marker, line: index + 1, words: [] };
      block.words.push(...(text === '' ? [] : [text]));
      continue;
    }
    isHelp = isHelp ? line !== '}' : /^#\[derive\(.*\b(Args|Parser|Subcommand|ValueEnum)\b/.test(line);
    isTest ||= /#\[(tokio::)?test\b/.test(line);
    const name = /\bfn (\w+)/.exec(line)?.[1];
    if (name !== undefined && isTest) {
      found.push({ kind: 'test name', at: `${path}:${index + 1}`, text: name });
    }
    isTest &&= name === undefined;
  }
  close();
  return found;
}

function typeScriptPassages(path: string, source: string): Passage[] {
  const found: Passage[] = [];
  let line = 1;
  let counted = 0;
  for (const match of source.matchAll(/^[ \t]*\/\*\*(.*?)\*\/|^[ \t]*\/\/ ([^\n]*)$/gms)) {
    const [whole, doc, comment] = match;
    line += source.slice(counted, match.index).split('\n').length - 1;
    counted = match.index;
    if (doc === undefined && comment === undefined) {
      continue;
    }
    const text = whole
      .replaceAll(/^\s*(\/\*\*|\/\/|\*(?!\/))|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    found.push({ kind: doc === undefined ? 'comment' : 'doc', at: `${path}:${line}`, text });
  }
  if (/\.(test|spec)\.tsx?$/.test(path)) {
    found.push(...typeScriptTests(path, source));
  }
  return found;
}

function typeScriptTests(path: string, text: string): Passage[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: Passage[] = [];
  const visit = (node: ts.Node): void => {
    const [name] = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isCallExpression(node) && name !== undefined && isTestFunction(node.expression)) {
      const isText = ts.isStringLiteralLike(name) || ts.isTemplateExpression(name);
      if (isText) {
        const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
        found.push({ kind: 'test name', at: `${path}:${line}`, text: name.getText(source).slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True for `it`, `test`, and what they make: `it.each(…)`, `test.skipIf(…)`. */
function isTestFunction(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) {
    return node.text === 'it' || node.text === 'test';
  }
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
    return isTestFunction(node.expression);
  }
  return ts.isTaggedTemplateExpression(node) && isTestFunction(node.tag);
}
