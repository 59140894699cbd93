// Preloaded into a metadata process: shortens the windows of merging, compaction and deletion from minutes and hours to seconds, so that
// all of them happen many times in a run. Only times and sizes of the policy differ; rules and code are those that ship.
import { installChanges } from '../../metadata-sim/src/mutants/install-mutant.ts';
import type { SourceChange } from '../../metadata-sim/src/mutants/mutants.ts';

const POLICY = 'packages/metadata-core/src/merging/policy.ts';
const COMPACTION = 'packages/metadata-core/src/merging/compaction-policy.ts';
const LIMITS = 'packages/metadata-core/src/model/limits.ts';
const JOBS = 'apps/metadata/src/owners/merge-jobs.ts';
const EXPIRY = 'apps/metadata/src/owners/expiry.ts';

const changes: readonly SourceChange[] = [
  { name: 'files wait for company', file: POLICY, from: 'freshMs: MINUTE_MS,', to: 'freshMs: 2_000,' },
  { name: 'landed files wait', file: POLICY, from: 'landedMs: MINUTE_MS / 2,', to: 'landedMs: 2_000,' },
  { name: 'a window', file: POLICY, from: 'windowMs: 60 * MINUTE_MS,', to: 'windowMs: 12_000,' },
  { name: 'a merged run', file: POLICY, from: 'runBytes: 64 * MIB,', to: 'runBytes: MIB / 4,' },
  { name: 'what failed', file: POLICY, from: 'FIRST_PAUSE_MS = 10_000', to: 'FIRST_PAUSE_MS = 1_000' },
  { name: 'dirty bytes', file: COMPACTION, from: 'minDirtyBytes: 4 * MIB,', to: 'minDirtyBytes: 1,' },
  { name: 'dirty records', file: COMPACTION, from: 'maxWaitMs: 10 * MINUTE_MS,', to: 'maxWaitMs: 4_000,' },
  { name: 'looks for dirty partitions', file: COMPACTION, from: 'sweepMs: 15_000,', to: 'sweepMs: 2_000,' },
  { name: 'an agent with a job', file: JOBS, from: 'LEASE_MS = 60_000', to: 'LEASE_MS = 8_000' },
  { name: 'a dead file', file: LIMITS, from: 'DELETION_GRACE_MS = MINUTE_MS', to: 'DELETION_GRACE_MS = 8_000' },
  { name: 'its deletion', file: LIMITS, from: 'DELETION_LEASE_MS = 5 * MINUTE_MS', to: 'DELETION_LEASE_MS = 15_000' },
  { name: 'retention', file: EXPIRY, from: 'RETENTION_INTERVAL_MS = 30_000', to: 'RETENTION_INTERVAL_MS = 2_000' },
];

installChanges(changes);
