// Regular expressions over topic names, by RE2 as Kafka's are by RE2J: they take time in proportion to the program and the name. Both are
// bounded, but their product can still be a fifth of a second, so a service that shares its process does this in a thread (`PatternThread`).

import { limits } from '@penstock/metadata-core';
import type { ClusterIdentity } from '@penstock/metadata-journal';
import { RE2JS, RE2JSException } from 're2js';
import { MAX_PROGRAM_SIZE, programSize } from './program-size.ts';

/** The matches among the first of some names. */
export interface Matches {
  /** Indexes of the names that match as a whole, in ascending order. */
  matched: number[];
  /** How many names were looked at, at least one. */
  looked: number;
}

export interface Patterns {
  /**
   * Why a pattern is not one of RE2; null when it is. Its size must be within bounds.
   * @throws PatternsUnavailable
   */
  problem(cluster: ClusterIdentity, pattern: string): Promise<string | null>;
  /**
   * Matches names until some milliseconds have passed. The pattern must be one of RE2 and within bounds.
   * @param names at least one
   * @throws PatternsUnavailable
   */
  match(cluster: ClusterIdentity, pattern: string, names: readonly string[]): Promise<Matches>;
}

/** It could not be found out in time: the machine is overloaded, or the pattern costs far more than its size says. */
export class PatternsUnavailable extends Error {
  override readonly name = 'PatternsUnavailable';
}

/** Why a pattern is refused before anything is built of it; null when it may be compiled. */
export function sizeProblem(pattern: string): string | null {
  if (pattern.length > limits.MAX_REGEX_CHARS) {
    return `it has ${pattern.length} characters, and at most ${limits.MAX_REGEX_CHARS} are accepted`;
  }
  return programSize(pattern) > MAX_PROGRAM_SIZE
    ? `its program would have more than ${MAX_PROGRAM_SIZE} instructions. Use smaller counts in {}, or subscribe to topics by name`
    : null;
}

/** How long names are matched before others have their turn. */
const MATCHING_MS = 10;
/** Compiled patterns to keep. Each takes up to some 10 MiB. */
const MAX_COMPILED = 8;

/** Compiles and matches where it is called. */
export class Compiler {
  readonly #compiled = new Map<string, RE2JS>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  problem(pattern: string): string | null {
    try {
      this.#compile(pattern);
      return null;
    } catch (cause) {
      if (cause instanceof RE2JSException) {
        return cause.message;
      }
      throw cause;
    }
  }

  match(pattern: string, names: readonly string[]): Matches {
    const compiled = this.#compile(pattern);
    const endMs = this.#monotonicMs() + MATCHING_MS;
    const matched: number[] = [];
    for (const [index, name] of names.entries()) {
      if (compiled.matches(name)) {
        matched.push(index);
      }
      if (this.#monotonicMs() >= endMs) {
        return { matched, looked: index + 1 };
      }
    }
    return { matched, looked: names.length };
  }

  #compile(pattern: string): RE2JS {
    const compiled = this.#compiled.get(pattern) ?? RE2JS.compile(pattern);
    this.#compiled.delete(pattern);
    this.#compiled.set(pattern, compiled);
    const oldest = this.#compiled.keys().next();
    if (this.#compiled.size > MAX_COMPILED && oldest.done !== true) {
      this.#compiled.delete(oldest.value);
    }
    return compiled;
  }
}

/** Without a thread: for simulations, tests and benchmarks, in which every cluster is our own. */
export class PatternsHere implements Patterns {
  readonly #compiler = new Compiler(() => 0);

  async problem(_cluster: ClusterIdentity, pattern: string): Promise<string | null> {
    return this.#compiler.problem(pattern);
  }

  async match(_cluster: ClusterIdentity, pattern: string, names: readonly string[]): Promise<Matches> {
    return this.#compiler.match(pattern, names);
  }
}
