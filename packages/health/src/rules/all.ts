import { clockSkew, unsupportedVersion } from './agents.ts';
import { bucketLifecycleRule, bucketPermission } from './bucket.ts';
import { consumersStopped, lagGrowing } from './consumers.ts';
import { commitErrors, fetchErrors, produceErrors } from './errors.ts';
import { landingFailing, landingFallback, noLandingBuckets } from './landing.ts';
import { commitAboveUsual, putAboveUsual } from './latency.ts';
import { metadataMemory } from './metadata-memory.ts';
import { impossibleMetering } from './metering.ts';
import { objectStoreFailing } from './object-store.ts';
import { metadataUnreachable, noAgent, zoneWithoutAgent } from './presence.ts';
import type { Rule } from './rule.ts';
import { clusterFault, clusterStopped } from './stopped.ts';
import { unorderedJob } from './unordered-job.ts';
import { unusualUsage } from './unusual-usage.ts';

export const rules: readonly Rule[] = [
  noAgent,
  zoneWithoutAgent,
  metadataUnreachable,
  clusterStopped,
  clusterFault,
  objectStoreFailing,
  bucketPermission,
  bucketLifecycleRule,
  landingFallback,
  landingFailing,
  produceErrors,
  fetchErrors,
  commitErrors,
  putAboveUsual,
  commitAboveUsual,
  consumersStopped,
  lagGrowing,
  unsupportedVersion,
  clockSkew,
  noLandingBuckets,
  impossibleMetering,
  unusualUsage,
  unorderedJob,
  metadataMemory,
];
