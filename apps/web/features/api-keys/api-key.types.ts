import type { RouterOutputs } from '../../lib/trpc';

export type ApiKey = RouterOutputs['apiKey']['list'][number];
