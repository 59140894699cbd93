// The assignors that members of the new protocol can choose. Each is a generator that does a bounded amount of work per step, so that a large
// group does not hold up the commands of its cluster.
import type { AssignmentInput, AssignmentSteps } from './assignment.ts';
import { assignRanges } from './range.ts';
import { assignUniformly } from './uniform.ts';
import { balanceUniformly } from './uniform-mixed.ts';

/** By Kafka's names. The first is the default. */
export const ASSIGNORS = ['uniform', 'range'] as const;
export type AssignorName = (typeof ASSIGNORS)[number];

export function isAssignor(name: string): name is AssignorName {
  return ASSIGNORS.some((known) => known === name);
}

/** Computes the assignment of a group. */
export function assign(assignor: AssignorName, input: AssignmentInput): AssignmentSteps {
  if (assignor === 'range') {
    return assignRanges(input);
  }
  const [first] = input.members;
  return input.members.every(({ topics }) => topics === first?.topics)
    ? assignUniformly(input)
    : balanceUniformly(input);
}
