import type { AlterUserScramCredentialsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { verifierOf } from './messages/security.ts';

export const alterUserScramCredentials: AgentCall<typeof MetadataService.method.alterUserScramCredentials> = async (
  { owner },
  request,
) => await alterUserScramCredentialsIn(owner, request);

/** Also used by AdminAlterUserScramCredentials. */
export async function alterUserScramCredentialsIn(owner: Owner, request: AlterUserScramCredentialsRequest) {
  const upserts = request.upserts.map(verifierOf);
  const deletions = request.deletions.map(({ user, mechanism }) => ({ user, mechanism }));
  const answer = await owner.submit({ kind: 'alter-user-scram-credentials', upserts, deletions });
  owner.noteAccessChange(request.actor, {
    replacedCredentials: upserts.length,
    deletedCredentials: deletions.length,
    refused: answer.results.filter(({ errorCode }) => errorCode !== 0).length,
  });
  return answer;
}
