// ACLs mean what they mean in Apache Kafka. `npm run fault -- acl` is the long version.
import { expect, test } from 'vitest';
import { compareAclDecisions } from './acls/compare.ts';

test('the agent decides random requests as Kafka’s authorizer', async () => {
  const { different, decisions, allowed } = await compareAclDecisions(1, 3_000);
  expect(different).toEqual([]);
  // Neither answer is rare, so that each decision tells something.
  expect(allowed).toBeGreaterThan(decisions / 10);
  expect(allowed).toBeLessThan((decisions * 9) / 10);
});
