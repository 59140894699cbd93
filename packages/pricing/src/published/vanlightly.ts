import { type FigureSpec, figuresOf } from './types.ts';

const { derived, given, measured, open } = figuresOf('vanlightly', 'redpanda-1000');

export const VANLIGHTLY_FIGURES: readonly FigureSpec[] = [
  derived(
    'The original benchmark’s rate: a million KB',
    'MB/s (MiB)',
    '976 MB',
    '1000000 × 1024 ÷ 1048576',
    'Cut from 976.56.',
  ),
  derived('1,024,000 messages per second', 'MB/s (MiB)', '1000 MB/s', '1024000 × 1024 ÷ 1048576'),
  derived('Six throughputs from 500 to 1,000', '', '6', '(1000 − 500) ÷ 100 + 1', undefined, 'redpanda-500'),
  derived('Per producer with 4 of them', 'MB/s', '250 MB/s', '1000 ÷ 4'),
  derived('CPU time of three machines of 24 vCPUs, per second', 'ms', '72K', '3 × 24', 'In thousands of ms.'),
  given('Redpanda brokers, by its own claim', 'machines', '3 brokers'),
  given('Kafka brokers, by Redpanda’s claim', 'machines', '9 brokers', 'The author reached 1 GB/s on three.'),
  open(
    'Redpanda’s TCO claim',
    'brokers',
    '9',
    'The cost comparison rests on 3 against 9 brokers; its prices are in another article. With three each the machines cost the same.',
  ),
  measured('Redpanda, 500 MB/s, 50 producers: end-to-end latency', 'ms', '700 ms'),
  measured('Redpanda, 500 MB/s, 50 producers, TLS: end-to-end latency', 's', '24 second'),
  measured('Redpanda, 1,000 MB/s, 50 producers: end-to-end latency', 's', '24 seconds'),
  measured('Redpanda, 1,000 MB/s wanted, 50 producers, TLS: reached', 'MB/s', '850 MB/s'),
  measured('CPU at 500 MB/s, 4 producers', '%', '25%'),
  measured('CPU at 500 MB/s, 50 producers', '%', '76%'),
  given('Batch size of the producers', 'bytes', '131072'),
];
