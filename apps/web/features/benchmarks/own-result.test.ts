import { describe, expect, it } from 'vitest';
import { readOwnResult } from './own-result';

describe('our own results', () => {
  it('show their figures with hardware and command', () => {
    const result = readOwnResult('agent.json', {
      bench: 'agent',
      command: 'npm run bench:agent',
      machine: { cpu: 'x', cores: 2 },
      write_mib_per_s: 312.5,
    });
    expect(result).toMatchObject({ name: 'agent', command: 'npm run bench:agent', hardware: 'cpu x, cores 2' });
    expect(result?.figures).toEqual([{ label: 'write mib per s', value: 312.5, text: '312.5', ours: true }]);
  });

  it('are left out when the file holds no figures', () => {
    expect(readOwnResult('a.json', [])).toBeNull();
    expect(readOwnResult('a.json', { bench: 'x', p50_ms: null })).toBeNull();
  });
});
