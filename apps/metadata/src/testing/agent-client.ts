// RPC clients of the service, for tests.
import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AdminService, CLUSTER_HEADER, MetadataService } from '@penstock/metadata-protocol';

export interface AgentConnection {
  client: Client<typeof MetadataService>;
  close: () => void;
}

export interface AdminConnection {
  client: Client<typeof AdminService>;
  close: () => void;
}

/** Connects as an agent, with this key and to this cluster. */
export function connectAgent(url: string, headers: { key?: string; clusterId?: string }): AgentConnection {
  const { transport, close } = connect(url, {
    ...(headers.key === undefined ? {} : { authorization: `Bearer ${headers.key}` }),
    ...(headers.clusterId === undefined ? {} : { [CLUSTER_HEADER]: headers.clusterId }),
  });
  return { client: createClient(MetadataService, transport), close };
}

/** Connects as the control plane. */
export function connectAdmin(url: string, token: string): AdminConnection {
  const { transport, close } = connect(url, { authorization: `Bearer ${token}` });
  return { client: createClient(AdminService, transport), close };
}

function connect(url: string, headers: Record<string, string>): { transport: Transport; close: () => void } {
  const withHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) {
      request.header.set(name, value);
    }
    return next(request);
  };
  const sessionManager = new Http2SessionManager(url);
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: '2',
    interceptors: [withHeaders],
    sessionManager,
  });
  return { transport, close: () => sessionManager.abort() };
}
