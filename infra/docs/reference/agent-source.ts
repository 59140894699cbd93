// Extracts facts from the agent's source: the Kafka APIs with their versions, and the topic configs.

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

export interface TopicConfig {
  name: string;
  default: string;
  documentation: string;
}

/** @param source handlers/src/topic_configs.rs */
export function topicConfigs(source: string): TopicConfig[] {
  const table = /DEFINITIONS: &\[Definition\] = definitions! \{([\s\S]*?)\n\};/.exec(source)?.[1] ?? '';
  const rows = [...table.matchAll(/"([^"]*)", "[^"]*", \w+, "([^"]*)",\s*"([^"]*)";/g)];
  if (rows.length === 0) {
    throw new Error('The table of topic configs was not found');
  }
  return rows.map(([, name = '', value = '', documentation = '']) => ({ name, default: value, documentation }));
}
