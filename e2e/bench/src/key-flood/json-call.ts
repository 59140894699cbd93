// One call of the agents' RPC in Connect's JSON form: simple, and cheap enough for a load that does not measure the client.
import type { ClientHttp2Session } from 'node:http2';
import { CLUSTER_HEADER, MetadataService } from '@penstock/metadata-protocol';

export interface Caller {
  clusterId: string;
  key: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

export async function callJson(
  connection: ClientHttp2Session,
  method: keyof typeof MetadataService.method,
  { clusterId, key }: Caller,
  request: object,
): Promise<Answer> {
  const stream = connection.request({
    ':method': 'POST',
    ':path': `/${MetadataService.typeName}/${MetadataService.method[method].name}`,
    'content-type': 'application/json',
    'connect-protocol-version': '1',
    authorization: `Bearer ${key}`,
    [CLUSTER_HEADER]: clusterId,
  });
  stream.end(JSON.stringify(request));
  let status = 0;
  stream.once('response', (response) => {
    status = response[':status'] ?? 0;
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return { status, body: JSON.parse(Buffer.concat(chunks).toString()) };
}
