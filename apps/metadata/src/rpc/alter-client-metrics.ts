import type { CommandOf } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { configOps } from './alter-configs.ts';
import { settingsMessage } from './messages/catalogue.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';

export const alterClientMetrics: AgentCall<typeof MetadataService.method.alterClientMetrics> = async (
  { owner, keyId },
  { subscriptions, validateOnly, client },
) => {
  const command: CommandOf<'alter-client-metrics'> = {
    kind: 'alter-client-metrics',
    subscriptions: subscriptions.map(({ name, ops }) => ({ name, ops: configOps(ops) })),
    validateOnly,
  };
  const { results, settings } = await owner.submit(command, kafkaClientOf(keyId, client));
  return { results, settings: settingsMessage(settings, owner.rules) };
};
