// What the pages say of a cluster's health, from the worker's verdict and what the live view knows already. Pure.

export type Live = { tone: 'ok' | 'warn' | 'neutral'; label: string; text: string };

export type ShownVerdict = {
  tone: 'ok' | 'warn' | 'danger' | 'neutral';
  label: string;
  text: string;
};

type Judged = {
  level: 'unknown' | 'waiting' | 'healthy' | 'degraded' | 'critical';
  findings: readonly { title: string }[];
};

/**
 * Findings decide. Without any, the live view does, which hears of agents within a second: what it sees first, the verdict says soon.
 * @param health undefined while it is being loaded
 */
export function shownVerdict(health: Judged | undefined, live: Live): ShownVerdict {
  if (health?.level === 'critical' || health?.level === 'degraded') {
    const [first] = health.findings;
    const others = health.findings.length - 1;
    const text = first === undefined ? '' : `${first.title}${others > 0 ? `, and ${others} more` : ''}.`;
    return health.level === 'critical'
      ? { tone: 'danger', label: 'Critical', text }
      : { tone: 'warn', label: 'Degraded', text };
  }
  if (live.tone !== 'ok') {
    return live;
  }
  if (health?.level === 'unknown') {
    return {
      tone: 'neutral',
      label: 'Not checked',
      text: `${live.text} The cluster hasn’t been checked recently because the background worker isn’t running or has fallen behind.`,
    };
  }
  return { tone: 'ok', label: 'Healthy', text: live.text };
}
