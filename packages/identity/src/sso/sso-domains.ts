// The e-mail domains of an organization. Control of a domain's DNS implies control of its mail, so it proves the right
// to authenticate its users.
import { Prisma } from '@penstock/database/client';
import { AppError, isUuid, newId, notFound, randomBase62 } from '@penstock/platform';
import { recordAudit, type Scope, type Slice } from '@penstock/tenancy';
import { type LookUpTxt, lookUpTxt, recordOf } from './domain-record.ts';

export interface SsoDomainView {
  id: string;
  domain: string;
  /** The name and the text of the TXT record that proves ownership. */
  recordName: string;
  recordText: string;
  verifiedAt: Date | null;
  /** For a verified domain: when its record was first found missing. Null if it is present. */
  missingSince: Date | null;
}

const MAX_DOMAINS = 20;

type InTransaction = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>;

interface DomainRow {
  id: string;
  domain: string;
  token: string;
  verifiedAt: Date | null;
  missingSince: Date | null;
}

function toView(row: DomainRow): SsoDomainView {
  return {
    id: row.id,
    domain: row.domain,
    ...recordOf(row),
    verifiedAt: row.verifiedAt,
    missingSince: row.missingSince,
  };
}

const columns = { id: true, domain: true, token: true, verifiedAt: true, missingSince: true } as const;

/** The domain of an address, in lower case; null if the text is not an address. */
export function domainOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  return at < 1 || at === email.length - 1 ? null : email.slice(at + 1).toLowerCase();
}

export async function listSsoDomains(
  { tx, organizationId }: Scope,
  slice?: Slice<readonly [string]>,
): Promise<SsoDomainView[]> {
  const [domain] = slice?.after ?? [];
  const rows = await tx.ssoDomain.findMany({
    where: { organizationId, ...(domain === undefined ? {} : { domain: { gt: domain } }) },
    orderBy: { domain: 'asc' },
    ...(slice === undefined ? {} : { take: slice.limit }),
    select: columns,
  });
  return rows.map(toView);
}

/**
 * Claims a domain. The claim has no effect until it is verified. @throws AppError `sso_domain_limit`,
 * `sso_domain_listed`
 */
export async function addSsoDomain(scope: Scope, input: { domain: string }): Promise<SsoDomainView> {
  const { tx, organizationId, now } = scope;
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const domains = await listSsoDomains(scope);
  if (domains.length >= MAX_DOMAINS) {
    throw new AppError({
      kind: 'refused',
      code: 'sso_domain_limit',
      message: `This organization has reached the limit of ${MAX_DOMAINS} domains.`,
      remedy: 'Remove a domain that you no longer need.',
    });
  }
  if (domains.some(({ domain }) => domain === input.domain)) {
    throw new AppError({
      kind: 'conflict',
      code: 'sso_domain_listed',
      field: 'domain',
      message: 'This domain is already in the list.',
      remedy: 'Add its TXT record, then check it.',
    });
  }
  const row = await tx.ssoDomain.create({
    data: { id: newId(now.getTime()), organizationId, domain: input.domain, token: randomBase62(32), createdAt: now },
    select: columns,
  });
  await recordAudit(scope, {
    action: 'sso.add-domain',
    targetType: 'sso-domain',
    targetId: row.id,
    after: { domain: row.domain },
  });
  return toView(row);
}

/** @throws AppError `sso_domain_not_found` */
async function findDomain({ tx, organizationId }: Scope, domainId: string): Promise<SsoDomainView> {
  const row = isUuid(domainId)
    ? await tx.ssoDomain.findFirst({ where: { id: domainId, organizationId }, select: columns })
    : null;
  if (row === null) {
    throw notFound('sso domain');
  }
  return toView(row);
}

/**
 * Looks the record up, holding no transaction meanwhile. Skips the lookup for a verified domain whose record was
 * present.
 * @param tenant `read` and `change` run work for the tenant, each call in its own transaction; `change` is called once.
 *   `onVerified` runs in the same transaction
 * @throws AppError `sso_domain_not_found`, `sso_domain_record_missing`, `sso_domain_taken`
 */
export async function verifySsoDomain(
  tenant: {
    read: InTransaction;
    change: InTransaction;
    onVerified: (scope: Scope, domain: string) => Promise<unknown>;
  },
  input: { domainId: string },
  lookUp: LookUpTxt = lookUpTxt,
): Promise<SsoDomainView> {
  const domain = await tenant.read((scope) => findDomain(scope, input.domainId));
  const isProven = domain.verifiedAt !== null && domain.missingSince === null;
  // A failed lookup proves nothing.
  if (!isProven && (await lookUp(domain)) !== 'there') {
    throw new AppError({
      kind: 'refused',
      code: 'sso_domain_record_missing',
      message: `${domain.recordName} has no TXT record with this value.`,
      remedy: 'Add the record as shown, wait for DNS to update, then check again.',
    });
  }
  return tenant.change(async (scope) => {
    const verified = await markVerified(scope, domain.id);
    await tenant.onVerified(scope, verified.domain);
    return verified;
  });
}

async function markVerified(scope: Scope, domainId: string): Promise<SsoDomainView> {
  const domain = await findDomain(scope, domainId);
  if (domain.verifiedAt !== null && domain.missingSince === null) {
    return domain;
  }
  const row = await scope.tx.ssoDomain
    .update({
      where: { id: domain.id, organizationId: scope.organizationId },
      data: { verifiedAt: domain.verifiedAt ?? scope.now, checkedAt: scope.now, missingSince: null },
      select: columns,
    })
    .catch((error: unknown) => {
      if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') {
        throw error;
      }
      throw new AppError({
        kind: 'conflict',
        code: 'sso_domain_taken',
        message: `Another organization has already verified ${domain.domain}.`,
        remedy: 'Remove it there first, or contact us.',
        cause: error,
      });
    });
  if (domain.verifiedAt !== null) {
    return toView(row);
  }
  await recordAudit(scope, {
    action: 'sso.verify-domain',
    targetType: 'sso-domain',
    targetId: row.id,
    after: { domain: row.domain },
  });
  return toView(row);
}

/** @throws AppError `sso_domain_not_found` */
export async function removeSsoDomain(scope: Scope, input: { domainId: string }): Promise<void> {
  const { id, domain } = await findDomain(scope, input.domainId);
  await scope.tx.ssoDomain.delete({ where: { id, organizationId: scope.organizationId } });
  await recordAudit(scope, {
    action: 'sso.remove-domain',
    targetType: 'sso-domain',
    targetId: id,
    before: { domain },
  });
}
