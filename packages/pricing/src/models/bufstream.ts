import {
  AGENT_LINE,
  AGENTS_FOR_NETWORK,
  agentCores,
  agentNetwork,
  OBJECT_STORAGE,
  requestLine,
} from './object-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const BUFSTREAM: SystemSpec = {
  id: 'bufstream',
  name: 'Bufstream',
  configuration:
    'Based on Buf’s benchmark: agents across zones with zone-aware clients, three small etcd machines, and the request rates and metadata traffic between zones that Buf measured. Further readers cause no more GETs, because Buf publishes none.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'agent',
  cpu: {
    kind: 'published',
    note: 'Not measured by us: less than 1 busy CPU on each of 6 agents at 1 GiB/s in and out (Buf, 2024).',
  },
  cells: [
    agentCores(
      'virtual CPUs that the peak needs',
      formula('written_gib_s × buf_cpu × (1 − buf_read_share + buf_read_share × fanout)'),
    ),
    agentNetwork(''),
    {
      symbol: 'agents',
      label: 'agents: enough for the CPU and network of the peak, one per zone, at least the minimum',
      unit: 'agents',
      formula: formula(`max(min_agents, zones, ceil(cores ÷ agent_vcpus), ${AGENTS_FOR_NETWORK})`),
    },
    { symbol: 'put_s', label: 'PUTs', unit: 'PUT/s', formula: formula('wire_gib_s × buf_put') },
    {
      symbol: 'get_s',
      label: 'GETs',
      unit: 'GET/s',
      formula: formula('wire_gib_s × buf_get'),
    },
    {
      symbol: 'metadata_zone',
      label: 'metadata between zones; none in a single zone',
      unit: 'GB',
      formula: formula('written_gib_s × buf_metadata × 1048576 × month_s ÷ zone_bytes × min(1, zones − 1)'),
    },
  ],
  lines: [
    AGENT_LINE,
    {
      id: 'etcd',
      component: 'compute',
      label: 'etcd',
      words: 'machines, all hours of the month',
      quantity: formula('etcd_machines × month_h'),
      price: 'small machine',
      basis: 'hour',
      floor: 'the metadata store runs always',
    },
    OBJECT_STORAGE,
    requestLine('put', 'PUTs', 'PUTs per second, all seconds of the month, in thousands', 'put_s', 'put'),
    requestLine('get', 'GETs', 'GETs per second, all seconds of the month, in thousands', 'get_s', 'get'),
    {
      id: 'metadata-across-zones',
      component: 'inter-zone network',
      label: 'Metadata between zones',
      words: 'metadata traffic to and between etcd machines',
      quantity: formula('metadata_zone'),
      price: 'zone transfer',
      basis: 'second',
      floor: null,
    },
    {
      id: 'fee',
      component: 'vendor fee',
      label: 'Bufstream fee',
      words: 'uncompressed GiB written',
      quantity: formula('written_gib'),
      price: 'item:bufstream.write',
      basis: 'second',
      floor: null,
    },
  ],
  latency: {
    produceP50: null,
    produceP99: null,
    endToEndP50: formula('260'),
    endToEndP99: formula('500'),
    basis: 'published',
    note: 'Buf, default configuration, 1 GiB/s. Produce latency is not published.',
  },
};
