// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { z } from 'zod';

/** Resets one or all partitions of one topic. */
export const resetOffsetsInput = z
  .object({
    clusterId: z.uuid(),
    groupId: z.string().min(1).max(10_000),
    topic: z.string().min(1).max(249),
    to: z.enum(['earliest', 'latest', 'time', 'offset', 'shift']),
    /** All partitions if omitted. */
    partition: z.int('Use a whole number.').min(0, 'Use 0 or more.').max(1_000_000).optional(),
    /** With `time`: milliseconds since the Unix epoch. */
    timeMs: z.int().min(0).max(4_102_444_800_000).optional(),
    /** Required if `to` is `offset`. */
    offset: z.int().min(0).optional(),
    /** With `shift`: records forward, or back if negative. */
    shiftBy: z.int().optional(),
  })
  .superRefine(({ to, partition, timeMs, offset, shiftBy }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (to === 'time' && timeMs === undefined) {
      refuse('timeMs', 'Enter a time.');
    }
    if (to === 'offset' && offset === undefined) {
      refuse('offset', 'Enter an offset.');
    }
    if (to === 'offset' && partition === undefined) {
      refuse('partition', 'Enter a partition. Each partition has its own offsets.');
    }
    if (to === 'shift' && shiftBy === undefined) {
      refuse('shiftBy', 'Enter a number of records, negative to go back.');
    }
    if (to !== 'time' && timeMs !== undefined) {
      refuse('timeMs', 'A time is allowed only with “time”.');
    }
    if (to !== 'offset' && offset !== undefined) {
      refuse('offset', 'An offset is allowed only with “offset”.');
    }
    if (to !== 'shift' && shiftBy !== undefined) {
      refuse('shiftBy', 'A shift is allowed only with “shift”.');
    }
  });
