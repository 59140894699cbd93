// Validation rules for topics, the same as Kafka's. Client-safe.
import { z } from 'zod';
import { type TopicConfigDefinition, topicConfigTable } from './topic-config-table.ts';

export const topicName = z
  .string()
  .trim()
  .min(1, 'Enter a name for the topic.')
  .max(249, 'Use at most 249 characters.')
  .regex(/^[a-zA-Z0-9._-]+$/, 'Use letters, digits, dots, dashes and underscores.')
  .refine((name) => name !== '.' && name !== '..', 'Kafka reserves the names “.” and “..”.');

/** -1 for the cluster's default. */
export const topicPartitions = z
  .number()
  .int('Use a whole number.')
  .refine((count) => count === -1 || count >= 1, 'Use at least 1 partition.')
  .refine((count) => count <= 10_000, 'Use at most 10,000 partitions.');

/** Long enough for any value that the metadata service takes. */
const MAX_CONFIG_VALUE_CHARS = 1_000;

/** Exact text, because Kafka's numbers exceed JavaScript's; null for the default. */
function wholeNumber(least: bigint, greatest: bigint) {
  return z
    .string()
    .trim()
    .regex(/^-?\d{1,19}$/, 'Use a whole number, or leave empty for the default.')
    .refine((text) => !/^-?\d{1,19}$/.test(text) || (BigInt(text) >= least && BigInt(text) <= greatest), {
      message: `Use a number from ${least} to ${greatest}.`,
    });
}

/** The metadata service's rules for values, so that forms can explain them before a value is sent. */
function valueSchema({ type, least, greatest, values }: TopicConfigDefinition) {
  const text = z.string().trim().max(MAX_CONFIG_VALUE_CHARS);
  switch (type) {
    case 'integer':
      return wholeNumber(BigInt(least), BigInt(greatest));
    case 'boolean':
      return text.refine((value) => value === 'true' || value === 'false', 'Use true or false.');
    case 'fraction':
      return text.refine(
        (value) => /^\d*\.?\d+$/.test(value) && Number(value) <= 1,
        'Use a number from 0 to 1, such as 0.5.',
      );
    case 'one-of':
      return text.refine((value) => values.includes(value), `Use one of ${values.join(', ')}.`);
    case 'list-of':
      return text.refine(
        (value) =>
          value
            .split(',')
            .map((item) => item.trim())
            .every((item) => item === '' || values.includes(item)),
        `Use ${values.join(', ')} or several of them, separated by commas.`,
      );
    default:
      return text;
  }
}

/** All topic configs, with Kafka's names and bounds. Null restores the default; omitted configs stay as they are. */
export const topicConfigs = z.strictObject(
  Object.fromEntries(
    topicConfigTable.map((config) => [
      config.name,
      valueSchema(config).nullable().optional().meta({ description: config.meaning }),
    ]),
  ),
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no topic config ${issue.keys.map((key) => `“${key.slice(0, 100)}”`).join(', ')}. Use Kafka’s names, such as “retention.ms”.`
        : undefined,
  },
);
export type TopicConfigs = z.infer<typeof topicConfigs>;
