// All that is compared, in the order of the reports.
import type { Scenario } from '../tool-case.ts';
import { access, cluster } from './cluster.ts';
import { consumerGroups, groups, otherGroups } from './groups.ts';
import { load, longerLoad } from './load.ts';
import { configs, otherConfigs, records, topics } from './topics.ts';
import { openTransactions } from './transactions.ts';

export const scenarios: readonly Scenario[] = [
  topics,
  configs,
  otherConfigs,
  records,
  groups,
  consumerGroups,
  otherGroups,
  openTransactions,
  cluster,
  access,
  load,
  longerLoad,
];
