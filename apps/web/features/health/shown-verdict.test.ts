import { describe, expect, it } from 'vitest';
import { type Judged, shownVerdict } from './shown-verdict.ts';

const judged = (level: Judged['level']): Judged => ({ level, isSilenced: false });
const alive = { tone: 'ok', label: 'Healthy', text: '2 agents alive.' } as const;
const noAgent = { tone: 'warn', label: 'No agent alive', text: 'Clients cannot produce.' } as const;
const capped = { tone: 'warn', label: 'Writes blocked', text: 'The cap is reached.', refusesWrites: true } as const;
const none = { tone: 'neutral', label: 'Waiting for an agent', text: 'Start one.' } as const;

describe('the shown verdict', () => {
  it.each([
    ['findings before all else', judged('critical'), noAgent, 'Critical'],
    ['a warning as degraded', judged('degraded'), alive, 'Degraded'],
    ['that writes are refused before a warning', judged('degraded'), capped, 'Writes blocked'],
    ['that writes are refused though all is well', judged('healthy'), capped, 'Writes blocked'],
    ['what the live view sees before the rules do', judged('healthy'), noAgent, 'No agent alive'],
    ['that nobody looked, rather than that all is well', judged('unknown'), alive, 'Not checked'],
    ['that an agent is waited for', judged('waiting'), none, 'Waiting for an agent'],
    ['that all is well', judged('healthy'), alive, 'Healthy'],
    ['the live view alone while the verdict is loading', undefined, alive, 'Healthy'],
  ] as const)('is %s', (_what, health, live, label) => {
    expect(shownVerdict(health, live).label).toBe(label);
  });

  it('names refused writes next to critical issues', () => {
    const { label, text } = shownVerdict(judged('critical'), capped);
    expect([label, text]).toEqual(['Critical', 'The cap is reached.']);
  });

  it('keeps the level when all issues are silenced and says so', () => {
    const { label, tone, isSilenced } = shownVerdict({ level: 'degraded', isSilenced: true }, alive);
    expect([label, tone, isSilenced]).toEqual(['Degraded', 'warn', true]);
  });

  it('does not repeat what the issues say', () => {
    expect(shownVerdict(judged('critical'), alive).text).toBeNull();
    expect(shownVerdict(judged('degraded'), noAgent).text).toBeNull();
  });
});
