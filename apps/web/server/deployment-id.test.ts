import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deploymentId } from './deployment-id.ts';

const BUILD = 'phase-production-build';

test('each build has its own id, shared by its processes', () => {
  const environment: Record<string, string | undefined> = {};
  const first = deploymentId(BUILD, '.', environment);
  expect(first.deploymentId).toMatch(/^[0-9a-f]{16}$/);
  expect(deploymentId('phase-export', '.', environment)).toEqual(first);
  expect(deploymentId(BUILD, '.', {})).not.toEqual(first);
});

test('builds of the same source can share an id', () => {
  expect(deploymentId(BUILD, '.', { NEXT_DEPLOYMENT_ID: 'v7' })).toEqual({ deploymentId: 'v7' });
});

test('the server takes the id of its build', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'penstock-deployment-'));
  await mkdir(path.join(folder, '.next'));
  await writeFile(
    path.join(folder, '.next/required-server-files.json'),
    JSON.stringify({ config: { deploymentId: 'built' } }),
  );
  expect(deploymentId('phase-production-server', folder, {})).toEqual({ deploymentId: 'built' });
  await rm(folder, { recursive: true });
});

test('development has none', () => {
  expect(deploymentId('phase-development-server', '.', {})).toEqual({});
});
