// How large the program of a regular expression would be, from its text alone: nothing is built. Counted repetitions multiply, so a
// few characters can stand for millions of instructions. https://swtch.com/~rsc/regexp/regexp2.html

/**
 * A pattern of 4,096 characters without counted repetitions stays below it. Matching a name of 249 characters takes at most about 200 ms
 * in the thread of patterns, and compiling at most about 150 ms.
 */
export const MAX_PROGRAM_SIZE = 5_000;

/** A group is two instructions that note where it begins and ends. */
const GROUP_SIZE = 2;
/** Code points of a range in a class that ignores case which cost as much as an instruction: each of them is folded. */
const FOLDED_PER_INSTRUCTION = 1_000;
/** A range whose ends are escapes may span all code points that have cases. */
const UNKNOWN_RANGE_SIZE = 125;
/** Beyond any limit, and still exact when multiplied by RE2's highest count, 1,000. */
const TOO_LARGE = 1_000_000_000;

interface Level {
  /** Size of everything closed at this level. */
  size: number;
  /** Size of the last atom, which an operator would repeat. */
  atom: number;
}

const COUNTS = /\{(\d{1,9})(,(\d{0,9}))?\}/y;
const FLAGS_OR_NAME = /\(\?(P?<\w*>|[a-zA-Z-]*:?)/y;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;

/**
 * The number of instructions, about: rather too many than too few. Of text that RE2 refuses, any number.
 * @param pattern a regular expression in RE2's syntax
 */
export function programSize(pattern: string): number {
  const isFolded = IGNORES_CASE.test(pattern);
  const outer: Level[] = [];
  let level: Level = { size: 0, atom: 0 };
  let folded = 0;
  const atom = (size: number): void => {
    level.size = Math.min(TOO_LARGE, level.size + level.atom);
    level.atom = size;
  };
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at];
    switch (character) {
      case '(':
        outer.push(level);
        level = { size: 0, atom: 0 };
        at = groupStart(pattern, at);
        break;
      case ')': {
        const size = level.size + level.atom + GROUP_SIZE;
        level = outer.pop() ?? { size: 0, atom: 0 };
        atom(size);
        at += 1;
        break;
      }
      case '[': {
        const end = classEnd(pattern, at);
        folded += isFolded ? foldedSize(pattern.slice(at, end)) : 0;
        atom(1);
        at = end;
        break;
      }
      case '\\':
        if (pattern[at + 1] === 'Q') {
          const end = pattern.indexOf('\\E', at);
          atom((end < 0 ? pattern.length : end) - at);
          atom(1);
          at = end < 0 ? pattern.length : end + 2;
        } else {
          atom(1);
          at = escapeEnd(pattern, at);
        }
        break;
      case '{': {
        COUNTS.lastIndex = at;
        const counts = COUNTS.exec(pattern);
        if (counts === null) {
          atom(1);
          at += 1;
        } else {
          level.atom = Math.min(TOO_LARGE, repeatedSize(level.atom, counts));
          at += counts[0].length;
        }
        break;
      }
      case '*':
      case '+':
      case '?':
        level.atom += 1;
        at += 1;
        break;
      default:
        atom(1);
        at += 1;
    }
  }
  for (const { size, atom: last } of outer) {
    level.size += size + last;
  }
  return level.size + level.atom + folded;
}

function repeatedSize(size: number, [, least = '0', upTo, most = '']: RegExpExecArray): number {
  const min = Number(least);
  const max = upTo === undefined ? min : most === '' ? Math.max(min, 1) : Number(most);
  return Math.max(1, size * max + Math.max(0, max - min) + 1);
}

/** Where the content of a group begins, behind its flags or its name. */
function groupStart(pattern: string, at: number): number {
  FLAGS_OR_NAME.lastIndex = at;
  return at + (FLAGS_OR_NAME.exec(pattern)?.[0].length ?? 1);
}

/** Where an escape ends that begins here. */
function escapeEnd(pattern: string, at: number): number {
  if (/[pPx]/.test(pattern[at + 1] ?? '') && pattern[at + 2] === '{') {
    const end = pattern.indexOf('}', at);
    return end < 0 ? pattern.length : end + 1;
  }
  return at + 2;
}

/** Where a class ends that begins here. */
function classEnd(pattern: string, from: number): number {
  let at = from + 1;
  if (pattern[at] === '^') {
    at += 1;
  }
  if (pattern[at] === ']') {
    at += 1;
  }
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern[at] === '\\') {
      at = escapeEnd(pattern, at);
    } else if (pattern.startsWith('[:', at)) {
      const end = pattern.indexOf(':]', at);
      at = end < 0 ? at + 1 : end + 2;
    } else {
      at += 1;
    }
  }
  return at + 1;
}

/** The cost of folding the ranges of a class. */
function foldedSize(text: string): number {
  let size = 0;
  for (let at = text.indexOf('-', 1); at > 0; at = text.indexOf('-', at + 1)) {
    const [first, last] = [text.codePointAt(at - 1) ?? 0, text.codePointAt(at + 1) ?? 0];
    const isPlain =
      text[at + 1] !== '\\' && text[at - 2] !== '\\' && !/[}\]]/.test(text[at - 1] ?? '') && first < 0xd800;
    size += isPlain ? Math.ceil(Math.abs(last - first) / FOLDED_PER_INSTRUCTION) : UNKNOWN_RANGE_SIZE;
  }
  return size;
}
