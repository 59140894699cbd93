// What the pages say of a cluster's health, from the worker's verdict and what the live view knows already. Pure.

export interface Live {
  tone: 'ok' | 'warn' | 'neutral';
  label: string;
  text: string;
  refusesWrites?: true;
}

export interface ShownVerdict {
  tone: 'ok' | 'warn' | 'danger' | 'neutral';
  label: string;
  /** Null where the findings say it. */
  text: string | null;
}

interface Judged {
  level: 'unknown' | 'waiting' | 'healthy' | 'degraded' | 'critical';
}

/**
 * Findings decide. Without any, the live view does, which hears of agents within a second: what it sees first, the verdict says soon.
 * @param health undefined while it is being loaded
 */
export function shownVerdict(health: Judged | undefined, live: Live): ShownVerdict {
  if (health?.level === 'critical') {
    return { tone: 'danger', label: 'Critical', text: live.refusesWrites ? live.text : null };
  }
  if (health?.level === 'degraded') {
    // A refusal stops all producers at once; a warning stops nobody.
    return live.refusesWrites ? live : { tone: 'warn', label: 'Degraded', text: null };
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
