import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startMetricsServer } from './metrics-server.ts';

test('serves metrics and nothing else, and reports failures', async () => {
  const failures: unknown[] = [];
  let isBroken = false;
  const server = await startMetricsServer(
    { port: 0, host: '127.0.0.1' },
    {
      token: undefined,
      contentType: 'text/plain',
      render: () => (isBroken ? Promise.reject(new Error('no database')) : 'up 1\n'),
      onFailure: (error) => failures.push(error),
    },
  );
  const ask = async (path: string): Promise<[number, string]> => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    return [response.status, await response.text()];
  };
  expect(await ask('/metrics?name=up')).toEqual([200, 'up 1\n']);
  expect(await ask('/')).toEqual([404, 'not found\n']);
  isBroken = true;
  expect(await ask('/metrics')).toEqual([500, 'the metrics could not be read\n']);
  expect(failures).toEqual([new Error('no database')]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
