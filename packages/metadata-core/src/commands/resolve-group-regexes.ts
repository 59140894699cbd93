// ResolveGroupRegexes: the topics that match the regular expressions of a group's members. They are found in the
// background, because that takes time in proportion to the number of topics.
import { bumpGroupEpoch } from '../consumer-groups/subscriptions.ts';
import type { ResolveGroupRegexes } from '../model/consumer-groups.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import { setRegex } from '../state/consumer-group.ts';

export function resolveGroupRegexes(
  state: ClusterState,
  command: ResolveGroupRegexes,
  nowMs: number,
): Outcome<'resolve-group-regexes'> {
  const group = state.groups.get(command.groupId);
  const consumer = group?.consumer ?? null;
  const news = command.regexes.filter(({ regex, topics }) => {
    const known = consumer?.regexes.get(regex)?.topics;
    return (
      consumer?.regexSubscribers.has(regex) === true &&
      (known === undefined || known.length !== topics.length || known.some((topic, at) => topic !== topics[at]))
    );
  });
  if (group === undefined || consumer === null || news.length === 0) {
    return unchanged({ resolved: false });
  }
  beforeChange(state, group);
  for (const { regex, topics } of news) {
    setRegex(consumer, regex, { topics });
  }
  bumpGroupEpoch(state, group, consumer, nowMs);
  return changed({ resolved: true });
}
