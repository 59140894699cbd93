// The hosts that an agent hands out, and what an agent hears whose hosts are not allowed.
import { Code, ConnectError } from '@connectrpc/connect';
import type { AgentListener } from '@penstock/metadata-protocol';
import { ADDRESS_UNCONFIRMED_HEADER } from '@penstock/metadata-protocol';
import type { AddressVerdict } from '../auth/agent-addresses.ts';

/** Where Kafka clients are sent: none for an agent that takes none. */
export function clientHosts(
  agent: { readonly advertisedHost: string; readonly advertisedPort: number },
  listeners: readonly Pick<AgentListener, 'host'>[],
): string[] {
  return [...(agent.advertisedPort === 0 ? [] : [agent.advertisedHost]), ...listeners.map(({ host }) => host)];
}

/** The origin if its host is allowed, else an empty text: the agent runs without it. */
export async function allowedOrigin(
  verdictOn: (hosts: readonly string[]) => Promise<AddressVerdict>,
  origin: string | null,
): Promise<string> {
  if (origin === null) {
    return '';
  }
  return (await verdictOn([new URL(origin).hostname])).outcome === 'allowed' ? origin : '';
}

/** @throws ConnectError with what the agent's operator can do; agents repeat the call while the host waits. */
export function requireAllowed(verdict: AddressVerdict): void {
  switch (verdict.outcome) {
    case 'allowed':
      return;
    case 'pending':
      throw new ConnectError(
        `the address ${verdict.host} is new to this cluster and waits for confirmation: confirm it in the dashboard, on the cluster's Agent keys page, or add it to the addresses of the agent's key`,
        Code.Unavailable,
        { [ADDRESS_UNCONFIRMED_HEADER]: '1' },
      );
    case 'refused':
      throw new ConnectError(
        `this agent key may not register the address ${verdict.host}: add it to the key's addresses in the dashboard, or advertise one of them`,
        Code.FailedPrecondition,
      );
  }
}
