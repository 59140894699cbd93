// Without faults, ControlledJournal keeps the contract of every journal.
import { describeJournal } from '@penstock/metadata-journal/contract';
import { ControlledJournal } from './controlled-journal.ts';

const journal = new ControlledJournal();
const { memory } = journal;
describeJournal('controlled', {
  journal: () => journal,
  markFolded: async (clusterId, throughSeq) => memory.markFolded(clusterId, throughSeq),
  age: async (clusterId, throughSeq, byMs) => memory.age(clusterId, throughSeq, byMs),
  loseTail: async (clusterId, afterSeq) => memory.loseTail(clusterId, afterSeq, { keepSnapshots: true }),
  loseEntry: async (clusterId, seq) => memory.loseEntry(clusterId, seq),
  changeEntry: async (clusterId, seq, bytes) => memory.changeEntry(clusterId, seq, bytes),
});
