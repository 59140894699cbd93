// Rules of what a person may type about a topic: Kafka's own. Client-safe.
import { z } from 'zod';

export const topicName = z
  .string()
  .trim()
  .min(1, 'Give the topic a name.')
  .max(249, 'Kafka allows at most 249 characters.')
  .regex(/^[a-zA-Z0-9._-]+$/, 'Kafka allows letters, digits, dots, dashes and underscores.')
  .refine((name) => name !== '.' && name !== '..', 'Kafka reserves “.” and “..”.');

/** -1: the cluster's default. */
export const topicPartitions = z
  .number()
  .int('Use a whole number.')
  .refine((count) => count === -1 || count >= 1, 'A topic has at least one partition.')
  .refine((count) => count <= 10_000, 'Use at most 10,000 partitions.');
