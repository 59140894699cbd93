// Handles the callback from an organization's provider: identifies the user and what they may open.
import { AppError } from '@penstock/platform';
import { inTransaction } from '@penstock/tenancy';
import { admitIdentity } from './admit-identity.ts';
import { readConnection, type SsoTools } from './begin-sso.ts';
import { CONFIRMED_PAGE, finishConfirmation } from './confirm-by-sso.ts';
import { takeLogin } from './login-in-hand.ts';
import { readAnswer } from './read-answer.ts';
import { finishSsoTest, TESTED_PAGE } from './run-sso-test.ts';

export interface SsoAnswer {
  /** The query parameters of the callback. */
  parameters: URLSearchParams;
  /** The cookie of the browser that started the sign-in; null if absent. */
  browserToken: string | null;
  /** The network address that the request comes from. */
  address: string;
}

export interface SsoOutcome {
  /** Null after a connection test or a confirmation, which sign nobody in. */
  userId: string | null;
  organizationId: string;
  next: string;
}

/**
 * @throws AppError `sso_state_unknown`, `sso_not_configured`, and what `readAnswer`, `admitIdentity` and `finishConfirmation` throw
 */
export async function finishSso(tools: SsoTools, answer: SsoAnswer, now: Date): Promise<SsoOutcome> {
  const { parameters, browserToken, address } = answer;
  const login = await takeLogin(tools.database, { state: parameters.get('state') ?? '', browserToken }, now);
  const { organizationId } = login;
  const connection = await readConnection(tools, organizationId);
  if (connection === null) {
    throw new AppError({
      kind: 'forbidden',
      code: 'sso_not_configured',
      message: 'Your organization no longer uses this identity provider.',
      remedy: 'Start again from the sign-in page.',
    });
  }
  const callback = { connection, login, parameters };
  if (login.tester !== null) {
    await finishSsoTest(tools, callback, login.tester, now);
    return { userId: null, organizationId, next: TESTED_PAGE };
  }
  const said = await readAnswer(tools, callback);
  if (login.confirming !== null) {
    await finishConfirmation(tools, { login, confirming: login.confirming, said }, now);
    return { userId: null, organizationId, next: CONFIRMED_PAGE };
  }
  const userId = await inTransaction(tools.database, (tx) => admitIdentity({ tx, organizationId }, said, address, now));
  return { userId, organizationId, next: login.next };
}
