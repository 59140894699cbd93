// RPC clients of the service, for tests.
import type { SecureClientSessionOptions } from 'node:http2';
import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AdminService, CLUSTER_HEADER, MetadataService } from '@penstock/metadata-protocol';
import { type RootSecrets, signAdminToken } from '@penstock/platform';

export interface AgentConnection {
  client: Client<typeof MetadataService>;
  close: () => void;
}

export interface AdminConnection {
  client: Client<typeof AdminService>;
  close: () => void;
}

/** Connects as an agent, with this key and to this cluster. @param session such as the authority to trust */
export function connectAgent(
  url: string,
  headers: { key?: string; clusterId?: string },
  session: SecureClientSessionOptions = {},
): AgentConnection {
  const { transport, close } = connect(
    url,
    {
      ...(headers.key === undefined ? {} : { authorization: `Bearer ${headers.key}` }),
      ...(headers.clusterId === undefined ? {} : { [CLUSTER_HEADER]: headers.clusterId }),
    },
    [],
    session,
  );
  return { client: createClient(MetadataService, transport), close };
}

/** Connects as the control plane. @param keys sign each call; a text is sent as it is */
export function connectAdmin(url: string, keys: RootSecrets | string): AdminConnection {
  const sign: Interceptor = (next) => async (request) => {
    const messages: object[] = request.stream ? [] : [request.message];
    if (request.stream) {
      for await (const message of request.message) {
        messages.push(message);
      }
    }
    const { clusterId = '' } = messages[0] as { clusterId?: string };
    const { name: method } = request.method;
    const token = typeof keys === 'string' ? keys : signAdminToken(keys, { method, clusterId }, Date.now());
    request.header.set('authorization', `Bearer ${token}`);
    const replay = async function* () {
      yield* messages;
    };
    return await next(request.stream ? { ...request, message: replay() as typeof request.message } : request);
  };
  const { transport, close } = connect(url, {}, [sign]);
  return { client: createClient(AdminService, transport), close };
}

function connect(
  url: string,
  headers: Record<string, string>,
  more: Interceptor[] = [],
  session: SecureClientSessionOptions = {},
): { transport: Transport; close: () => void } {
  const withHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) {
      request.header.set(name, value);
    }
    return next(request);
  };
  const sessionManager = new Http2SessionManager(url, undefined, session);
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: '2',
    interceptors: [withHeaders, ...more],
    sessionManager,
  });
  return { transport, close: () => sessionManager.abort() };
}
