// Costs of a service that bills uptime, partitions and bytes, and shows no machines.
import { formula } from './symbols.ts';
import type { LineSpec } from './types.ts';

/** The lines of a serverless service whose prices are the catalogue's items with this prefix. */
export function serverlessLines(item: 'msk-serverless' | 'redpanda-serverless'): readonly LineSpec[] {
  return [
    {
      id: 'uptime',
      component: 'vendor fee',
      label: 'Cluster hours',
      words: 'hours of the month',
      quantity: formula('month_h'),
      price: `item:${item}.hour`,
      basis: 'hour',
      floor: 'the cluster is billed while it exists',
    },
    {
      id: 'partitions',
      component: 'vendor fee',
      label: 'Partition hours',
      words: 'partitions, all hours of the month',
      quantity: formula('partitions × month_h'),
      price: `item:${item}.partition`,
      basis: 'hour',
      floor: 'partitions are billed while they exist',
    },
    {
      id: 'data-in',
      component: 'vendor fee',
      label: 'Data in',
      words: 'written, after compression',
      quantity: formula('wire_gb'),
      price: `item:${item}.in`,
      basis: 'second',
      floor: null,
    },
    {
      id: 'data-out',
      component: 'vendor fee',
      label: 'Data out',
      words: 'written, after compression, times the readers',
      quantity: formula('wire_gb × fanout'),
      price: `item:${item}.out`,
      basis: 'second',
      floor: null,
    },
    {
      id: 'storage',
      component: 'vendor fee',
      label: 'Storage',
      words: 'what is kept, after compression, once',
      quantity: formula('stored_gb'),
      price: `item:${item}.storage`,
      basis: 'none',
      floor: null,
    },
  ];
}
