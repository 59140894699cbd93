// Finding a cluster's owner, tested with small HTTP/2 servers in place of the metadata service.
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AdminService, OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { newId, type RootSecrets, verifyAdminToken } from '@penstock/platform';
import { HOUR_MS } from '@penstock/units';
import { afterEach, describe, expect, test } from 'vitest';
import { createMetadataAdmin, type MetadataAdmin } from './metadata-admin.ts';

const KEYS: RootSecrets = [{ id: 1, secret: 'the admin key of the tests, 32 characters' }];
const FOREIGN: RootSecrets = [{ id: 1, secret: 'another key of the tests, of 32 characters' }];
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) {
    close();
  }
});

interface Process {
  url: string;
  calls: number;
  /** Names of the topics that were created. */
  topics: string[];
  /** The response that replaces a view, or the answer to a change, which takes effect all the same unless it is not the owner. */
  refusal: (() => ConnectError) | undefined;
  /** How far its clock is ahead. */
  clockErrorMs: number;
}

async function requireToken(
  { requestHeader, method }: HandlerContext,
  clusterId: string,
  { clockErrorMs }: Process,
): Promise<void> {
  const token = requestHeader.get('authorization')?.replace('Bearer ', '') ?? '';
  const verdict = await verifyAdminToken(KEYS, token, method.name, Date.now() + clockErrorMs);
  if (!verdict.ok || verdict.clusterId !== clusterId) {
    throw new ConnectError('', Code.Unauthenticated);
  }
}

async function startProcess(refusal?: () => ConnectError): Promise<Process> {
  const process: Process = { url: '', calls: 0, topics: [], refusal, clockErrorMs: 0 };
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(AdminService, {
        getClusterView: async ({ clusterId }, context) => {
          process.calls += 1;
          await requireToken(context, clusterId, process);
          if (process.refusal !== undefined) {
            throw process.refusal();
          }
          return { clusterId };
        },
        adminCreateTopics: async ({ clusterId, request }, context) => {
          process.calls += 1;
          await requireToken(context, clusterId, process);
          const refused = process.refusal?.();
          if (refused?.rawMessage !== NOT_OWNER) {
            process.topics.push(...(request?.topics ?? []).map(({ name }) => name));
          }
          if (refused !== undefined) {
            throw refused;
          }
          return { results: (request?.topics ?? []).map(({ name }) => ({ name, errorCode: 0 })) };
        },
        async *watchClusterView({ clusterId }, context) {
          process.calls += 1;
          await requireToken(context, clusterId, process);
          if (process.refusal !== undefined) {
            throw process.refusal();
          }
          yield { clusterId, journalSeq: 1n };
          yield { clusterId, journalSeq: 2n };
          throw new ConnectError('the owner leaves', Code.Unavailable);
        },
      }),
  });
  const server: Http2Server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closers.push(() => server.close());
  return process;
}

function client(urls: string[], keys = KEYS, nowMs?: () => Promise<number>): MetadataAdmin {
  const admin = createMetadataAdmin({ urls, keys, nowMs });
  closers.unshift(() => admin.close());
  return admin;
}

const NOT_OWNER = 'not the owner';

function notOwner(ownerUrl?: string): () => ConnectError {
  return () =>
    new ConnectError(NOT_OWNER, Code.Unavailable, ownerUrl === undefined ? {} : { [OWNER_URL_HEADER]: ownerUrl });
}

const clusterId = newId();
const NEVER = new AbortController().signal;

const createTopic = (admin: MetadataAdmin) =>
  admin.createTopics(clusterId, [{ name: 't', partitions: 1, configs: [] }]);

test('follows a redirect to the owner and remembers it', async () => {
  const owner = await startProcess();
  const other = await startProcess(notOwner(owner.url));
  const admin = client([other.url]);
  expect(await admin.getClusterView(clusterId)).toMatchObject({ clusterId });
  await admin.getClusterView(clusterId);
  expect([other.calls, owner.calls]).toEqual([1, 2]);
});

test('an unreachable process is skipped', async () => {
  const gone = await startProcess();
  closers.pop()?.();
  const owner = await startProcess();
  expect(await client([gone.url, owner.url]).getClusterView(clusterId)).toMatchObject({ clusterId });
});

test('finds the new owner when ownership moves', async () => {
  const second = await startProcess(notOwner());
  const first = await startProcess();
  const admin = client([first.url, second.url]);
  await admin.getClusterView(clusterId);
  first.refusal = notOwner(second.url);
  second.refusal = undefined;
  expect(await admin.getClusterView(clusterId)).toMatchObject({ clusterId });
  expect(second.calls).toBe(1);
});

test('ends with a readable error when nobody owns the cluster', async () => {
  const processes = [await startProcess(notOwner()), await startProcess(notOwner())];
  const call = client(processes.map(({ url }) => url)).getClusterView(clusterId);
  await expect(call).rejects.toMatchObject({ kind: 'unavailable', code: 'metadata_unavailable' });
  expect(processes.reduce((calls, process) => calls + process.calls, 0)).toBeLessThanOrEqual(6);
});

test('two processes that name each other cause no endless loop', async () => {
  const first = await startProcess();
  const second = await startProcess(notOwner(first.url));
  first.refusal = notOwner(second.url);
  await expect(client([first.url]).getClusterView(clusterId)).rejects.toMatchObject({ code: 'metadata_unavailable' });
});

test('reports refused tokens as a problem of the operator', async () => {
  const owner = await startProcess();
  const call = client([owner.url], FOREIGN).getClusterView(clusterId);
  await expect(call).rejects.toMatchObject({ kind: 'internal', code: 'internal_token_refused' });
});

describe('a process whose clock is an hour off', () => {
  test.each([HOUR_MS, -HOUR_MS])('does not hide the owner (%i ms)', async (clockErrorMs) => {
    const wrong = await startProcess();
    wrong.clockErrorMs = clockErrorMs;
    const owner = await startProcess();
    const admin = client([wrong.url, owner.url]);
    expect(await admin.getClusterView(clusterId)).toMatchObject({ clusterId });
    await createTopic(admin);
    const seen: bigint[] = [];
    const reading = (async () => {
      for await (const { journalSeq } of client([wrong.url, owner.url]).watchClusterView(clusterId, NEVER)) {
        seen.push(journalSeq);
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'metadata_unavailable' });
    expect([wrong.topics, owner.topics, seen]).toEqual([[], ['t'], [1n, 2n]]);
  });

  test('does not hide that the other one is away', async () => {
    const wrong = await startProcess();
    wrong.clockErrorMs = HOUR_MS;
    const other = await startProcess(notOwner());
    for (const urls of [
      [wrong.url, other.url],
      [other.url, wrong.url],
    ]) {
      const call = client(urls).getClusterView(clusterId);
      await expect(call).rejects.toMatchObject({ kind: 'unavailable', code: 'metadata_unavailable' });
    }
  });

  test('is asked once as the owner that another one names', async () => {
    const wrong = await startProcess();
    wrong.clockErrorMs = HOUR_MS;
    const other = await startProcess(notOwner(wrong.url));
    const call = client([other.url]).getClusterView(clusterId);
    await expect(call).rejects.toMatchObject({ code: 'internal_token_refused' });
    expect([other.calls, wrong.calls]).toEqual([1, 1]);
  });

  test('takes tokens that are dated by its own time', async () => {
    const wrong = await startProcess();
    wrong.clockErrorMs = HOUR_MS;
    const admin = client([wrong.url], KEYS, async () => Date.now() + HOUR_MS);
    expect(await admin.getClusterView(clusterId)).toMatchObject({ clusterId });
  });
});

test.each([
  ['Unauthenticated', Code.Unauthenticated],
  ['PermissionDenied', Code.PermissionDenied],
  ['Unimplemented', Code.Unimplemented],
  ['ResourceExhausted', Code.ResourceExhausted],
  ['Internal', Code.Internal],
  ['Unknown', Code.Unknown],
])('a read that one process answers with %s is sent to the next', async (_name, code) => {
  const first = await startProcess(() => new ConnectError('', code));
  const owner = await startProcess();
  expect(await client([first.url, owner.url]).getClusterView(clusterId)).toMatchObject({ clusterId });
});

test.each([
  ['NotFound', Code.NotFound],
  ['InvalidArgument', Code.InvalidArgument],
  ['FailedPrecondition', Code.FailedPrecondition],
])('%s is final', async (_name, code) => {
  const [first, second] = [await startProcess(() => new ConnectError('', code)), await startProcess()];
  await expect(client([first.url, second.url]).getClusterView(clusterId)).rejects.toThrow();
  expect([first.calls, second.calls]).toEqual([1, 0]);
});

test('a change that met a defect is not sent again', async () => {
  const first = await startProcess(() => new ConnectError('', Code.Internal));
  const second = await startProcess();
  await expect(createTopic(client([first.url, second.url]))).rejects.toThrow();
  expect([first.topics, second.topics]).toEqual([['t'], []]);
});

test('reports a change of outdated state as a conflict', async () => {
  const owner = await startProcess(() => new ConnectError('', Code.FailedPrecondition));
  const call = client([owner.url]).getClusterView(clusterId);
  await expect(call).rejects.toMatchObject({ kind: 'conflict', code: 'security_changed' });
});

test('a watch yields views in order and says why it ends', async () => {
  const owner = await startProcess();
  const other = await startProcess(notOwner(owner.url));
  const seen: bigint[] = [];
  const watching = (async () => {
    const views = client([other.url]).watchClusterView(clusterId, NEVER);
    for await (const view of views) {
      seen.push(view.journalSeq);
    }
  })();
  await expect(watching).rejects.toMatchObject({ code: 'metadata_unavailable' });
  expect(seen).toEqual([1n, 2n]);
});

test('a change goes to the owner that another process names', async () => {
  const owner = await startProcess();
  const other = await startProcess(notOwner(owner.url));
  expect(await createTopic(client([other.url]))).toMatchObject([{ name: 't', errorCode: 0 }]);
  expect([other.topics, owner.topics]).toEqual([[], ['t']]);
});

test('a change goes past a process that cannot be reached', async () => {
  const gone = await startProcess();
  closers.pop()?.();
  const owner = await startProcess();
  await createTopic(client([gone.url, owner.url]));
  expect(owner.topics).toEqual(['t']);
});

test.each([
  ['ran out of time', () => new ConnectError('', Code.DeadlineExceeded)],
  ['was broken off', () => new ConnectError('', Code.Aborted)],
  ['met the end of its owner', () => new ConnectError('', Code.Unavailable, { 'penstock-outcome-unknown': '1' })],
])('a change that %s is not sent again', async (_how, refusal) => {
  const [first, second] = [await startProcess(refusal), await startProcess()];
  await expect(createTopic(client([first.url, second.url]))).rejects.toMatchObject({
    code: 'metadata_unavailable',
    remedy: expect.stringContaining('check whether it was made'),
  });
  expect([first.topics, second.topics]).toEqual([['t'], []]);
});

test('a read that ran out of time is sent again', async () => {
  const first = await startProcess(() => new ConnectError('', Code.DeadlineExceeded));
  const second = await startProcess();
  await client([first.url, second.url]).getClusterView(clusterId);
  expect([first.calls, second.calls]).toEqual([1, 1]);
});

test('names a call that the service does not answer yet', async () => {
  const admin = client([(await startProcess()).url]);
  await expect(admin.offsetsAtTime(clusterId, new Uint8Array(16), 1, 0)).rejects.toMatchObject({
    code: 'metadata_call_unavailable',
    message: expect.stringContaining('AdminListOffsets'),
  });
});
