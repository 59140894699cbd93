import { describeDeadFiles } from '../contract/dead-files-contract.ts';
import { describeJournal } from '../contract/journal-contract.ts';
import { describeLeases } from '../contract/leases-contract.ts';
import { describeProcesses } from '../contract/processes-contract.ts';
import { describeStops } from '../contract/stops-contract.ts';
import { MemoryProcesses } from '../processes/memory-processes.ts';
import { MemoryStops } from '../stops/memory-stops.ts';
import { MemoryDeadFiles } from './memory-dead-files.ts';
import { MemoryJournal } from './memory-journal.ts';
import { MemoryLeases } from './memory-leases.ts';

const journal = new MemoryJournal();
describeJournal('memory', {
  journal: () => journal,
  markFolded: async (clusterId, throughSeq) => journal.markFolded(clusterId, throughSeq),
  age: async (clusterId, throughSeq, byMs) => journal.age(clusterId, throughSeq, byMs),
  loseTail: async (clusterId, afterSeq) => journal.loseTail(clusterId, afterSeq, { keepSnapshots: true }),
  loseEntry: async (clusterId, seq) => journal.loseEntry(clusterId, seq),
  changeEntry: async (clusterId, seq, bytes) => journal.changeEntry(clusterId, seq, bytes),
});

let nowMs = 0;
const leases = new MemoryLeases(() => nowMs);
describeLeases('memory', {
  leases: () => leases,
  expire: async () => {
    nowMs += 24 * 60 * 60 * 1000;
  },
  askToLeave: async (clusterId) => leases.askToLeave(clusterId),
  nowMs: async () => nowMs,
});

const stops = new MemoryStops(() => Date.now());
describeStops('memory', { stops: () => stops });

const deadFiles = new MemoryDeadFiles();
describeDeadFiles('memory', { deadFiles: () => deadFiles });

let processesNowMs = 0;
const processes = new MemoryProcesses(() => processesNowMs);
describeProcesses('memory', {
  processes: () => processes,
  expire: async () => {
    processesNowMs += 24 * 60 * 60 * 1000;
  },
});
