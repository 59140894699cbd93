// Journal format of the commands about agents and settings.
import type {
  AgentLeft,
  MinuteMark,
  RaiseRulesLevel,
  RegisterAgent,
  SetClockBack,
  SetMaxUncompressedBatchBytes,
  SetOffsetsRetention,
  UpdateSettings,
} from '../model/agents.types.ts';
import { knownRules, type RulesVersion } from '../model/rules.ts';
import { CLUSTER_MODES, type EarlySettings } from '../model/settings.ts';
import { boolean, type Field, list, oneOf, partial, record, signed, text, unsigned } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const registerAgentCodec: Body<RegisterAgent> = record({
  agentId: text,
  zone: text,
  version: text,
  advertisedHost: text,
  advertisedPort: unsigned,
  bucket: text,
  keyId: text,
});

export const agentLeftCodec: Body<AgentLeft> = record({ agentId: text });

export const minuteMarkCodec: Body<MinuteMark> = record({ minute: unsigned, aliveAgentIds: list(text) });

export const setClockBackCodec: Body<SetClockBack> = record({ fromMs: unsigned });

export const rulesCodec: Field<RulesVersion> = {
  write: (to, rules) => to.unsigned(rules),
  read: (from) => knownRules(from.unsigned(), 'rules level'),
};

export const raiseRulesLevelCodec: Body<RaiseRulesLevel> = record({ level: rulesCodec });

export const setOffsetsRetentionCodec: Body<SetOffsetsRetention> = record({ minutes: signed });

export const setMaxUncompressedBatchBytesCodec: Body<SetMaxUncompressedBatchBytes> = record({ bytes: signed });

export const updateSettingsCodec: Body<UpdateSettings> = record({
  settings: partial<EarlySettings>({
    autoCreateTopics: boolean,
    defaultPartitions: unsigned,
    writesRefused: boolean,
    writesRefusedReason: text,
    mode: oneOf(CLUSTER_MODES),
  }),
});
