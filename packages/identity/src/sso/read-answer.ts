// What a provider's callback proves, by either protocol.
import { AppError } from '@penstock/platform';
import type { Connection, SsoTools } from './begin-sso.ts';
import { type LoginInHand, stateUnknown } from './login-in-hand.ts';
import { readOidcAnswer } from './oidc-answer.ts';
import { openProvider } from './open-provider.ts';
import type { ProviderAnswer } from './provider-claims.ts';

export interface Callback {
  connection: Connection;
  login: LoginInHand;
  /** The query parameters of the callback. */
  parameters: URLSearchParams;
}

/** @throws AppError `sso_state_unknown`, `sso_answer_refused`, and what `openProvider` throws */
export async function readAnswer(
  { policy, webUrl }: SsoTools,
  { connection, login, parameters }: Callback,
): Promise<ProviderAnswer> {
  const { samlOutcome } = login;
  if (connection.protocol === 'saml' && samlOutcome !== null) {
    if ('answer' in samlOutcome) {
      return samlOutcome.answer;
    }
    throw new AppError({ kind: 'forbidden', ...samlOutcome.refusal });
  }
  // A SAML request that nobody answered, or an owner who changed the protocol meanwhile.
  if (connection.protocol === 'saml' || samlOutcome !== null || login.samlRequestId !== null) {
    throw stateUnknown();
  }
  return readOidcAnswer(await openProvider(connection, policy), { connection, login, webUrl, parameters });
}
