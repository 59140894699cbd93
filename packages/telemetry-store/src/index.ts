// Telemetry in PostgreSQL: taking reports in, rolling them up, making and dropping partitions. Reading is the use-cases' business.
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
