import type { RouterOutputs } from '../../lib/trpc';

export type Line = RouterOutputs['billing']['draft']['lines'][number];
