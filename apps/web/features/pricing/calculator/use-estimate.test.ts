import { DEFAULT_STATE, estimateState, withInput } from '@penstock/pricing';
import { expect, test } from 'vitest';
import { estimateInSteps } from './use-estimate';

test('an estimate computed in steps equals the estimate computed at once', () => {
  const state = withInput(DEFAULT_STATE, 'throughput', '1234');
  const steps = estimateInSteps(state);
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  expect(step.value).toEqual(estimateState(state));
});
