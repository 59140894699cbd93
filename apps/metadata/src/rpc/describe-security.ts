import { describeSecurity as securityOf } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { securityMessage } from './messages/security.ts';

export const describeSecurity: AgentCall<typeof MetadataService.method.describeSecurity> = async ({ owner }) =>
  await describeSecurityIn(owner);

/** Also used by AdminDescribeSecurity. */
export async function describeSecurityIn(owner: Owner) {
  return { state: securityMessage(await owner.read(securityOf)) };
}
