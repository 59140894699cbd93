// Metering: from the journal to the usage ledger.
export { clustersToFold, type FoldResult, foldJournal, JournalGap } from './metering/fold-journal.ts';
export { chainHash, genesisHash } from './metering/meter-block.ts';
