import { describe, expect, it } from 'vitest';
import type { Backend } from '../backend.ts';
import { fetchRest } from '../testing/fetch-rest.ts';
import { stateOfBody } from './read-estimate-request.ts';

// The calculator's endpoints use nothing else of it.
const backend = { trustedProxies: [], apiRequestsPerMinute: 1 } as unknown as Backend;

const post = (body: string, type = 'application/json') =>
  fetchRest(
    backend,
    new Request('http://test/api/v1/tco/estimates', { method: 'POST', body, headers: { 'content-type': type } }),
  );

describe('a request for an estimate', () => {
  it('accepts numbers, texts and switches in their sections', () => {
    const { state, errors } = stateOfBody({
      workload: { throughput: 250, throughputUnit: 'MB/s' },
      assumptions: { fetchFromFollower: false, zones: '2' },
      pins: { 'warpstream.agents': 6 },
      prices: { 'aws.s3.put': '0.004' },
      asOf: '2025-04-18',
    });
    expect(errors).toEqual([]);
    expect([state.inputs.throughput, state.inputs.fetchFromFollower, state.asOf]).toEqual([
      '250',
      'false',
      '2025-04-18',
    ]);
  });

  it.each([
    [{ workload: { throughput: -1 } }, '#/workload/throughput'],
    [{ workload: { throughput: 1e30 } }, '#/workload/throughput'],
    [{ workload: { throughput: null } }, '#/workload/throughput'],
    [{ workload: { throughput: '' } }, '#/workload/throughput'],
    [{ workload: { throughputUnit: 'MB/h' } }, '#/workload/throughputUnit'],
    [{ workload: { zones: 3 } }, '#/workload/zones'],
    [{ assumptions: { throughput: 3 } }, '#/assumptions/throughput'],
    [{ assumptions: { 'a/b': 3 } }, '#/assumptions/a~1b'],
    [{ load: {} }, '#/load'],
    [{ pins: { 'kafka.nothing': 1 } }, '#/pins/kafka.nothing'],
    [{ pins: { 'kafka.max_disk_gb': 0 } }, '#/pins/kafka.max_disk_gb'],
    [{ pins: { 'kafka.max_disk_gb': 0.001 } }, '#/pins/kafka.max_disk_gb'],
    [{ workload: [] }, '#/workload'],
    [[], '#'],
    [JSON.parse('{"__proto__": {"a": 1}}'), '#/__proto__'],
  ])('reports the path of each error in %j', (body, pointer) => {
    expect(stateOfBody(body).errors.map((error) => error.pointer)).toEqual([pointer]);
  });

  it.each([
    ['{', 'application/json', 400],
    ['{}', 'text/plain', 415],
    [`{"workload": {"throughput": "${'9'.repeat(70_000)}"}}`, 'application/json', 413],
    ['{"workload": {"throughput": "NaN"}}', 'application/json', 422],
  ])('answers %.20s as %s with problem details %d', async (body, type, status) => {
    const response = await post(body, type);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status });
  });

  it('may be empty, which requests the default', async () => {
    const [empty, object] = await Promise.all([post(''), post('{}')]);
    expect([empty.status, object.status]).toEqual([200, 200]);
    expect(await empty.text()).toBe(await object.text());
  });
});
