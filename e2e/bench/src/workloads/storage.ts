// Where the agents of the benchmark `workloads` keep their files.
import type { SystemChoice } from '../servers.ts';
import { type SlowStorage, startLandingStorage, startSlowStorage, storageLatencies } from '../slow-storage.ts';

/** `low-latency` is a cluster in that mode, with landing buckets. The others are one bucket with the latencies of that name. */
export const workloadProfiles = ['standard', 'express', 'low-latency'] as const;
export type WorkloadProfile = (typeof workloadProfiles)[number];

/** As results describe it. */
export function describeStorage(profile: WorkloadProfile | undefined): unknown {
  switch (profile) {
    case undefined:
      return 'local disk';
    case 'low-latency':
      return { standard: storageLatencies.standard, three_landing_buckets: storageLatencies.express };
    default:
      return storageLatencies[profile];
  }
}

/** Runs `work` with this storage, which is removed afterwards. Without a profile, files are on a local disk. */
export async function withStorage<T>(
  profile: WorkloadProfile | undefined,
  work: (choice: SystemChoice) => Promise<T>,
): Promise<T> {
  if (profile === undefined) {
    return await work({});
  }
  const storage = await start(profile);
  try {
    const mode = profile === 'low-latency' ? { mode: profile } : {};
    return await work({ s3: storage.s3, agentEnv: storage.agentEnv, ...mode });
  } finally {
    await storage.stop();
  }
}

function start(profile: WorkloadProfile): Promise<SlowStorage> {
  return profile === 'low-latency' ? startLandingStorage() : startSlowStorage(storageLatencies[profile]);
}
