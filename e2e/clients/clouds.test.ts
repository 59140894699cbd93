// The round trip on Google Cloud Storage and on Azure Blob Storage, as s3.test.ts does it on S3.
import { expect, test } from 'vitest';
import { startAzureServer } from './support/azure-server.ts';
import { clients } from './support/clients.ts';
import { startGoogleServer } from './support/google-server.ts';
import { faultsOf, makeValues } from './support/records.ts';
import { startTestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

test.each([
  ['gs://', startGoogleServer],
  ['az://', startAzureServer],
])('records pass between agents through a bucket of %s', async (scheme, startServer) => {
  const server = await startServer();
  // An agent tries its bucket out when it starts: conditional writes, whole and partial reads, and deletes.
  const system = await startTestSystem({ agents: [server.agent, server.agent] });
  try {
    const [first, second] = system.agents.map(({ bootstrap }) => bootstrap);
    const values = makeValues(2_000);
    await createTopic(first ?? '', 'in-the-cloud', 6);
    await clients[0]?.produce(first ?? '', 'in-the-cloud', values, 'zstd');
    const consumed = (await clients[0]?.consume(second ?? '', 'in-the-cloud', values.length)) ?? [];
    expect(faultsOf(consumed, values), scheme).toEqual([]);
    const objects = await server.objects();
    expect(objects.filter((name) => name.startsWith('records/clusters/')).length).toBeGreaterThan(0);
    expect(objects.filter((name) => name.startsWith('records/probes/'))).toEqual([]);
    expect(system.deaths).toEqual([]);
  } finally {
    await system.stop();
    await server.stop();
  }
});
