// All topic configs that Kafka knows: their meaning, their default and whether they have an effect here. The one table
// for documentation, dashboard, REST and command line, generated from the agent's, which also answers Kafka's tools
// (infra/docs/reference). Client-safe.
import table from './generated/topic-configs.json' with { type: 'json' };

export interface TopicConfigDefinition {
  name: string;
  /** The default in Kafka. */
  default: string;
  /** Others are kept and shown, and change nothing. */
  hasEffect: boolean;
  /** The effect in Penstock, or why there is none and the effect in Kafka. */
  meaning: string;
  /** integer, boolean, fraction, one-of, list-of or replica-list */
  type: string;
  /** Bounds of integers, as exact text; else empty. */
  least: string;
  greatest: string;
  /** The choices of one-of and list-of; else empty. */
  values: readonly string[];
}

/** All topic configs, by name. */
export const topicConfigTable: readonly TopicConfigDefinition[] = table;
