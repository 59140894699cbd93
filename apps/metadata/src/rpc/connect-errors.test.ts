import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, type ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { MetadataService, OUTCOME_UNKNOWN_HEADER } from '@penstock/metadata-protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotOwner, OwnerBusy, OwnerSteppedDown } from '../owners/errors.ts';
import { connectErrorOf } from './connect-errors.ts';

function outcomeOf(error: unknown): { code: Code; defects: unknown[] } {
  const defects: unknown[] = [];
  const { code } = connectErrorOf(error, 'Watch', (defect) => defects.push(defect));
  return { code, defects };
}

/** An answer that fills the window of a reader that reads nothing. https://www.rfc-editor.org/rfc/rfc9113#section-6.9.2 */
const MORE_THAN_A_WINDOW = 'x'.repeat(70_000);

describe('a stream whose caller leaves', () => {
  const ended: PromiseWithResolvers<{ cause: unknown; error: ConnectError; defects: unknown[] }>[] = [];
  const server = createServer(
    connectNodeAdapter({
      routes: (router) => {
        router.service(MetadataService, {
          async *watch() {
            try {
              for (;;) {
                yield { watchId: MORE_THAN_A_WINDOW };
              }
            } catch (cause) {
              const defects: unknown[] = [];
              const error = connectErrorOf(cause, 'Watch', (defect) => defects.push(defect));
              ended.at(-1)?.resolve({ cause, error, defects });
              throw error;
            }
          },
        });
      },
    }),
  );

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => server.close());

  async function openAndLeave(leave: (session: ClientHttp2Session, stream: ClientHttp2Stream) => void) {
    const end = Promise.withResolvers<{ cause: unknown; error: ConnectError; defects: unknown[] }>();
    ended.push(end);
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${MetadataService.typeName}/${MetadataService.method.watch.name}`,
      'content-type': 'application/connect+proto',
    });
    stream.on('error', () => undefined);
    stream.end(Buffer.alloc(5));
    await once(stream, 'response');
    leave(session, stream);
    try {
      return await end.promise;
    } finally {
      session.destroy();
    }
  }

  test.each([
    ['resets it', (_: ClientHttp2Session, stream: ClientHttp2Stream) => stream.close(constants.NGHTTP2_CANCEL)],
    ['closes the connection', (session: ClientHttp2Session) => session.destroy()],
  ])('and %s while an event waits logs nothing', async (_, leave) => {
    const { cause, error, defects } = await openAndLeave(leave);
    expect(cause).toMatchObject({ code: 'ECANCELED' });
    expect([error.code, defects]).toEqual([Code.Canceled, []]);
  });
});

test('an event for a caller that has left logs nothing', () => {
  const gone = Object.assign(new Error('The stream has been destroyed'), { code: 'ERR_HTTP2_INVALID_STREAM' });
  expect(outcomeOf(gone)).toEqual({ code: Code.Canceled, defects: [] });
});

test('an unknown error is a defect and reveals nothing', () => {
  const unknown = new Error('relation "cluster" does not exist');
  expect(outcomeOf(unknown)).toEqual({ code: Code.Internal, defects: [unknown] });
});

test.each([
  [new OwnerSteppedDown('cluster'), '1'],
  [new NotOwner('cluster'), null],
  [new OwnerBusy('cluster'), null],
])('%s says whether the call may have taken effect', (error, expected) => {
  const answer = connectErrorOf(error, 'AdminCreateTopics', () => undefined);
  expect([answer.code, answer.metadata.get(OUTCOME_UNKNOWN_HEADER)]).toEqual([Code.Unavailable, expected]);
});
