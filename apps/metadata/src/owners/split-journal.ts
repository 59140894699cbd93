import type { Journal } from '@penstock/metadata-journal';

/** One journal over two connection pools, so that long reads never delay an append. */
export function splitJournal(appends: Journal, reads: Journal): Journal {
  return {
    append: (...args) => appends.append(...args),
    read: (...args) => reads.read(...args),
    writeSnapshot: (...args) => reads.writeSnapshot(...args),
    statusOf: (...args) => reads.statusOf(...args),
    readSnapshot: (...args) => reads.readSnapshot(...args),
    cut: (...args) => reads.cut(...args),
  };
}
