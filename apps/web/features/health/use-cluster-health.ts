'use client';

import { useQuery } from '@tanstack/react-query';
import { useLivePart } from '../../lib/live';
import { type RouterOutputs, useTRPC } from '../../lib/trpc';
import type { Judged } from './shown-verdict';

export type ClusterHealth = RouterOutputs['health']['get'];
export type OpenFinding = ClusterHealth['findings'][number];
export type Silence = ClusterHealth['silences'][number];

/** The parts of a cluster's health that the verdict needs; undefined while loading. */
export function judged(health: ClusterHealth | undefined): Judged | undefined {
  return health === undefined
    ? undefined
    : { level: health.level, isSilenced: health.findings.length > 0 && health.findings.every((one) => one.isSilenced) };
}

/** The health verdict, updated by the cluster's stream. The last known one stays when the connection drops. */
export function useClusterHealth(clusterId: string) {
  const { following } = useLivePart({ kind: 'health' });
  return useQuery({ ...useTRPC().health.get.queryOptions({ clusterId }), ...following });
}
