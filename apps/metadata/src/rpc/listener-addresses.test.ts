import { create } from '@bufbuild/protobuf';
import { AgentListenerSchema } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { listenerAddresses } from './listener-addresses.ts';

const plain = { name: 'internal', host: 'agent-1.internal', port: 9092, tls: false, saslMechanisms: [] as string[] };
const listeners = (...all: (typeof plain)[]) => all.map((listener) => create(AgentListenerSchema, listener));

test('keeps valid listeners and drops impossible reports whole', () => {
  const tls = { name: 'external', host: 'kafka.example.com', port: 9093, tls: true, saslMechanisms: ['PLAIN'] };
  expect(listenerAddresses(listeners(plain, tls))).toEqual([plain, tls]);
  expect(listenerAddresses(listeners({ ...tls, saslMechanisms: ['PLAIN', '<b>'] }))).toEqual([tls]);
  for (const bad of [
    { ...plain, name: '' },
    { ...plain, name: 'x'.repeat(33) },
    { ...plain, host: '' },
    { ...plain, host: 'x'.repeat(256) },
    { ...plain, port: 0 },
    { ...plain, port: 65_536 },
  ]) {
    expect(listenerAddresses(listeners(plain, bad))).toEqual([]);
  }
  expect(listenerAddresses(listeners(...Array.from({ length: 17 }, () => plain)))).toEqual([]);
});
