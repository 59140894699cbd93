import type { LiveClusterView } from '@penstock/services';
import { z } from 'zod';

/** `lastEventId` comes from the client by itself when it reconnects; each event is whole, so it asks for nothing more. */
export const watchClusterInput = z.object({ clusterId: z.uuid(), lastEventId: z.string().max(64).nullish() });

/** `unreachable`: the metadata service does not answer at the moment; the last view stands, and the stream goes on. */
export type ClusterWatchEvent = { state: 'live'; view: LiveClusterView } | { state: 'unreachable'; message: string };
