// Takes a SAML provider's posted response. The browser's cookie is not sent with a post from another site, so the result
// waits for the callback, to which we redirect the browser and which checks the cookie.
import { AppError } from '@penstock/platform';
import { readConnection, type SsoTools } from './begin-sso.ts';
import { callbackUrl, fresh, keepLogin, type SamlOutcome, stateUnknown, takeLoginByState } from './login-in-hand.ts';
import { readSamlAnswer } from './saml-answer.ts';

/**
 * A response that we did not ask for (IdP-initiated) has no login and is refused, and so is one that comes a second
 * time.
 * @returns where to send the browser
 * @throws AppError `sso_state_unknown`
 */
export async function receiveSaml(
  tools: SsoTools,
  { response, relayState }: { response: string; relayState: string },
  now: Date,
): Promise<string> {
  const { database, webUrl } = tools;
  const login = await takeLoginByState(database, relayState, now);
  const connection = login === null ? null : await readConnection(tools, login.organizationId);
  if (login === null || login.samlRequestId === null || connection?.protocol !== 'saml') {
    throw stateUnknown();
  }
  const place = { provider: connection.provider, organizationId: login.organizationId, webUrl };
  const outcome = await readSamlAnswer(place, login.samlRequestId, response).then(
    (answer): SamlOutcome => ({ answer: { ...answer, claims: { ...answer.claims } } }),
    (error: unknown): SamlOutcome => {
      if (!(error instanceof AppError)) {
        throw error;
      }
      const { code, message, remedy = '' } = error;
      return { refusal: { code, message, remedy } };
    },
  );
  const state = fresh();
  await keepLogin(database, state, { ...login, samlRequestId: null, samlOutcome: outcome }, now);
  return `${callbackUrl(webUrl)}?state=${state}`;
}
