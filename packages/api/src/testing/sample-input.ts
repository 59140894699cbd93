// Inputs with which tests call any operation: its example, the objects that a test has made, and samples by name.
import { newId } from '@penstock/platform';
import { z } from 'zod';
import type { Operation } from '../operations-by-path.ts';

/** Different in each call: what exists already is refused. */
const unique: Readonly<Record<string, () => unknown>> = {
  name: () => `sample ${newId()}`,
  email: () => `${newId()}@example.com`,
  domain: () => `${newId()}.example`,
};

const samples: Readonly<Record<string, () => unknown>> = {
  name: () => 'sample',
  groupId: () => 'group',
  transactionalId: () => 'transaction',
  topic: () => 'topic',
  to: () => 'latest',
  host: () => 'agent-1.internal',
  user: () => 'alice',
  agentId: () => 'agent',
  clientId: () => 'app',
  metric: () => 'latency.produce',
  metrics: () => ['requests'],
  fromMs: () => Date.now() - 60_000,
  toMs: () => Date.now(),
  until: () => new Date(Date.now() + 60_000),
  position: () => 1,
  format: () => 'csv',
  days: () => 30,
  isRequired: () => false,
  lifetimeDays: () => 30,
  overlapHours: () => 0,
};

/** The name of what a dangerous operation is about, typed by the user. */
function confirmationOf(input: Readonly<Record<string, unknown>>, made: Readonly<Record<string, unknown>>): unknown {
  return (
    input['name'] ??
    input['groupId'] ??
    input['transactionalId'] ??
    ('clusterId' in input ? made['clusterName'] : 'mistyped')
  );
}

/**
 * An input that the operation accepts.
 * @param made what the test has made, by the name of an input
 * @throws Error naming the input that has no sample: give the operation an example then
 */
export function sampleInput(
  { input, example = {} }: Operation,
  made: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (input === undefined) {
    return undefined;
  }
  if (!(input instanceof z.ZodObject)) {
    throw new Error('An input that is no object needs an input of its own.');
  }
  const chosen: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(input.shape)) {
    const isFreelyNamed = name in example && name in unique;
    const candidates = [
      ...(name in made ? [made[name]] : []),
      ...(isFreelyNamed ? [unique[name]?.()] : []),
      ...(name in example ? [example[name]] : []),
      ...(z.safeParse(schema, undefined).success ? [] : [samples[name]?.()]),
    ];
    if (candidates.length > 0 && name !== 'confirmation') {
      const found = candidates.find((candidate) => z.safeParse(schema, candidate).success);
      if (found === undefined) {
        throw new Error(`There is no sample of the input ${name}. Give the operation an example.`);
      }
      chosen[name] = found;
    }
  }
  return 'confirmation' in input.shape ? { ...chosen, confirmation: confirmationOf(chosen, made) } : chosen;
}
