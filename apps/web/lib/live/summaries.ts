// Summaries of a cluster's state for its pages. Pure.
import { formatByteRate } from '@penstock/units';
import type { LiveSummary } from './live-view.ts';

export interface Health {
  tone: 'ok' | 'warn' | 'neutral';
  label: string;
  text: string;
  /** Agents serve reads but refuse producers: the spending cap was reached. */
  refusesWrites?: true;
}

/** A one-line summary of the cluster's state, based on its agents. */
export function clusterHealth({
  agents: { alive, gone, zones },
  writesRefusedReason,
  writeThrottle,
}: {
  agents: Pick<LiveSummary['agents'], 'alive' | 'gone' | 'zones'>;
  writesRefusedReason: string | null;
  writeThrottle: LiveSummary['writeThrottle'];
}): Health {
  if (alive + gone === 0) {
    return {
      tone: 'neutral',
      label: 'Waiting for an agent',
      text: 'No agent has registered yet. Start one to serve clients.',
    };
  }
  if (alive === 0) {
    return {
      tone: 'warn',
      label: 'No agent alive',
      text: 'Clients can’t produce or consume until an agent is running. Acknowledged records are safe in your bucket.',
    };
  }
  if (writesRefusedReason !== null) {
    return { tone: 'warn', label: 'Writes blocked', text: writesRefusedReason, refusesWrites: true };
  }
  if (writeThrottle !== null) {
    const { value, unit } = formatByteRate(writeThrottle.maxWrittenBytesPerSecond);
    return {
      tone: 'warn',
      label: 'Throttled',
      text: `Dev clusters take ${Number(value)} ${unit} before compression. Agents slow producers down to that. For more, change the mode of the cluster.`,
    };
  }
  const agents = `${alive} ${alive === 1 ? 'agent' : 'agents'} alive`;
  const where = zones.length > 1 ? ` in ${zones.length} zones` : '';
  const lost = gone > 0 ? `; ${gone} left within the last hour` : '';
  return { tone: 'ok', label: 'Healthy', text: `${agents}${where}${lost}.` };
}
