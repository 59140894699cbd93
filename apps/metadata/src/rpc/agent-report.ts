import type { AgentHeartbeatRequest, RegisterAgentRequest } from '@penstock/metadata-protocol';
import { messageBrowserOrigin } from '@penstock/platform';
import type { AgentReport } from '../owners/agent-presence.ts';
import { allowedOrigin } from './advertised-hosts.ts';
import type { AgentCallContext } from './agent-call.ts';
import { internalKey, internalOrigin } from './internal-address.ts';
import { landingZones } from './landing-zones.ts';
import { listenerAddresses } from './listener-addresses.ts';

/** The fields that registrations and heartbeats share. */
type Said = Pick<
  AgentHeartbeatRequest | RegisterAgentRequest,
  'listeners' | 'internalKeySha256' | 'internalUrl' | 'messageBrowserUrl' | 'landing'
>;

/** The parts that are checked before anything is recorded. @throws ConnectError when one is malformed */
export function addressesOf({ listeners, internalUrl, internalKeySha256 }: Said) {
  return { listeners: listenerAddresses(listeners), keySha256: internalKey(internalUrl, internalKeySha256) };
}

/** Builds the agent's report, without the addresses that its key may not advertise. */
export async function agentReport(
  { keyId, scope, addressVerdict }: Pick<AgentCallContext, 'keyId' | 'scope' | 'addressVerdict'>,
  said: Said,
  { listeners, keySha256 }: ReturnType<typeof addressesOf>,
): Promise<AgentReport> {
  return {
    keyId,
    isReadOnly: scope === 'read_only',
    messageBrowserUrl: await allowedOrigin(addressVerdict, messageBrowserOrigin(said.messageBrowserUrl)),
    internal: { url: await allowedOrigin(addressVerdict, internalOrigin(said.internalUrl)), keySha256 },
    listeners,
    landingZones: landingZones(said.landing),
  };
}
