import { createMetadataAdmin, type MetadataAdmin } from '@penstock/clusters';
import { describeMetadataAdmin } from '@penstock/clusters/contract';
import { afterAll, beforeAll } from 'vitest';
import type { MetadataServer } from '../../apps/metadata/src/server.ts';
import { ADMIN_KEYS, ControlPlaneFixture } from '../../apps/metadata/src/testing/control-plane-fixture.ts';
import { startTestServer } from '../../apps/metadata/src/testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let admin: MetadataAdmin;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
  admin = createMetadataAdmin({ urls: [server.adminUrl], keys: ADMIN_KEYS });
});
afterAll(async () => {
  admin.close();
  await server.close();
  await controlPlane.drop();
});

describeMetadataAdmin('the service', {
  cluster: async () => ({ admin, clusterId: (await controlPlane.createCluster()).clusterId }),
});
