import { randomUUID } from 'node:crypto';
import { describeMetadataAdmin } from '../contract/metadata-admin-contract.ts';
import { createFakeMetadata } from './fake-metadata.ts';

describeMetadataAdmin('the fake', {
  cluster: async () => ({ admin: createFakeMetadata(), clusterId: randomUUID() }),
});
