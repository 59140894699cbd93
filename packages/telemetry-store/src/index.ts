// Telemetry in PostgreSQL: stores reports, rolls them up, creates and drops partitions. Use-cases read it themselves.
export {
  type AccessReporter,
  DENIAL_RETENTION_MS,
  expireAccess,
  type ReportedAccess,
  type ReportedAcl,
  type ReportedDenial,
  type ReportedUse,
  storeAccess,
} from './access-store.ts';
export { expireClientHours } from './client-store.ts';
export { dropExpiredPartitions, ensurePartitions } from './partitions.ts';
export {
  type Refusal,
  type Reporter,
  type ReportOutcome,
  ReportStore,
  type ReportStoreOptions,
  type WindowReport,
} from './report-store.ts';
export { rollUpTelemetry } from './roll-up.ts';
