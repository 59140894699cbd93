import type { CreateAclsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { aclOf } from './messages/security.ts';

export const createAcls: AgentCall<typeof MetadataService.method.createAcls> = async ({ owner }, request) =>
  await createAclsIn(owner, request);

/** Also used by AdminCreateAcls. */
export async function createAclsIn(owner: Owner, { actor, bindings }: CreateAclsRequest) {
  const answer = await owner.submit({ kind: 'create-acls', bindings: bindings.map(aclOf) });
  const refused = answer.results.filter(({ errorCode }) => errorCode !== 0).length;
  owner.noteAccessChange(actor, { createdAcls: bindings.length - refused, refused });
  return answer;
}
