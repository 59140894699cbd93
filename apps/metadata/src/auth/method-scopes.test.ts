import { Code, ConnectError } from '@connectrpc/connect';
import { MetadataService } from '@penstock/metadata-protocol';
import type { agentKeyScopes } from '@penstock/platform/agent-key-scope';
import { expect, test } from 'vitest';
import { METHOD_SCOPES, requireScope } from './method-scopes.ts';

const methods = Object.entries(MetadataService.method);

function callable(scope: (typeof agentKeyScopes)[number]): string[] {
  return methods.flatMap(([, { name }]) => {
    try {
      requireScope(scope, name);
      return [name];
    } catch {
      return [];
    }
  });
}

test('the table covers exactly the methods of the service', () => {
  expect(Object.keys(METHOD_SCOPES).sort()).toEqual(methods.map(([name]) => name).sort());
});

test('an agent key may call every method', () => {
  expect(callable('agent')).toEqual(methods.map(([, { name }]) => name));
});

test('a key for jobs may register, watch and run jobs', () => {
  expect(callable('jobs').sort()).toEqual(
    [
      'RegisterAgent',
      'AgentHeartbeat',
      'DeregisterAgent',
      'ReportTelemetry',
      'Watch',
      'UpdateInterest',
      'TakeDeletions',
      'ConfirmDeletions',
      'KnownFiles',
      'TakeJob',
      'CompleteJob',
    ].sort(),
  );
});

test('a read-only key changes nothing but offsets', () => {
  const writes = /^(Commit|Create|Delete|Alter|Init|Add|End|Abort|Take|Confirm|Complete)/;
  expect(callable('read_only').filter((name) => writes.test(name))).toEqual(['CommitOffsets']);
});

test('a refusal names what the key is for and which one to use', () => {
  const refusal = (() => {
    try {
      return requireScope('jobs', 'CommitFile');
    } catch (error) {
      return ConnectError.from(error);
    }
  })();
  expect([refusal?.code, refusal?.rawMessage]).toEqual([
    Code.PermissionDenied,
    'this agent key is for jobs only, so it may not call CommitFile: use a key with the scope "agent", which the cluster\'s Connect page in the dashboard creates',
  ]);
});

test('a scope of a later release grants nothing', () => {
  expect(() => requireScope(undefined, 'RegisterAgent')).toThrow('does not know the scope');
});
