import type { RouterOutputs } from '../../../lib/trpc';

export type DeniedRequests = RouterOutputs['access']['listDeniedRequests'][number];
