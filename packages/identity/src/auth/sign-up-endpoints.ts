// The endpoints of sign-up. The account library's own one is not served: it stores a password before the address is
// proven.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { inTransaction } from '@penstock/tenancy';
import { z } from 'zod';
import { personName } from '../account/person-name.ts';
import { emailAddress } from '../invitation/invitation-input.ts';
import { memberOf, textOf } from './auth-body.ts';
import { isDisposableDomain } from './disposable-domain.ts';
import { passwordFault } from './password-rules.ts';
import { hashPassword } from './passwords.ts';
import { completeSignUp, requestSignUp, signUpLinkNotUsable } from './sign-up.ts';
import type { SignUpChallenges } from './sign-up-challenge.ts';
import { addressOfSignUp } from './sign-up-token.ts';

const finishInput = z.object({ token: z.string().max(128), name: personName });

export interface SignUpTools {
  database: Database;
  webUrl: string;
  challenges: SignUpChallenges;
  /** Signs in with a password and sets the cookie of the session. */
  signIn(email: string, password: string): Promise<Response>;
}

export function isSignUpPath(path: string): boolean {
  return path.startsWith('/sign-up/');
}

/** Answers a request whose path `isSignUpPath` accepts. */
export async function answerSignUp(
  tools: SignUpTools,
  request: { path: string; body: object },
  now: Date,
): Promise<Response> {
  try {
    switch (request.path) {
      case '/sign-up/challenge':
        return Response.json(await tools.challenges.issue(now));
      case '/sign-up/request':
        return await askForLink(tools, request.body, now);
      case '/sign-up/open':
        return await openLink(tools, request.body, now);
      default:
        return await finish(tools, request.body, now);
    }
  } catch (error) {
    if (error instanceof AppError) {
      const message = error.remedy === undefined ? error.message : `${error.message} ${error.remedy}`;
      return refuse(error.code.toUpperCase(), message, error.kind === 'conflict' ? 409 : 400);
    }
    throw error;
  }
}

function refuse(code: string, message: string, status = 400): Response {
  return Response.json({ code, message }, { status });
}

async function askForLink({ database, webUrl, challenges }: SignUpTools, body: object, now: Date): Promise<Response> {
  const email = emailAddress.safeParse(textOf(body, 'email') ?? '');
  if (!email.success) {
    return refuse('INVALID_EMAIL', 'Enter a valid email address, such as name@example.com.');
  }
  if (isDisposableDomain(email.data.split('@').at(-1) ?? '')) {
    return refuse('ADDRESS_DISPOSABLE', 'Addresses of throw-away mailboxes can’t be used. Use your work email.');
  }
  // Last, because a challenge counts once.
  if (!(await challenges.accept(memberOf(body, 'work'), now))) {
    return refuse('CHALLENGE_FAILED', 'We couldn’t tell your browser from a script. Reload the page and try again.');
  }
  await inTransaction(database, (tx) => requestSignUp(tx, { email: email.data, webUrl }, now));
  return Response.json({ sent: true });
}

async function openLink({ database }: SignUpTools, body: object, now: Date): Promise<Response> {
  return Response.json({ email: await addressOrThrow(database, textOf(body, 'token') ?? '', now) });
}

async function addressOrThrow(database: Database, token: string, now: Date): Promise<string> {
  const email = await inTransaction(database, (tx) => addressOfSignUp(tx, token, now));
  if (email === null) {
    throw signUpLinkNotUsable();
  }
  return email;
}

/** The names of organizations that somebody with this address is about to join. */
async function organizationsInviting(database: Database, email: string): Promise<string[]> {
  const invitations = await inTransaction(database, (tx) =>
    tx.invitation.findMany({
      where: { email, status: 'pending' },
      select: { organization: { select: { name: true } } },
      take: 20,
    }),
  );
  return invitations.map(({ organization }) => organization.name);
}

async function finish({ database, signIn }: SignUpTools, body: object, now: Date): Promise<Response> {
  const input = finishInput.safeParse(body);
  const password = textOf(body, 'password') ?? '';
  if (!input.success) {
    return refuse('INPUT_INVALID', input.error.issues[0]?.message ?? 'Check what you entered and try again.');
  }
  const { token, name } = input.data;
  // Before the costly hash, which takes too long for a transaction.
  const address = await addressOrThrow(database, token, now);
  const fault = passwordFault(password, [address, name, ...(await organizationsInviting(database, address))]);
  if (fault !== null) {
    return refuse(fault.code, fault.message);
  }
  const passwordHash = await hashPassword(password);
  const email = await inTransaction(database, (tx) => completeSignUp(tx, { token, name, passwordHash }, now));
  return signIn(email, password);
}
