// Validation rules for topics, the same as Kafka's. Client-safe.
import { z } from 'zod';

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

const LARGEST_INT = 2_147_483_647n;
const LARGEST_LONG = 9_223_372_036_854_775_807n;

/** Exact text, because Kafka's numbers exceed JavaScript's; null for the default. */
function wholeNumber(least: bigint, greatest: bigint) {
  return z
    .string()
    .trim()
    .regex(/^-?\d{1,19}$/, 'Use a whole number, or leave empty for the default.')
    .refine((text) => !/^-?\d{1,19}$/.test(text) || (BigInt(text) >= least && BigInt(text) <= greatest), {
      message: `Use a number from ${least} to ${greatest}.`,
    })
    .nullable();
}

/** The topic configs that have an effect here, with Kafka's names and bounds. Omitted configs stay as they are. */
export const topicConfigs = z
  .object({
    'retention.ms': wholeNumber(-1n, LARGEST_LONG),
    'retention.bytes': wholeNumber(-1n, LARGEST_LONG),
    'max.message.bytes': wholeNumber(0n, LARGEST_INT),
  })
  .partial();
export type TopicConfigs = z.infer<typeof topicConfigs>;
