// Validation rules for clusters. Client-safe, so that forms and the server share them.
import { z } from 'zod';

export const clusterName = z
  .string()
  .trim()
  .min(1, 'Enter a name for the cluster.')
  .max(64, 'Use at most 64 characters.')
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
    'Use letters, digits, spaces, dots, dashes and underscores. Start with a letter or digit.',
  );

export const clusterCloud = z.enum(['aws', 'gcp', 'azure', 'other']);

/** The mode, which determines the price of a cluster-minute and the limits. */
export const clusterMode = z.enum(['dev', 'standard', 'low-latency'], 'Choose dev, standard or low-latency.');

/** A label for people. Agents do not use it to reach the bucket. */
export const clusterRegion = z
  .string()
  .trim()
  .min(1, 'Enter the region where the agents run.')
  .max(64, 'Use at most 64 characters.')
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9 ._-]*$/, 'Use letters, digits, spaces, dots, dashes and underscores.');

/** Corresponds to Kafka's offsets.retention.minutes. */
export const offsetsRetentionMinutes = z
  .number()
  .int('Use a whole number.')
  .min(1, 'Use at least 1 minute.')
  .max(2_147_483_647, 'Use at most 2,147,483,647 minutes.');

/** The default of the topic config max.uncompressed.batch.bytes, with the bounds of the config. */
export const maxUncompressedBatchBytes = z
  .number()
  .int('Use a whole number.')
  .min(1_024, 'Use at least 1,024 bytes.')
  .max(1_073_741_824, 'Use at most 1,073,741,824 bytes (1 GiB).');

/** Kafka clients request the default with -1, or by writing to a topic that does not exist yet. */
export const defaultPartitions = z
  .number()
  .int('Use a whole number.')
  .min(1, 'Use at least 1 partition.')
  .max(1024, 'Use at most 1,024. To have more, set the number when you create a topic.');
