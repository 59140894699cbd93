// Regular expressions over topic names, by RE2: they take time in proportion to the pattern and the name, whatever the pattern.
import type { ClusterState, CommandOf, ConsumerGroupWork } from '@penstock/metadata-core';
import { topicVisibility } from '@penstock/metadata-core';
import { RE2JS, RE2JSException } from 're2js';

/** Topics that a step matches: about a millisecond. */
const TOPICS_PER_STEP = 500;

/** Why a pattern is not one of RE2; null when it is. */
export function regexProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (cause) {
    if (cause instanceof RE2JSException) {
      return cause.message;
    }
    throw cause;
  }
}

/**
 * Finds the topics of regular expressions among those that exist now. A topic matches as a whole, and only if the principal may describe it.
 * Each step takes about a millisecond, and commands may run between two: what they change is not seen.
 */
export function* resolveRegexes(
  state: ClusterState,
  groupId: string,
  wanted: ConsumerGroupWork['regexes'],
): Generator<void, CommandOf<'resolve-group-regexes'>> {
  const names = [...state.topicsByName.keys()].sort();
  const compiled = wanted.map(({ regex, principal, clientHost }) => ({
    regex,
    pattern: RE2JS.compile(regex),
    isVisible: topicVisibility(state.security, principal, clientHost),
    topics: [] as string[],
  }));
  let matched = 0;
  for (const name of names) {
    for (const { pattern, isVisible, topics } of compiled) {
      if (pattern.matches(name) && isVisible(name)) {
        topics.push(name);
      }
      matched += 1;
      if (matched % TOPICS_PER_STEP === 0) {
        yield;
      }
    }
  }
  return {
    kind: 'resolve-group-regexes',
    groupId,
    regexes: compiled.map(({ regex, topics }) => ({ regex, topics })),
  };
}
