// An organization's single sign-on settings, which its owners read and change.
import { isIP } from 'node:net';
import { Prisma } from '@penstock/database/client';
import { AppError, notFound, type SecretBox } from '@penstock/platform';
import { hostOf, mayConnect, recordAudit, type Scope, type WebhookPolicy } from '@penstock/tenancy';
import { sealClientSecret } from './client-secret.ts';
import { type GroupRole, parseGroupRoles } from './group-roles.ts';
import { isSafeUrl } from './guarded-fetch.ts';
import { type ProvisionedRole, parseProvisionedRole } from './provisioned-roles.ts';
import { listSsoDomains, type SsoDomainView } from './sso-domains.ts';
import { parseTest, type SsoTest } from './sso-test.ts';

export interface SsoConnectionView {
  issuer: string;
  clientId: string;
  defaultRole: ProvisionedRole;
  isRequired: boolean;
  /** The claim that lists a person's groups. */
  groupsClaim: string;
  /** The first group that a person is in decides about their role, with each sign-in. */
  groupRoles: GroupRole[];
  /** Refuses people who are in none of these groups. */
  isGroupRequired: boolean;
  /** The last test with the current settings of the provider; null if there was none. */
  test: SsoTest | null;
  updatedAt: Date;
}

export interface SsoSettings {
  connection: SsoConnectionView | null;
  domains: SsoDomainView[];
}

/** Omitted fields stay as they are. A first connection needs its issuer, client and secret. */
export interface SsoChange {
  issuer?: string | undefined;
  clientId?: string | undefined;
  /** Null keeps the current one. */
  clientSecret?: string | null | undefined;
  defaultRole?: ProvisionedRole | undefined;
  isRequired?: boolean | undefined;
  groupsClaim?: string | undefined;
  groupRoles?: GroupRole[] | undefined;
  isGroupRequired?: boolean | undefined;
}

const connectionColumns = {
  issuer: true,
  clientId: true,
  defaultRole: true,
  isRequired: true,
  groupsClaim: true,
  groupRoles: true,
  isGroupRequired: true,
  testResult: true,
  updatedAt: true,
} as const;

type ConnectionRow = Prisma.SsoConnectionGetPayload<{ select: typeof connectionColumns }>;

function toView({ testResult, ...row }: ConnectionRow): SsoConnectionView {
  return {
    ...row,
    defaultRole: parseProvisionedRole(row.defaultRole),
    groupRoles: parseGroupRoles(row.groupRoles),
    test: parseTest(testResult),
  };
}

/** What the audit log says of the settings. */
function factsOf({ updatedAt: _updatedAt, test: _test, groupRoles, ...facts }: SsoConnectionView) {
  return { ...facts, groupRoles: groupRoles.map(({ group, role }) => ({ group, role })) };
}

export async function getSso(scope: Scope): Promise<SsoSettings> {
  const row = await scope.tx.ssoConnection.findUnique({
    where: { organizationId: scope.organizationId },
    select: connectionColumns,
  });
  return { connection: row === null ? null : toView(row), domains: await listSsoDomains(scope) };
}

/** The connection, locked until the transaction ends. @throws AppError `sso_connection_not_found` */
export async function lockSsoConnection(scope: Scope): Promise<SsoConnectionView> {
  await lockSettings(scope);
  const { connection } = await getSso(scope);
  if (connection === null) {
    throw notFound('sso connection');
  }
  return connection;
}

async function lockSettings({ tx, organizationId }: Scope): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
}

function requireGiven(text: string | undefined, field: 'issuer' | 'clientId'): string {
  if (text !== undefined) {
    return text;
  }
  throw new AppError({
    kind: 'invalid-input',
    code: 'sso_connection_incomplete',
    field,
    message: 'This field is required for a new connection.',
    remedy: 'Enter the issuer, client ID and client secret.',
  });
}

function requireIssuer(text: string, policy: WebhookPolicy): string {
  const url = URL.parse(text);
  const host = url === null ? '' : hostOf(url);
  const isInside = isIP(host) !== 0 && !mayConnect(host, policy);
  if (url !== null && !isInside && isSafeUrl(url, policy) && url.search === '' && url.hash === '') {
    return text;
  }
  throw new AppError({
    kind: 'invalid-input',
    code: 'sso_issuer_refused',
    field: 'issuer',
    message: 'An issuer must be a public https:// URL without a query.',
    remedy: 'Copy the issuer from your provider, such as https://login.example.com.',
  });
}

/** @throws AppError `sso_connection_incomplete`, `sso_issuer_refused`, `sso_secret_missing` */
export async function updateSso(
  scope: Scope,
  input: SsoChange,
  { secretBox, policy }: { secretBox: SecretBox; policy: WebhookPolicy },
): Promise<SsoSettings> {
  const { tx, organizationId, now } = scope;
  await lockSettings(scope);
  const row = await tx.ssoConnection.findUnique({ where: { organizationId }, select: connectionColumns });
  const before = row === null ? null : toView(row);
  const clientSecret = input.clientSecret ?? null;
  const facts = {
    issuer: requireIssuer(requireGiven(input.issuer ?? before?.issuer, 'issuer'), policy),
    clientId: requireGiven(input.clientId ?? before?.clientId, 'clientId'),
    defaultRole: input.defaultRole ?? before?.defaultRole ?? 'viewer',
    isRequired: input.isRequired ?? before?.isRequired ?? false,
    groupsClaim: input.groupsClaim ?? before?.groupsClaim ?? 'groups',
    groupRoles: (input.groupRoles ?? before?.groupRoles ?? []).map(({ group, role }) => ({ group, role })),
    isGroupRequired: input.isGroupRequired ?? before?.isGroupRequired ?? false,
  };
  // A secret is only ever sent to the provider that it was entered for.
  const isOtherProvider = before?.issuer !== facts.issuer || before.clientId !== facts.clientId;
  if (clientSecret === null && isOtherProvider) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'sso_secret_missing',
      field: 'clientSecret',
      message: 'A new issuer or client requires a new secret.',
      remedy: 'Copy the client secret from your provider.',
    });
  }
  const sealed =
    clientSecret === null
      ? {}
      : {
          clientSecret: sealClientSecret(secretBox, organizationId, clientSecret),
          // The last test says nothing about the new settings.
          testResult: Prisma.DbNull,
        };
  if (before === null) {
    await tx.ssoConnection.create({
      data: { clientSecret: new Uint8Array(), ...sealed, ...facts, organizationId, createdAt: now, updatedAt: now },
    });
  } else {
    await tx.ssoConnection.update({ where: { organizationId }, data: { ...facts, ...sealed, updatedAt: now } });
  }
  await recordAudit(scope, {
    action: 'sso.update',
    targetType: 'organization',
    targetId: organizationId,
    ...(before === null ? {} : { before: factsOf(before) }),
    after: { ...facts, isSecretNew: clientSecret !== null },
  });
  return getSso(scope);
}

/**
 * Members keep their other sign-in methods; those who have none set a password by mail. @throws AppError
 * `sso_connection_not_found`
 */
export async function removeSso(scope: Scope): Promise<void> {
  const { tx, organizationId } = scope;
  const before = await tx.ssoConnection.findUnique({ where: { organizationId }, select: connectionColumns });
  if (before === null) {
    throw notFound('sso connection');
  }
  await tx.ssoConnection.delete({ where: { organizationId } });
  await recordAudit(scope, {
    action: 'sso.remove',
    targetType: 'organization',
    targetId: organizationId,
    before: factsOf(toView(before)),
  });
}
