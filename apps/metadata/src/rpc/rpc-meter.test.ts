import { Code, ConnectError } from '@connectrpc/connect';
import { OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { renderOpenMetrics } from '@penstock/telemetry';
import { expect, test } from 'vitest';
import { RpcMeter } from './rpc-meter.ts';

test.each([
  ['ok', undefined],
  ['unavailable', new ConnectError('no owner', Code.Unavailable)],
  ['redirected', new ConnectError('ask there', Code.Unavailable, { [OWNER_URL_HEADER]: 'http://other' })],
  ['unauthenticated', new ConnectError('no key', Code.Unauthenticated)],
  ['internal', new TypeError('a defect')],
])('a call counts as %s', async (code, error) => {
  let nowMs = 0;
  const meter = new RpcMeter(() => nowMs);
  const call = meter.measure('CommitFile', async () => {
    nowMs += 3;
    if (error !== undefined) {
      throw error;
    }
    return 'answer';
  });
  await (error === undefined ? expect(call).resolves.toBe('answer') : expect(call).rejects.toBe(error));
  const text = renderOpenMetrics(meter.families());
  expect(text).toContain(`penstock_metadata_rpc_seconds_bucket{method="CommitFile",code="${code}",le="0.0025"} 0\n`);
  expect(text).toContain(`penstock_metadata_rpc_seconds_bucket{method="CommitFile",code="${code}",le="0.005"} 1\n`);
  expect(text).toContain(`penstock_metadata_rpc_seconds_count{method="CommitFile",code="${code}"} 1\n`);
});
