// An organization's single sign-on settings, which its owners read and change.
import { isIP } from 'node:net';
import { Prisma } from '@penstock/database/client';
import { AppError, notFound, type SecretBox } from '@penstock/platform';
import { hostOf, mayConnect, recordAudit, type Scope, type WebhookPolicy } from '@penstock/tenancy';
import { sealClientSecret } from './client-secret.ts';
import { isForEveryTenant, OWN_TENANT_REMEDY } from './entra-tenants.ts';
import { type GroupRole, parseGroupRoles } from './group-roles.ts';
import { isSafeUrl } from './guarded-fetch.ts';
import { type ProvisionedRole, parseProvisionedRole } from './provisioned-roles.ts';
import { type CertificateView, describeCertificate, readSamlMetadata } from './saml-metadata.ts';
import { listSsoDomains, type SsoDomainView } from './sso-domains.ts';
import { parseTest, type SsoTest } from './sso-test.ts';

export type SsoProtocol = 'oidc' | 'saml';

export interface SsoConnectionView {
  protocol: SsoProtocol;
  /** For SAML, the provider's entity ID. */
  issuer: string;
  /** The client id; empty for SAML. */
  clientId: string;
  /** Null for OpenID Connect. */
  saml: { signOnUrl: string; certificates: CertificateView[] } | null;
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
  protocol?: SsoProtocol | undefined;
  /** The provider's metadata document, with which SAML is set up. */
  samlMetadata?: string | undefined;
  /** Where the document is from, to read it again each day. */
  samlMetadataUrl?: string | undefined;
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
  protocol: true,
  issuer: true,
  clientId: true,
  samlSignOnUrl: true,
  samlCertificates: true,
  defaultRole: true,
  isRequired: true,
  groupsClaim: true,
  groupRoles: true,
  isGroupRequired: true,
  testResult: true,
  updatedAt: true,
} as const;

type ConnectionRow = Prisma.SsoConnectionGetPayload<{ select: typeof connectionColumns }>;

function toView({ testResult, samlSignOnUrl, samlCertificates, ...row }: ConnectionRow): SsoConnectionView {
  const isSaml = row.protocol === 'saml';
  return {
    ...row,
    protocol: isSaml ? 'saml' : 'oidc',
    saml: isSaml ? { signOnUrl: samlSignOnUrl, certificates: samlCertificates.map(describeCertificate) } : null,
    defaultRole: parseProvisionedRole(row.defaultRole),
    groupRoles: parseGroupRoles(row.groupRoles),
    test: parseTest(testResult),
  };
}

/** The settings as recorded in the audit log. */
function factsOf({ updatedAt: _updatedAt, test: _test, saml, groupRoles, ...facts }: SsoConnectionView) {
  return {
    ...facts,
    groupRoles: groupRoles.map(({ group, role }) => ({ group, role })),
    ...(saml === null
      ? {}
      : { signOnUrl: saml.signOnUrl, certificates: saml.certificates.map(({ fingerprint }) => fingerprint) }),
  };
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

function requireGiven(text: string | undefined, field: 'issuer' | 'clientId' | 'samlMetadata'): string {
  if (text !== undefined) {
    return text;
  }
  throw new AppError({
    kind: 'invalid-input',
    code: 'sso_connection_incomplete',
    field,
    message: 'This field is required for a new connection.',
    remedy:
      field === 'samlMetadata'
        ? 'Enter the SAML metadata of your provider.'
        : 'Enter the issuer, client ID and client secret.',
  });
}

function requireIssuer(text: string, policy: WebhookPolicy): string {
  const url = URL.parse(text);
  const host = url === null ? '' : hostOf(url);
  const isInside = isIP(host) !== 0 && !mayConnect(host, policy);
  if (isForEveryTenant(text)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'sso_issuer_refused',
      field: 'issuer',
      message: 'This issuer signs in people of every tenant.',
      remedy: OWN_TENANT_REMEDY,
    });
  }
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

interface Tools {
  secretBox: SecretBox;
  policy: WebhookPolicy;
}

/** The columns that name the provider, and whether it is new: then the last test says nothing about it. */
interface Target {
  columns: Pick<
    Prisma.SsoConnectionUncheckedCreateInput,
    'protocol' | 'issuer' | 'clientId' | 'samlSignOnUrl' | 'samlCertificates' | 'samlMetadataUrl'
  > & { clientSecret?: Uint8Array<ArrayBuffer> };
  isNew: boolean;
}

function oidcTarget(organizationId: string, input: SsoChange, stored: SsoConnectionView | null, tools: Tools): Target {
  const before = stored?.protocol === 'oidc' ? stored : null;
  const clientSecret = input.clientSecret ?? null;
  const issuer = requireIssuer(requireGiven(input.issuer ?? before?.issuer, 'issuer'), tools.policy);
  const clientId = requireGiven(input.clientId ?? before?.clientId, 'clientId');
  // A secret is only ever sent to the provider that it was entered for.
  if (clientSecret === null && (before?.issuer !== issuer || before.clientId !== clientId)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'sso_secret_missing',
      field: 'clientSecret',
      message: 'A new issuer or client requires a new secret.',
      remedy: 'Copy the client secret from your provider.',
    });
  }
  const columns = { protocol: 'oidc', issuer, clientId, samlSignOnUrl: '', samlCertificates: [], samlMetadataUrl: '' };
  return clientSecret === null
    ? { columns, isNew: false }
    : {
        columns: { ...columns, clientSecret: sealClientSecret(tools.secretBox, organizationId, clientSecret) },
        isNew: true,
      };
}

async function samlTarget(
  { samlMetadata, samlMetadataUrl = '' }: SsoChange,
  row: ConnectionRow | null,
  policy: WebhookPolicy,
): Promise<Target> {
  if (samlMetadata === undefined) {
    if (row?.protocol !== 'saml') {
      requireGiven(undefined, 'samlMetadata');
    }
    return { columns: { protocol: 'saml', issuer: row?.issuer ?? '', clientId: '' }, isNew: false };
  }
  const { entityId, signOnUrl, certificates } = await readSamlMetadata(samlMetadata);
  const url = URL.parse(signOnUrl);
  if (url === null || !isSafeUrl(url, policy)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'sso_metadata_invalid',
      field: 'samlMetadata',
      message: 'The sign-on URL of this SAML metadata isn’t a public https:// URL.',
      remedy: 'Copy the metadata XML of the application from your provider.',
    });
  }
  return {
    columns: {
      protocol: 'saml',
      issuer: entityId,
      clientId: '',
      clientSecret: new Uint8Array(),
      samlSignOnUrl: url.href,
      samlCertificates: certificates,
      samlMetadataUrl,
    },
    isNew: true,
  };
}

/** A connection that doesn’t work would lock members out. @throws AppError `sso_test_missing` */
function requirePassedTest(test: SsoTest | null): void {
  if (test?.isPassed === true) {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'sso_test_missing',
    message: 'Single sign-on can be required only after a connection test has passed with these settings.',
    remedy: 'Save the connection, test it on the Organization page, then require it.',
  });
}

/**
 * @throws AppError `sso_connection_incomplete`, `sso_issuer_refused`, `sso_secret_missing`, `sso_metadata_invalid`,
 *   `sso_test_missing`
 */
export async function updateSso(scope: Scope, input: SsoChange, tools: Tools): Promise<SsoSettings> {
  const { tx, organizationId, now } = scope;
  await lockSettings(scope);
  const row = await tx.ssoConnection.findUnique({ where: { organizationId }, select: connectionColumns });
  const before = row === null ? null : toView(row);
  const isSaml = (input.protocol ?? before?.protocol) === 'saml';
  const { columns, isNew } = isSaml
    ? await samlTarget(input, row, tools.policy)
    : oidcTarget(organizationId, input, before, tools);
  const rules = {
    defaultRole: input.defaultRole ?? before?.defaultRole ?? 'viewer',
    isRequired: input.isRequired ?? before?.isRequired ?? false,
    groupsClaim: input.groupsClaim ?? before?.groupsClaim ?? 'groups',
    groupRoles: (input.groupRoles ?? before?.groupRoles ?? []).map(({ group, role }) => ({ group, role })),
    isGroupRequired: input.isGroupRequired ?? before?.isGroupRequired ?? false,
  };
  if (rules.isRequired && before?.isRequired !== true) {
    requirePassedTest(isNew ? null : (before?.test ?? null));
  }
  const data = { ...columns, ...rules, ...(isNew ? { testResult: Prisma.DbNull } : {}), updatedAt: now };
  const saved =
    row === null
      ? await tx.ssoConnection.create({
          data: { clientSecret: new Uint8Array(), ...data, organizationId, createdAt: now },
          select: connectionColumns,
        })
      : await tx.ssoConnection.update({ where: { organizationId }, data, select: connectionColumns });
  await recordAudit(scope, {
    action: 'sso.update',
    targetType: 'organization',
    targetId: organizationId,
    ...(before === null ? {} : { before: factsOf(before) }),
    after: { ...factsOf(toView(saved)), isSecretNew: !isSaml && isNew },
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
