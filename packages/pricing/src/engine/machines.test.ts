import { describe, expect, it } from 'vitest';
import { AUTO_MACHINES, MACHINES, machineNamed } from '../catalogue/index.ts';
import { decimal } from '../decimal/index.ts';
import { SYSTEMS } from '../models/index.ts';
import { type CalculatorState, DEFAULT_STATE, estimateState, withInput, withInputs } from '../state/index.ts';

function countOf(state: CalculatorState, id: string): number {
  const [system] = estimateState(state, new Set([id])).systems;
  const line = system?.available ? system.lines.find((candidate) => candidate.basis === 'hour') : undefined;
  return line?.quantity.div(730).toNumber() ?? Number.NaN;
}

function machineOf(state: CalculatorState, id: string): string | undefined {
  const [system] = estimateState(state, new Set([id])).systems;
  return system?.available
    ? system.lines
        .map((line) => line.price.entry.item)
        .find((item) => item.includes('ec2.') || item.startsWith('msk.m'))
    : undefined;
}

const withMachines = SYSTEMS.filter((system) => system.machine !== undefined);
const busy = withInputs(DEFAULT_STATE, {
  throughput: '4',
  throughputUnit: 'GiB/s',
  fanout: '20',
  retentionDays: '0.01',
});

describe('machines', () => {
  it.each(withMachines.map(({ id }) => [id]))('are bounded by sustained network speed for %s', (id) => {
    const wide = withInput(busy, 'networkTarget', '1');
    const narrow = withInput(busy, 'networkTarget', '0.05');
    expect(countOf(narrow, id)).toBeGreaterThan(countOf(wide, id));
  });

  it('each have a bandwidth, and those of EC2 a verified one', () => {
    for (const machine of MACHINES) {
      expect(decimal(machine.networkMbps).gt(0), machine.name).toBe(true);
      expect(machine.networkVerified, machine.name).toBe(machine.cloud === 'aws');
    }
    expect(machineNamed('m7g.xlarge')?.networkMbps).toBe('1876');
  });

  it('are the cheapest that carry the load', () => {
    const loaded = withInput(withInput(DEFAULT_STATE, 'throughput', '1'), 'throughputUnit', 'GiB/s');
    expect(machineOf(withInput(DEFAULT_STATE, 'throughput', '10'), 'penstock')).toBe('aws.ec2.m7g.large');
    expect(machineOf(loaded, 'penstock')).toBe('aws.ec2.m8gn.xlarge');
    expect(machineOf(loaded, 'warpstream')).toBe('aws.ec2.m7g.xlarge');
    expect(machineOf(loaded, 'redpanda')).toBe('aws.ec2.is4gen.4xlarge');
    for (const id of ['penstock', 'kafka-follower']) {
      const total = (state: CalculatorState) => {
        const [system] = estimateState(state, new Set([id])).systems;
        return system?.available ? system.total.toNumber() : Number.NaN;
      };
      const key = id === 'penstock' ? 'agentMachine' : 'brokerMachine';
      for (const machine of AUTO_MACHINES.aws) {
        expect(total(loaded)).toBeLessThanOrEqual(total(withInput(loaded, key, machine)));
      }
    }
  });

  // Three of four CPUs rather than six of two.
  it('are the larger of equals', () => {
    const load = withInputs(DEFAULT_STATE, {
      throughput: '1',
      throughputUnit: 'GiB/s',
      fanout: '1',
    });
    expect(machineOf(load, 'automq')).toBe('aws.ec2.m6in.xlarge');
    expect(countOf(load, 'automq')).toBe(3);
    expect(countOf(withInput(load, 'brokerMachine', 'm6in.large'), 'automq')).toBe(6);
  });

  it.each(['penstock', 'bufstream', 'warpstream'])('fetch no file in the zone that wrote it for %s', (id) => {
    const once = (state: CalculatorState) => withInput(withInput(state, 'fanout', '1'), 'mergeRewrites', '0');
    const network = (zones: string) => {
      const [system] = estimateState(once(withInput(DEFAULT_STATE, 'zones', zones)), new Set([id])).systems;
      return system?.available ? system.worksheet.value('network_mb_s').toNumber() : Number.NaN;
    };
    const wire = (100 * 2 ** 20 * 1.5) / 4 / 1e6;
    // In: the producers’, the fetches of the other zones, and what agents of a zone read from each other.
    expect(network('3')).toBeCloseTo(wire * (1 + 2 + 1), 8);
    // Out is busier in a single zone: to object storage, the reader and another agent.
    expect(network('1')).toBeCloseTo(wire * (1 + 1 + 1), 8);
  });

  // Three copies of three days at 1 GiB/s take 28 nodes of 15 TB, and 3 with tiered storage.
  it('are counted by their disks for Redpanda', () => {
    const loaded = withInput(withInput(DEFAULT_STATE, 'throughput', '1'), 'throughputUnit', 'GiB/s');
    expect(countOf(loaded, 'redpanda')).toBe(28);
    expect(countOf(withInput(loaded, 'redpandaMachine', 'i3en.xlarge'), 'redpanda')).toBe(167);
    expect(countOf(loaded, 'redpanda-tiered')).toBeLessThan(28);
  });
});
