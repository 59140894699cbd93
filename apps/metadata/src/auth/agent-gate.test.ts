import { Code, type ConnectError, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { CLUSTER_HEADER } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { admitAgent } from './agent-gate.ts';
import type { AgentKeys, KeyVerdict } from './agent-keys.ts';

const CLUSTER_ID = '0199c0de-0000-7000-8000-000000000001';

function refusalOf(verdict: KeyVerdict): Promise<ConnectError | undefined> {
  const context = {
    requestHeader: new Headers({ authorization: 'Bearer key', [CLUSTER_HEADER]: CLUSTER_ID }),
    values: createContextValues(),
  };
  return admitAgent({ verify: async () => verdict } as unknown as AgentKeys, [], context as HandlerContext).then(
    () => undefined,
    (error: ConnectError) => error,
  );
}

test('an address that guesses keys is refused with a retry time', async () => {
  const refusal = await refusalOf({ outcome: 'throttled', retryAfterMs: 1_200 });
  expect(refusal?.code).toBe(Code.ResourceExhausted);
  expect(refusal?.rawMessage).toContain('try again in 2 s');
  expect(refusal?.metadata.get('retry-after')).toBe('2');
});

test('callers get a retryable code while lookups are full', async () => {
  expect((await refusalOf({ outcome: 'busy' }))?.code).toBe(Code.Unavailable);
});

test('a valid key of the named cluster is admitted', async () => {
  const identity = {
    keyId: 'k',
    clusterId: CLUSTER_ID,
    organizationId: 'o',
    isPaying: true,
    networks: [],
    addresses: [],
    suspendedReason: null,
    scope: 'agent' as const,
    mayAdminister: true,
  };
  expect(await refusalOf({ outcome: 'good', identity })).toBe(undefined);
});

test('expired keys and wrong networks are refused with a remedy', async () => {
  const expired = await refusalOf({ outcome: 'expired' });
  expect([expired?.code, expired?.rawMessage]).toEqual([
    Code.Unauthenticated,
    'the agent key has expired: create a new one in the dashboard, or extend this one there',
  ]);
  const abroad = await refusalOf({ outcome: 'wrong-network', address: '203.0.113.9' });
  expect(abroad?.code).toBe(Code.PermissionDenied);
  expect(abroad?.rawMessage).toContain("may not be used from 203.0.113.9: add this address to the key's networks");
});
