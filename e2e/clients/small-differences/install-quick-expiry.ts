// Preloaded into a metadata process: it looks for committed offsets to expire every second, instead of every ten minutes.
import { installChanges } from '../../metadata-sim/src/mutants/install-mutant.ts';

installChanges([
  {
    name: 'offsets to expire',
    file: 'apps/metadata/src/owners/expiry.ts',
    from: 'OFFSET_EXPIRY_INTERVAL_MS = 600_000',
    to: 'OFFSET_EXPIRY_INTERVAL_MS = 1_000',
  },
]);
