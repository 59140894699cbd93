import { CONSUME_ACROSS, KAFKA_LATENCY, PRODUCE_ACROSS } from './kafka-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const MSK_EXPRESS: SystemSpec = {
  id: 'msk-express',
  name: 'Amazon MSK, Express brokers',
  configuration:
    'Express brokers m7g.large, the same number in every zone: throughput per broker grows with the price, so the smallest fits best. AWS manages their storage and recommends their throughput, which stands for CPU and network. Consumers read in their own zone. We found no price list for its storage, so we use MSK’s price for what is kept, once.',
  clouds: ['aws'],
  cells: [
    {
      symbol: 'brokers',
      label: 'brokers: enough for the recommended throughput and partitions at the peak, the same number in every zone',
      unit: 'brokers',
      formula: formula(
        'zones × ceil(max(min_brokers, ceil(peak × wire ÷ 1000000 ÷ express_in_mb), ceil(peak × wire × fanout ÷ 1000000 ÷ express_out_mb), ceil(partitions × rf ÷ express_replicas)) ÷ zones)',
      ),
    },
  ],
  lines: [
    {
      id: 'brokers',
      component: 'vendor fee',
      label: 'Express brokers',
      words: 'brokers, all hours of the month',
      quantity: formula('brokers × month_h'),
      price: 'item:msk-express.m7g.large',
      basis: 'hour',
      floor: 'a cluster needs at least three brokers',
    },
    {
      id: 'data-in',
      component: 'vendor fee',
      label: 'Data in',
      words: 'written, after compression',
      quantity: formula('wire_gb'),
      price: 'item:msk-express.data-in',
      basis: 'second',
      floor: null,
    },
    {
      id: 'storage',
      component: 'vendor fee',
      label: 'Storage',
      words: 'what is kept, after compression, once',
      quantity: formula('stored_gb'),
      price: 'item:msk.storage',
      basis: 'none',
      floor: null,
    },
    PRODUCE_ACROSS,
    CONSUME_ACROSS,
  ],
  latency: { ...KAFKA_LATENCY, note: `${KAFKA_LATENCY.note} MSK publishes no latency figures.` },
};
