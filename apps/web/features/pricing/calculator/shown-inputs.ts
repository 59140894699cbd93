// Selects the visible inputs: six in the simple form, and three next to the results. Everything else is behind “All
// assumptions”.
import { INPUTS, type InputGroup, type InputSpec } from '@penstock/pricing';

/** The simple form. The unit of the throughput is part of the first. */
export const BASIC_KEYS = ['throughput', 'compressionRatio', 'fanout', 'retentionDays', 'partitions', 'cloud'] as const;
export const UNIT_KEY = 'throughputUnit';
/** Choices of how results are compared. */
export const VIEW_KEYS = ['cpuBasis', 'rival', 'latencyMode'] as const;

const APART = new Set<string>([...BASIC_KEYS, UNIT_KEY, ...VIEW_KEYS]);
const ORDER: readonly InputGroup[] = ['workload', 'deployment', 'latency', 'penstock', 'kafka', 'rivals'];

const specsOf = (keys: readonly string[]): readonly InputSpec[] =>
  keys.flatMap((key) => INPUTS.find((spec) => spec.key === key) ?? []);

export const BASIC_SPECS = specsOf(BASIC_KEYS);
export const VIEW_SPECS = specsOf(VIEW_KEYS);
export const UNIT_SPEC = specsOf([UNIT_KEY])[0];
/** The assumptions behind the simple form. */
export const OTHER_SPECS: readonly InputSpec[] = INPUTS.filter((spec) => !APART.has(spec.key));
export const OTHER_GROUPS: readonly (readonly [InputGroup, readonly InputSpec[]])[] = ORDER.map((group) => [
  group,
  OTHER_SPECS.filter((spec) => spec.group === group),
]);
