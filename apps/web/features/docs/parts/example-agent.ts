// Example values on the deployment page, which customers replace with their own.
import type { AgentSettings } from '../../connect';

export const EXAMPLE_AGENT: AgentSettings = {
  clusterId: 'YOUR_CLUSTER_ID',
  metadataUrl: 'https://metadata.example.com',
  bucket: 's3://my-bucket/streams?region=eu-central-1',
  zone: '',
  agentKey: null,
  roles: null,
  sparePort: null,
};
