// Telemetry in PostgreSQL: stores reports, rolls them up, creates and drops partitions. Use-cases read it themselves.
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
