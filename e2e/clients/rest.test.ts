// The public API of a running system against its own OpenAPI document, tested by schemathesis.
import { randomUUID } from 'node:crypto';
import { createPenstockClient } from '@penstock/api-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemathesis } from '../../infra/local/tools.ts';
import { createDemoApiKey } from './support/api-keys.ts';
import { start } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** Examples per operation. More find more bugs and take longer; use fifty for a manual run. The seed makes failures reproducible. */
const examples = Number(process.env['PENSTOCK_SCHEMATHESIS_EXAMPLES'] ?? 3);
const SEED = 20261121;
/** Only for hangs: some thousand requests take a minute on an idle machine, and several next to other tests. */
const TIMEOUT_MS = 1_200_000;

let system: TestSystem;
let apiUrl: string;
let apiKey: string;

beforeAll(async () => {
  system = await startTestSystem({
    hasWeb: true,
    controlPlaneEnv: { PENSTOCK_API_REQUESTS_PER_MINUTE: '1000000' },
  });
  apiUrl = `${system.webUrl}/api/v1`;
  apiKey = await createDemoApiKey(system, { name: 'schemathesis' });
});
afterAll(() => system.stop());

test('a program creates a cluster and finds it in the audit log', async () => {
  const client = createPenstockClient({ url: system.webUrl ?? '', apiKey });
  const created = await client.POST('/clusters', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: {
      name: 'by a program',
      cloud: 'aws',
      region: 'eu-central-1',
      autoCreateTopics: true,
      defaultPartitions: 1,
      deletionProtection: false,
    },
  });
  expect(created.response.status).toBe(201);
  const clusterId = created.data?.id ?? '';
  const read = await client.GET('/clusters/{clusterId}', { params: { path: { clusterId } } });
  expect(read.data).toEqual(created.data);
  const log = await client.GET('/audit-log', { params: { query: { limit: 1 } } });
  expect(log.data?.items).toMatchObject([
    { source: 'api', actorLabel: 'API key schemathesis', action: 'cluster.create', targetId: clusterId },
  ]);
});

// No server error, no undocumented status or header.
test(
  'every response conforms to the documented schema',
  async () => {
    const checks = [
      'not_a_server_error',
      'status_code_conformance',
      'content_type_conformance',
      'response_headers_conformance',
      'response_schema_conformance',
    ];
    const options = {
      '--url': apiUrl,
      '--header': `Authorization: Bearer ${apiKey}`,
      '--phases': 'examples,coverage,fuzzing',
      '--max-examples': String(examples),
      '--seed': String(SEED),
      '--checks': checks.join(','),
      '--request-timeout': '60',
    };
    const program = start(await schemathesis(), [
      'run',
      `${apiUrl}/openapi.json`,
      ...Object.entries(options).flat(),
      '--continue-on-failure',
      '--no-color',
    ]);
    const code = await program.exited;
    expect(program.stdout(), program.stdout()).toMatch(/Test cases:\s+\d{3,}/);
    expect(code, program.stdout()).toBe(0);
    expect(system.deaths).toEqual([]);
  },
  TIMEOUT_MS,
);
