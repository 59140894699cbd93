// Formulas as text that is both shown and executed: what a reader sees is what was computed.
// Grammar: + − × ÷ ( ), numbers, symbols, and the functions ceil(x), max(x, y, …), min(x, y, …).
import { ceiling, type Decimal, decimal, larger, ONE, smaller, ZERO } from '../decimal/index.ts';

export type Lookup = (symbol: string) => Decimal;
export interface Formula {
  readonly text: string;
  readonly symbols: readonly string[];
  /** The symbols to the right of a ÷, also within parentheses and functions. Their values must stay above 0. */
  readonly divisors: readonly string[];
  /** Throws RangeError for a division of anything but 0 by 0. */
  readonly evaluate: (lookup: Lookup) => Decimal;
}

type Node = (lookup: Lookup) => Decimal;

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-z][a-z0-9_]*)|([()+−×÷,]))/y;

class Parser {
  readonly symbols = new Set<string>();
  readonly divisors = new Set<string>();
  readonly #tokens: string[] = [];
  #at = 0;
  readonly #text: string;
  /** How many divisors are open around the current token. */
  #divisorDepth = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const match = TOKEN.exec(text);
      if (match === null) {
        throw new SyntaxError(`cannot read the formula "${text}"`);
      }
      this.#tokens.push(match[0].trim());
    }
  }

  parse(): Node {
    const node = this.#sum();
    if (this.#at < this.#tokens.length) {
      throw this.#unexpected();
    }
    return node;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`unexpected "${this.#tokens[this.#at] ?? 'end'}" in the formula "${this.#text}"`);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) {
      return false;
    }
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) {
      throw this.#unexpected();
    }
  }

  #sum(): Node {
    let left = this.#product();
    for (;;) {
      const before = left;
      if (this.#take('+')) {
        const right = this.#product();
        left = (lookup) => before(lookup).plus(right(lookup));
      } else if (this.#take('−')) {
        const right = this.#product();
        left = (lookup) => before(lookup).minus(right(lookup));
      } else {
        return left;
      }
    }
  }

  #product(): Node {
    let left = this.#operand();
    for (;;) {
      const before = left;
      if (this.#take('×')) {
        const right = this.#operand();
        left = (lookup) => before(lookup).times(right(lookup));
      } else if (this.#take('÷')) {
        this.#divisorDepth += 1;
        const right = this.#operand();
        this.#divisorDepth -= 1;
        left = (lookup) => this.#divide(before(lookup), right(lookup));
      } else {
        return left;
      }
    }
  }

  /** 0 ÷ 0 is 0: an empty cluster must cost its minimum, not NaN. */
  #divide(dividend: Decimal, divisor: Decimal): Decimal {
    if (!divisor.isZero()) {
      return dividend.div(divisor);
    }
    if (dividend.isZero()) {
      return ZERO;
    }
    throw new RangeError(`the formula "${this.#text}" divides ${dividend.toFixed()} by 0`);
  }

  #operand(): Node {
    if (this.#take('(')) {
      const inner = this.#sum();
      this.#expect(')');
      return inner;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined || /^[)+−×÷,]$/.test(token)) {
      throw this.#unexpected();
    }
    this.#at += 1;
    if (/^\d/.test(token)) {
      const constant = token === '1' ? ONE : decimal(token);
      return () => constant;
    }
    if (this.#take('(')) {
      return this.#call(token);
    }
    this.symbols.add(token);
    if (this.#divisorDepth > 0) {
      this.divisors.add(token);
    }
    return (lookup) => lookup(token);
  }

  #call(name: string): Node {
    const args = [this.#sum()];
    while (this.#take(',')) {
      args.push(this.#sum());
    }
    this.#expect(')');
    const [first = () => ZERO, ...rest] = args;
    switch (name) {
      case 'ceil':
        return (lookup) => ceiling(first(lookup));
      case 'max':
        return (lookup) => rest.reduce((best, arg) => larger(best, arg(lookup)), first(lookup));
      case 'min':
        return (lookup) => rest.reduce((best, arg) => smaller(best, arg(lookup)), first(lookup));
      default:
        throw new SyntaxError(`no function "${name}" in the formula "${this.#text}"`);
    }
  }
}

/** Parses a formula once; it can then be executed any number of times. Throws SyntaxError. */
export function readFormula(text: string): Formula {
  const parser = new Parser(text);
  const evaluate = parser.parse();
  return { text, symbols: [...parser.symbols], divisors: [...parser.divisors], evaluate };
}
