import type { RouterOutputs } from '../../../lib/trpc';

export type Transaction = RouterOutputs['transaction']['list'][number];
