// Runs a connection test: a sign-in at the organization's provider that signs nobody in and changes no membership. The
// owner sees each step with what came back.
import { AppError } from '@penstock/platform';
import { inTransaction, recordAudit, type WebhookPolicy } from '@penstock/tenancy';
import { findAddress, readRules } from './admit-identity.ts';
import {
  type Connection,
  type OidcConnection,
  type Redirect,
  readConnection,
  redirectToProvider,
  type SamlConnection,
  type SsoTools,
} from './begin-sso.ts';
import { roleByGroups } from './group-roles.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { LoginInHand } from './login-in-hand.ts';
import { openProvider } from './open-provider.ts';
import { type ProviderAnswer, type ProviderFacts, readFacts } from './provider-claims.ts';
import { type Callback, readAnswer } from './read-answer.ts';
import { describeCertificate } from './saml-metadata.ts';
import { SsoTestReport } from './sso-test.ts';

/** Where the test's window ends. It tells the settings page to show the result. */
export const TESTED_PAGE = '/sign-in/sso/tested';

export type Tester = NonNullable<LoginInHand['tester']>;

/**
 * @returns where to send the browser; null if the provider can't be used, which the stored result explains
 * @throws AppError `sso_connection_not_found`, `sso_secret_unreadable`
 */
export async function beginSsoTest(
  tools: SsoTools,
  { organizationId, tester }: { organizationId: string; tester: Tester },
  now: Date,
): Promise<Redirect | null> {
  const connection = await readConnection(tools, organizationId);
  if (connection === null) {
    throw new AppError({
      kind: 'not-found',
      code: 'sso_connection_not_found',
      message: 'This organization has no single sign-on connection.',
      remedy: 'Save the settings of your provider first.',
    });
  }
  const report = new SsoTestReport();
  if (!(await testProvider(tools, connection, report))) {
    await keepReport(tools, { organizationId, connection, tester, report }, now);
    return null;
  }
  const login = { organizationId, next: TESTED_PAGE, tester, confirming: null };
  return redirectToProvider(tools, { connection, login, loginHint: tester.email }, now);
}

/** Runs the rest of the test and stores its result. */
export async function finishSsoTest(tools: SsoTools, callback: Callback, tester: Tester, now: Date): Promise<void> {
  const { connection, login } = callback;
  const { organizationId } = login;
  const report = new SsoTestReport();
  if (await testProvider(tools, connection, report)) {
    const answer = await report.run(
      'answer',
      () => readAnswer(tools, callback),
      ({ subject, claims }) => ({ Subject: subject, Claims: Object.keys(claims).join(', ') }),
    );
    if (answer !== null) {
      await testAnswer(tools, { organizationId, answer, report });
    }
  }
  await keepReport(tools, { organizationId, connection, tester, report }, now);
}

/** Whether the provider can be used. */
function testProvider(tools: SsoTools, connection: Connection, report: SsoTestReport): Promise<boolean> {
  return connection.protocol === 'saml' ? testSaml(connection, report) : testOidc(tools, connection, report);
}

async function testSaml({ provider }: SamlConnection, report: SsoTestReport): Promise<boolean> {
  await report.run(
    'provider',
    async () => provider,
    ({ entityId, signOnUrl }) => ({ 'Entity ID': entityId, 'Sign-on URL': signOnUrl }),
  );
  const certificates = await report.run(
    'keys',
    async () => provider.certificates.map(describeCertificate),
    (found) =>
      Object.fromEntries(
        found.map(({ fingerprint, expiresAt }) => [`Certificate until ${dayOf(expiresAt)}`, fingerprint]),
      ),
  );
  return certificates !== null;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

async function testOidc({ policy }: SsoTools, connection: OidcConnection, report: SsoTestReport): Promise<boolean> {
  const provider = await report.run(
    'provider',
    () => openProvider(connection, policy),
    (found) => {
      const server = found.serverMetadata();
      return {
        Issuer: server.issuer,
        'Authorization endpoint': server.authorization_endpoint,
        'Token endpoint': server.token_endpoint,
        'Userinfo endpoint': server.userinfo_endpoint,
      };
    },
  );
  if (provider === null) {
    return false;
  }
  const count = await report.run(
    'keys',
    () => countKeys(provider.serverMetadata().jwks_uri ?? '', policy),
    (keys) => ({ 'Signing keys': String(keys) }),
  );
  return count !== null;
}

/** @throws AppError `sso_provider_invalid`, `sso_provider_unreachable` */
async function countKeys(address: string, policy: WebhookPolicy): Promise<number> {
  const url = URL.parse(address);
  const response =
    url === null ? null : await guardedFetch(url, { method: 'GET', headers: {}, body: undefined }, policy);
  const body: unknown = response?.ok === true ? await response.json().catch(() => null) : null;
  const keys = typeof body === 'object' && body !== null && 'keys' in body ? body.keys : null;
  if (Array.isArray(keys) && keys.length > 0) {
    return keys.length;
  }
  throw new AppError({
    kind: 'refused',
    code: 'sso_provider_invalid',
    message: 'The provider publishes no signing keys.',
    remedy: 'Check the issuer URL and the signing keys of the application at your provider.',
  });
}

async function testAnswer(
  { database }: SsoTools,
  { organizationId, answer, report }: { organizationId: string; answer: ProviderAnswer; report: SsoTestReport },
): Promise<void> {
  const rules = await inTransaction(database, (tx) => readRules({ tx, organizationId }));
  const facts = readFacts(answer.claims, rules.groupsClaim);
  const email = await report.run(
    'address',
    () => inTransaction(database, (tx) => findAddress({ tx, organizationId }, answer, facts)),
    (found) => ({
      Email: found,
      Claim: facts.emailClaim,
      'Email verified': TRUST_TEXTS[facts.emailTrust],
      Name: facts.name,
    }),
  );
  if (email === null) {
    return;
  }
  await report.run(
    'role',
    async () => roleByGroups(rules, facts.groups),
    ({ role, group }) => ({ Role: role, 'Decided by': group ?? 'Default role', Groups: groupsText(facts) }),
  );
}

const TRUST_TEXTS: Readonly<Record<ProviderFacts['emailTrust'], string>> = {
  verified: 'Yes',
  unstated: 'Not stated. We accept it because you verified the domain.',
  denied: 'No',
};

function groupsText({ groups }: ProviderFacts): string {
  return groups === null ? 'Too many to report' : groups.length === 0 ? 'None' : groups.join(', ');
}

interface Finished {
  organizationId: string;
  connection: Connection;
  tester: Tester;
  report: SsoTestReport;
}

/** Does nothing if the settings changed while the test ran, because it says nothing about the new ones. */
async function keepReport(
  { database }: SsoTools,
  { organizationId, connection, tester, report }: Finished,
  now: Date,
): Promise<void> {
  const { updatedAt } = connection;
  await inTransaction(database, async (tx) => {
    const { count } = await tx.ssoConnection.updateMany({
      where: { organizationId, updatedAt },
      data: { testResult: report.toStored(now), updatedAt },
    });
    if (count === 0) {
      return;
    }
    const actor = { type: 'user', id: tester.userId, label: tester.email, source: 'web' } as const;
    const failed = report.steps.find(({ problem }) => problem !== null);
    await recordAudit(
      { tx, organizationId, actor, now },
      {
        action: 'sso.test',
        targetType: 'organization',
        targetId: organizationId,
        after: { isPassed: failed === undefined, ...(failed === undefined ? {} : { failedAt: failed.name }) },
      },
    );
  });
}
