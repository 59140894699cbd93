import { expect, it } from 'vitest';
import { DEFAULT_STATE, withInput } from '../state/index.ts';
import { formula } from './symbols.ts';

it('a formula with a name that nothing has does not compile', () => {
  expect(formula('max(min_agents, ceil(cores ÷ agent_vcpus)) × 3600')).toContain('min_agents');
  // @ts-expect-error The compiler refuses the name: without an error here, the types check nothing.
  expect(formula('max(min_agents, ceil(coers ÷ agent_vcpus)) × 3600')).toContain('coers');
});

it('an input with a name that nothing has does not compile', () => {
  // @ts-expect-error As above.
  expect(withInput(DEFAULT_STATE, 'througput', '1').inputs).toHaveProperty('througput');
});
