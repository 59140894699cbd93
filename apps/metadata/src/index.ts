// What other packages of this repository may import from the metadata service: benchmarks, and programs that run it in-process.
export { type Clock, systemClock } from './owners/clock.ts';
export { type Ids, randomIds } from './owners/ids.ts';
export { JobPlans } from './owners/job-plans.ts';
export { Owner, type OwnerOptions } from './owners/owner.ts';
export { type Recovered, recover } from './owners/recovery.ts';
export { SNAPSHOT_AFTER_BYTES, SNAPSHOT_SHARE_OF_JOURNAL } from './owners/snapshots.ts';
export { type MetadataServer, startServer } from './server.ts';
export { readSettings, type Settings } from './settings.ts';
