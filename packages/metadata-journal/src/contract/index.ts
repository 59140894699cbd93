// The suites that every implementation runs, wherever it is.
export { type DeadFilesHarness, describeDeadFiles } from './dead-files-contract.ts';
export { describeJournal, type JournalHarness } from './journal-contract.ts';
export { describeLeases, type LeasesHarness } from './leases-contract.ts';
export { describeProcesses, type ProcessesHarness } from './processes-contract.ts';
export { describeStops } from './stops-contract.ts';
