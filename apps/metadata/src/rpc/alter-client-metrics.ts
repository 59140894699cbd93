import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { configOps } from './alter-configs.ts';
import { settingsMessage } from './messages/catalogue.ts';

export const alterClientMetrics: AgentCall<typeof MetadataService.method.alterClientMetrics> = async (
  { owner },
  { subscriptions, validateOnly },
) => {
  const { results, settings } = await owner.submit({
    kind: 'alter-client-metrics',
    subscriptions: subscriptions.map(({ name, ops }) => ({ name, ops: configOps(ops) })),
    validateOnly,
  });
  return { results, settings: settingsMessage(settings) };
};
