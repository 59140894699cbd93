// Finding a cluster's owner, tested with small HTTP/2 servers in place of the metadata service.
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AdminService, OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { afterEach, expect, test } from 'vitest';
import { createMetadataAdmin, type MetadataAdmin } from './metadata-admin.ts';

const TOKEN = 'the-internal-token-of-the-tests-0123456789';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) {
    close();
  }
});

interface Process {
  url: string;
  calls: number;
  /** The response that replaces a view. */
  refusal: (() => ConnectError) | undefined;
}

async function startProcess(refusal?: () => ConnectError): Promise<Process> {
  const process: Process = { url: '', calls: 0, refusal };
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(AdminService, {
        getClusterView: ({ clusterId }, context) => {
          process.calls += 1;
          if (context.requestHeader.get('authorization') !== `Bearer ${TOKEN}`) {
            throw new ConnectError('', Code.Unauthenticated);
          }
          if (process.refusal !== undefined) {
            throw process.refusal();
          }
          return { clusterId };
        },
        async *watchClusterView({ clusterId }) {
          process.calls += 1;
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

function client(urls: string[], internalToken = TOKEN): MetadataAdmin {
  const admin = createMetadataAdmin({ urls, internalToken });
  closers.unshift(() => admin.close());
  return admin;
}

function notOwner(ownerUrl?: string): () => ConnectError {
  return () =>
    new ConnectError('not the owner', Code.Unavailable, ownerUrl === undefined ? {} : { [OWNER_URL_HEADER]: ownerUrl });
}

const clusterId = newId();

test('a process that is not the owner names it, and the next call goes straight to the owner', async () => {
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

test('when the ownership moves, the new owner is found', async () => {
  const second = await startProcess(notOwner());
  const first = await startProcess();
  const admin = client([first.url, second.url]);
  await admin.getClusterView(clusterId);
  first.refusal = notOwner(second.url);
  second.refusal = undefined;
  expect(await admin.getClusterView(clusterId)).toMatchObject({ clusterId });
  expect(second.calls).toBe(1);
});

test('when nobody owns the cluster the search ends with a readable error', async () => {
  const processes = [await startProcess(notOwner()), await startProcess(notOwner())];
  const call = client(processes.map(({ url }) => url)).getClusterView(clusterId);
  await expect(call).rejects.toMatchObject({ kind: 'unavailable', code: 'metadata_unavailable' });
  expect(processes.reduce((calls, process) => calls + process.calls, 0)).toBeLessThanOrEqual(6);
});

test('two processes that name each other as owner do not loop forever', async () => {
  const first = await startProcess();
  const second = await startProcess(notOwner(first.url));
  first.refusal = notOwner(second.url);
  await expect(client([first.url]).getClusterView(clusterId)).rejects.toMatchObject({ code: 'metadata_unavailable' });
});

test('a wrong internal token is reported as that to the operator', async () => {
  const owner = await startProcess();
  const call = client([owner.url], 'wrong').getClusterView(clusterId);
  await expect(call).rejects.toMatchObject({ kind: 'internal', code: 'internal_token_refused' });
});

test('a change of a state that is no longer current is a conflict, which the public API documents', async () => {
  const owner = await startProcess(() => new ConnectError('', Code.FailedPrecondition));
  const call = client([owner.url]).getClusterView(clusterId);
  await expect(call).rejects.toMatchObject({ kind: 'conflict', code: 'security_changed' });
});

test('a watch yields views in order and ends with a reason when the owner leaves', async () => {
  const owner = await startProcess();
  const other = await startProcess(notOwner(owner.url));
  const seen: bigint[] = [];
  const watching = (async () => {
    const views = client([other.url]).watchClusterView(clusterId, new AbortController().signal);
    for await (const view of views) {
      seen.push(view.journalSeq);
    }
  })();
  await expect(watching).rejects.toMatchObject({ code: 'metadata_unavailable' });
  expect(seen).toEqual([1n, 2n]);
});
