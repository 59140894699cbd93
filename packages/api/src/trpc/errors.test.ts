import { AppError } from '@penstock/platform';
import { callTRPCProcedure, TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { appRouter } from '../app-router.ts';
import { describeError, toTrpcError } from './errors.ts';

test('a call that the server no longer has asks for a reload', async () => {
  const call = callTRPCProcedure({
    router: appRouter,
    path: 'cluster.goneSinceTheLastDeployment',
    type: 'mutation',
    getRawInput: async () => ({}),
    ctx: {},
    signal: undefined,
    batchIndex: 0,
  });
  const error: unknown = await call.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TRPCError);
  expect(describeError(toTrpcError(error), undefined)).toEqual({
    message: 'This page is from an earlier version of Penstock. Nothing was changed.',
    details: { appCode: 'page_outdated', remedy: 'Reload the page and try again.', field: null },
  });
});

test('an object that is gone is no reason to reload', () => {
  const gone = new AppError({ kind: 'not-found', code: 'cluster_not_found', message: 'This cluster doesn’t exist.' });
  expect(describeError(toTrpcError(gone), undefined).details.appCode).toBe('cluster_not_found');
});
