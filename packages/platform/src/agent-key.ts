// The secret of an agent: `psk_agent_<32 random>_<6 checksum>`.
import { type KeyDisplay, keyForm, type NewKey, type ParsedKey } from './key-text.ts';

export type AgentKeyDisplay = KeyDisplay;
export type NewAgentKey = NewKey;
export type ParsedAgentKey = ParsedKey;

/** Generates and checks agent keys. */
export const {
  generate: generateAgentKey,
  of: agentKeyOf,
  parse: parseAgentKey,
} = keyForm('psk_agent_', 'an agent key');
