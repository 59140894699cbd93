// The suites that the simulation's stand-ins run, as this service's own implementations do.
export { type ClockHarness, describeClock } from './clock-contract.ts';
export { type ClusterDirectoryHarness, describeClusterDirectory } from './cluster-directory-contract.ts';
export { describeRecordedCalls, type RecordedCallsHarness } from './recorded-calls-contract.ts';
