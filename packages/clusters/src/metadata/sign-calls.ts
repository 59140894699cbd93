// Signs each call of AdminService with a token of its own, for the method and the cluster that the call is about.
import type { Interceptor } from '@connectrpc/connect';
import { type RootSecrets, signAdminToken } from '@penstock/platform';

/**
 * @param keys the first one signs
 * @param nowMs dates the tokens
 */
export function signCalls(keys: RootSecrets, nowMs: () => Promise<number> = async () => Date.now()): Interceptor {
  const sign = async (
    request: { header: Headers; method: { name: string } },
    message: object | undefined,
  ): Promise<void> => {
    // Every request of AdminService has this field.
    const clusterId = message !== undefined && 'clusterId' in message ? String(message.clusterId) : '';
    const token = signAdminToken(keys, { method: request.method.name, clusterId }, await nowMs());
    request.header.set('authorization', `Bearer ${token}`);
  };
  return (next) => async (request) => {
    if (!request.stream) {
      await sign(request, request.message);
      return await next(request);
    }
    // Calls with a stream of answers send one message, too.
    const messages: (typeof request.message extends AsyncIterable<infer Message> ? Message : never)[] = [];
    for await (const message of request.message) {
      messages.push(message);
    }
    await sign(request, messages[0]);
    const replay = async function* () {
      yield* messages;
    };
    return await next({ ...request, message: replay() });
  };
}
