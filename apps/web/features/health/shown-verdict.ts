// The health verdict that pages show, from the worker's verdict and the live view. Pure.

export interface Live {
  tone: 'ok' | 'warn' | 'neutral';
  label: string;
  text: string;
  refusesWrites?: true;
}

export interface ShownVerdict {
  tone: 'ok' | 'warn' | 'danger' | 'neutral';
  label: string;
  /** Null when the issues say it. */
  text: string | null;
  /** Silences cover all open issues. They pause alerts; the label stays. */
  isSilenced: boolean;
}

export interface Judged {
  level: 'unknown' | 'waiting' | 'healthy' | 'degraded' | 'critical';
  isSilenced: boolean;
}

/**
 * Issues decide. Without any, the live view does: it learns of agents within a second, before the worker's verdict.
 * @param health undefined while it is loading
 */
export function shownVerdict(health: Judged | undefined, live: Live): ShownVerdict {
  return { ...verdictOf(health, live), isSilenced: health?.isSilenced ?? false };
}

function verdictOf(health: Judged | undefined, live: Live): Omit<ShownVerdict, 'isSilenced'> {
  if (health?.level === 'critical') {
    return { tone: 'danger', label: 'Critical', text: live.refusesWrites ? live.text : null };
  }
  if (health?.level === 'degraded') {
    // Refused writes stop all producers at once; a warning stops none.
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
