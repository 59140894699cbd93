// A separate process in place of the metadata service: it answers for the view of every cluster at once, so that the figures are the
// worker's alone. Sends its port to its parent.
import { createServer } from 'node:http2';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { AdminService, ClusterViewSchema, GetClusterViewRequestSchema } from '@penstock/metadata-protocol';
import { busyView } from '../health/busy-clusters.ts';

const path = `/${AdminService.typeName}/${AdminService.method.getClusterView.name}`;
/** Clusters by id, encoded. Agents are those that the parent process sent. */
const views = new Map<string, Buffer>();

interface Fleet {
  agents: { clusterId: string; agentId: string; zone: string }[];
}

process.on('message', ({ agents }: Fleet) => {
  for (const [clusterId, own] of Map.groupBy(agents, (agent) => agent.clusterId)) {
    views.set(clusterId, Buffer.from(toBinary(ClusterViewSchema, busyView(clusterId, own))));
  }
  process.send?.({ views: views.size });
});

const server = createServer();
server.on('stream', (stream, headers) => {
  const chunks: Buffer[] = [];
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    const view =
      headers[':path'] === path
        ? views.get(fromBinary(GetClusterViewRequestSchema, Buffer.concat(chunks)).clusterId)
        : undefined;
    stream.respond({ ':status': view === undefined ? 404 : 200, 'content-type': 'application/proto' });
    stream.end(view);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
