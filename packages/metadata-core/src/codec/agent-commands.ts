// Journal format of the commands about agents and settings.
import type { AgentLeft, MinuteMark, RegisterAgent, UpdateSettings } from '../commands/agents.types.ts';
import type { ClusterSettings } from '../state/settings.ts';
import { boolean, type Field, list, partial, record, text, unsigned } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const registerAgentCodec: Body<RegisterAgent> = record({
  agentId: text,
  zone: text,
  version: text,
  advertisedHost: text,
  advertisedPort: unsigned,
  bucket: text,
});

export const agentLeftCodec: Body<AgentLeft> = record({ agentId: text });

export const minuteMarkCodec: Body<MinuteMark> = record({ minute: unsigned, aliveAgentIds: list(text) });

export const updateSettingsCodec: Body<UpdateSettings> = record({
  settings: partial<ClusterSettings>({
    autoCreateTopics: boolean,
    defaultPartitions: unsigned,
    writesRefused: boolean,
    writesRefusedReason: text,
  }),
});
