// Finds the topics of a group's regular expressions among those that exist now.
import type { ClusterState, CommandOf, ConsumerGroupWork } from '@penstock/metadata-core';
import { topicVisibility } from '@penstock/metadata-core';
import type { ClusterIdentity } from '@penstock/metadata-journal';
import { type Patterns, sizeProblem } from './patterns.ts';

/** Names that are handed over at once. */
const NAMES_PER_QUESTION = 1_000;
/** How long to work before others have their turn. */
const STEP_MS = 2;
/** Names that are merged or checked between two looks at the clock. With 10,000 ACLs, checking one takes about 0.2 ms. */
const NAMES_PER_LOOK = 10;

export interface ResolvingOptions {
  cluster: ClusterIdentity;
  state: ClusterState;
  patterns: Patterns;
  monotonicMs: () => number;
  /** Waits for a turn among all clusters. */
  turn: () => Promise<void> | undefined;
  /** A pattern is too large: it finds nothing. Requests with one are refused, so this says that the limit was lowered. */
  onTooLarge: (problem: string) => void;
}

/**
 * A topic matches as a whole, and only if the principal may describe it. Commands may run meanwhile: what they change is not seen.
 * @throws PatternsUnavailable
 */
export async function resolvePatterns(
  options: ResolvingOptions,
  groupId: string,
  wanted: ConsumerGroupWork['regexes'],
): Promise<CommandOf<'resolve-group-regexes'>> {
  const { state, onTooLarge } = options;
  const names = [...state.topicsByName.keys()];
  const regexes: CommandOf<'resolve-group-regexes'>['regexes'] = [];
  for (const { regex, principal, clientHost } of wanted) {
    const problem = sizeProblem(regex);
    if (problem !== null) {
      onTooLarge(problem);
      regexes.push({ regex, topics: [] });
      continue;
    }
    const isVisible = topicVisibility(state.security, principal, clientHost);
    regexes.push({ regex, topics: await topicsOf(options, regex, names, isVisible) });
  }
  return { kind: 'resolve-group-regexes', groupId, regexes };
}

/** Returns the topics in ascending order. */
async function topicsOf(
  options: ResolvingOptions,
  regex: string,
  names: readonly string[],
  isVisible: (name: string) => boolean,
): Promise<string[]> {
  const { cluster, patterns } = options;
  const steps = new Steps(options);
  const sorted: string[][] = [];
  for (let from = 0; from < names.length; ) {
    const asked = names.slice(from, from + NAMES_PER_QUESTION);
    const { matched, looked } = await patterns.match(cluster, regex, asked);
    await steps.begin();
    const found: string[] = [];
    for (const index of matched) {
      const name = asked[index];
      if (name !== undefined && isVisible(name)) {
        found.push(name);
      }
      const waiting = steps.look(1);
      if (waiting !== undefined) {
        await waiting;
      }
    }
    if (found.length > 0) {
      sorted.push(found.sort());
    }
    from += Math.max(1, looked);
  }
  return await merged(sorted, steps);
}

/** Merges sorted lists pairwise until one is left. */
async function merged(lists: string[][], steps: Steps): Promise<string[]> {
  let round = lists;
  while (round.length > 1) {
    const next: string[][] = [];
    for (let at = 0; at < round.length; at += 2) {
      next.push(await mergedPair(round[at] ?? [], round[at + 1] ?? [], steps));
    }
    round = next;
  }
  return round[0] ?? [];
}

async function mergedPair(a: readonly string[], b: readonly string[], steps: Steps): Promise<string[]> {
  const result: string[] = [];
  let [ofA, ofB] = [0, 0];
  for (;;) {
    const [left, right] = [a[ofA], b[ofB]];
    if (left === undefined && right === undefined) {
      return result;
    }
    if (right === undefined || (left !== undefined && left < right)) {
      result.push(left ?? '');
      ofA += 1;
    } else {
      result.push(right);
      ofB += 1;
    }
    const waiting = steps.look(1);
    if (waiting !== undefined) {
      await waiting;
    }
  }
}

/** Tells when a step has lasted long enough, and waits for the next turn then. */
class Steps {
  readonly #options: ResolvingOptions;
  #endMs = 0;
  #left = NAMES_PER_LOOK;

  constructor(options: ResolvingOptions) {
    this.#options = options;
  }

  /** Waits for the first turn after something was waited for. */
  async begin(): Promise<void> {
    await this.#options.turn();
    this.#endMs = this.#options.monotonicMs() + STEP_MS;
  }

  look(names: number): Promise<void> | undefined {
    this.#left -= names;
    if (this.#left > 0) {
      return undefined;
    }
    this.#left = NAMES_PER_LOOK;
    return this.#options.monotonicMs() >= this.#endMs ? this.begin() : undefined;
  }
}
