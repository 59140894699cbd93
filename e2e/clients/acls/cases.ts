// Random sets of ACLs and questions about them. Names, principals and hosts come from few values, so that rules overlap and contradict
// each other often. For the form of a case, see apps/agent/crates/authz/examples/decide.rs.

const RESOURCE_NAMES = [
  'a',
  'ab',
  'abc',
  'b',
  'ba',
  'orders',
  'orders-eu',
  '*',
  '*a',
  '*ab',
  '!x',
  'hardcode',
  'ä',
  'kafka-cluster',
];
const USERS = ['User:alice', 'User:bob', 'User:ANONYMOUS', 'User:a:b'];
/** In rules also for all users, for one that never asks, and for another kind of principal. */
const RULE_PRINCIPALS = [...USERS, 'User:*', 'User:*', 'User:nobody', 'Group:alice'];
const HOSTS = ['10.0.0.1', '10.0.0.2', '0:0:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:2'];
const RULE_HOSTS = [...HOSTS, '*', '*', '*', '*', 'client.example'];
const MAX_RULES = 14;
const QUESTIONS = 12;
/** Kafka's codes for resource types. */
const RESOURCE_TYPES = [2, 3, 4, 5, 6, 7];
const ALL_OPERATIONS = 2;
const LAST_OPERATION = 15;
const LITERAL = 3;
const PREFIXED = 4;
const DENY = 2;
const ALLOW = 3;

/** A splitmix32 generator: the same seed yields the same numbers. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** The lines of one case. */
export function aclCase(seed: number): string[] {
  const random = randomOf(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = <Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value => {
    const value = values[below(values.length)];
    if (value === undefined) {
      throw new Error('nothing to choose from');
    }
    return value;
  };
  // Mostly topics: rules about different types never meet.
  const resourceType = (): number => (random() < 0.7 ? 2 : pick(RESOURCE_TYPES));
  const operation = (): number => ALL_OPERATIONS + below(LAST_OPERATION - ALL_OPERATIONS + 1);
  // Half of them about few operations, so that rules meet.
  const likelyOperation = (): number => (random() < 0.5 ? pick([3, 4, 8, 10, 11]) : operation());
  const superUsers = random() < 0.2 ? pick(USERS) : '';
  const lines = [`C\t${random() < 0.3 ? 1 : 0}\t${superUsers}`];
  // Kafka has no rule twice.
  const distinct = new Set<string>();
  for (let rules = below(MAX_RULES + 1); rules > 0; rules -= 1) {
    const pattern = random() < 0.5 ? LITERAL : PREFIXED;
    const permission = random() < 0.35 ? DENY : ALLOW;
    const rule = [resourceType(), pattern, pick(RESOURCE_NAMES), pick(RULE_PRINCIPALS), pick(RULE_HOSTS)];
    distinct.add(['A', ...rule, likelyOperation(), permission].join('\t'));
  }
  lines.push(...distinct);
  for (let questions = QUESTIONS; questions > 0; questions -= 1) {
    const client = [pick(USERS), pick(HOSTS), resourceType()];
    lines.push(
      random() < 0.25
        ? ['T', ...client, likelyOperation()].join('\t')
        : ['R', ...client, pick(RESOURCE_NAMES), likelyOperation()].join('\t'),
    );
  }
  return lines;
}
