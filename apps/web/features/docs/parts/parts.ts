// MDX components that draw from code and generated reference data, by name.

import { CalculatorDefaults } from './calculator-defaults';
import { AgentExamples, AgentOptions, CommandLineHelp } from './command-reference';
import { HealthRules } from './health-rules';
import { KubernetesManifest } from './kubernetes-manifest';
import { LimitTable } from './limits';
import { PermissionMatrix, RoleList } from './permission-matrix';
import { PriceBookTables, WorkedBill } from './price-book';
import { AgentMetricTable, ClusterMetricTable, KafkaApiTable, TopicConfigTable } from './reference-tables';
import { SentToMetadata } from './sent-to-metadata';

export const parts = {
  AgentExamples,
  AgentMetricTable,
  AgentOptions,
  ClusterMetricTable,
  CommandLineHelp,
  HealthRules,
  KafkaApiTable,
  KubernetesManifest,
  LimitTable,
  PermissionMatrix,
  CalculatorDefaults,
  PriceBookTables,
  RoleList,
  SentToMetadata,
  TopicConfigTable,
  WorkedBill,
};
