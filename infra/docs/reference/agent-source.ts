// Extracts facts from the agent's source: the Kafka APIs with their versions, and the topic configs.
import { TOPIC_CONFIGS } from '../../../packages/metadata-core/src/topics/topic-configs.ts';

export interface KafkaApi {
  key: number;
  name: string;
  oldest: number;
  newest: number;
}

/**
 * @param apiKeys wire/src/api_key.rs
 * @param messages the files of wire/src/messages
 */
export function kafkaApis(apiKeys: string, messages: readonly string[]): KafkaApi[] {
  const versions = new Map(
    messages.flatMap((source) =>
      [...source.matchAll(/api! \{\s+(\w+): [^}]*?versions (\d+)\.\.=(\d+)/g)].map(
        (match) => [match[1], match] as const,
      ),
    ),
  );
  const table = /macro_rules! for_each_api \{[\s\S]*?\$apply! \{\n([\s\S]*?)\n {8}\}/.exec(apiKeys)?.[1] ?? '';
  return [...table.matchAll(/(\w+) = (\d+),/g)].map(([, name = '', key]) => {
    const match = versions.get(name);
    if (match === undefined) {
      throw new Error(`No message file tells the versions of ${name}`);
    }
    return { key: Number(key), name, oldest: Number(match[2]), newest: Number(match[3]) };
  });
}

/** One row of the table of topic configs that documentation, dashboard, REST and command line share. */
export interface TopicConfig {
  name: string;
  default: string;
  hasEffect: boolean;
  /** The effect in Penstock, or why there is none and the effect in Kafka. */
  meaning: string;
  /** integer, boolean, fraction, one-of, list-of or replica-list */
  type: string;
  /** Minimum of integers, as exact text; otherwise empty. */
  least: string;
  greatest: string;
  /** Allowed values of one-of and list-of; otherwise empty. */
  values: readonly string[];
}

/** A documentation in the agent begins so for a config that is kept and shown, and nothing more. */
const WITHOUT_EFFECT = 'Has no effect';

/** @param source handlers/src/configs/topic_configs.rs; its tests compare names and defaults with those of metadata-core */
export function topicConfigs(source: string): TopicConfig[] {
  const table = /DEFINITIONS: &\[Definition\] = definitions! \{([\s\S]*?)\n\};/.exec(source)?.[1] ?? '';
  const rows = [...table.matchAll(/"([^"]*)", "[^"]*", \w+, "([^"]*)",\s*"([^"]*)";/g)];
  if (rows.length === 0) {
    throw new Error('The table of topic configs was not found');
  }
  return rows.map(([, name = '', value = '', meaning = '']) => {
    const rule = TOPIC_CONFIGS.get(name)?.rule;
    if (rule === undefined) {
      throw new Error(`The metadata service has no rule for ${name}`);
    }
    return {
      name,
      default: value,
      hasEffect: !meaning.startsWith(WITHOUT_EFFECT),
      meaning,
      type: rule.type,
      least: rule.type === 'integer' ? String(rule.min) : '',
      greatest: rule.type === 'integer' ? String(rule.max) : '',
      values: 'values' in rule ? rule.values : [],
    };
  });
}
