// Cells that every system uses: the load in bytes, the month in seconds.

import { MACHINE_INPUTS } from '../catalogue/index.ts';
import type { ModelInput } from '../inputs/keys.ts';
import { type EngineSymbol, formula } from './symbols.ts';
import type { ModelCell } from './types.ts';

/** Symbols provided by the engine: choices as numbers. */
export const INPUT_CELLS: readonly {
  readonly symbol: EngineSymbol;
  readonly label: string;
  readonly unit: string;
  readonly input: ModelInput;
}[] = [
  { symbol: 'unit_bytes', label: 'bytes in the unit of the throughput', unit: 'bytes', input: 'throughputUnit' },
  {
    symbol: 'compressed',
    label: '1 when the throughput was measured after compression, else 0',
    unit: '',
    input: 'throughputBasis',
  },
  {
    symbol: 'basis_core_s',
    label: '1 when CPU is counted in core-seconds: measured, or published where it is not',
    unit: '',
    input: 'cpuBasis',
  },
  { symbol: 'basis_alike', label: '1 when the CPU of every system is assumed alike', unit: '', input: 'cpuBasis' },
  { symbol: 'basis_sizing', label: '1 when published sizing is used', unit: '', input: 'cpuBasis' },
  { symbol: 'month_h', label: 'hours in a month', unit: 'h', input: 'monthHours' },
  { symbol: 'gb', label: 'bytes in a cloud’s “GB”', unit: 'bytes', input: 'byteUnit' },
  { symbol: 'zone_bytes', label: 'bytes in the unit of traffic between zones', unit: 'bytes', input: 'byteUnit' },
  ...(['broker', 'agent', 'node', 'msk'] as const).flatMap((role) => [
    { symbol: `${role}_vcpus`, label: 'virtual CPUs of a machine', unit: 'vCPU', input: MACHINE_INPUTS[role] } as const,
    {
      symbol: `${role}_mb_s`,
      label: 'network that a machine sustains, each way',
      unit: 'MB/s',
      input: MACHINE_INPUTS[role],
    } as const,
    { symbol: `${role}_disk_gb`, label: 'local disks of a machine', unit: 'GB', input: MACHINE_INPUTS[role] } as const,
  ]),
];

export const SHARED_CELLS: readonly ModelCell[] = [
  {
    symbol: 'written',
    label: 'written, before compression',
    unit: 'bytes/s',
    formula: formula('rate × unit_bytes × (1 + compressed × (ratio − 1))'),
  },
  { symbol: 'wire', label: 'written, after compression', unit: 'bytes/s', formula: formula('written ÷ ratio') },
  { symbol: 'month_s', label: 'seconds in a month', unit: 's', formula: formula('month_h × 3600') },
  {
    symbol: 'written_gib_s',
    label: 'written, before compression',
    unit: 'GiB/s',
    formula: formula('written ÷ 1073741824'),
  },
  { symbol: 'wire_gib_s', label: 'written, after compression', unit: 'GiB/s', formula: formula('wire ÷ 1073741824') },
  { symbol: 'wire_mib_s', label: 'written, after compression', unit: 'MiB/s', formula: formula('wire ÷ 1048576') },
  {
    symbol: 'written_gib',
    label: 'written in a month, before compression',
    unit: 'GiB',
    formula: formula('written_gib_s × month_s'),
  },
  {
    symbol: 'wire_gb',
    label: 'written in a month, after compression',
    unit: 'GB',
    formula: formula('wire × month_s ÷ gb'),
  },
  {
    symbol: 'wire_zone',
    label: 'written in a month, after compression, in the unit of traffic between zones',
    unit: 'GB',
    formula: formula('wire × month_s ÷ zone_bytes'),
  },
  { symbol: 'retention_s', label: 'retention', unit: 's', formula: formula('retention_d × 86400') },
  {
    symbol: 'stored_gb',
    label: 'kept, after compression, one copy',
    unit: 'GB',
    formula: formula('wire × retention_s ÷ gb'),
  },
  {
    symbol: 'cross',
    label: 'share of the traffic that meets a server in another zone',
    unit: '',
    formula: formula('(zones − 1) ÷ zones'),
  },
];
