// Reads the SAML metadata of providers again each day, so that a sign-in survives a new certificate. Only connections that
// were set up by a URL: their owners trusted it once. What else the document says stays as an owner saw it.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { inTransaction, recordAudit, type Scope, type WebhookPolicy } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { describeCertificate, fetchSamlMetadata, readSamlMetadata } from './saml-metadata.ts';

/** Per run. The job runs every hour. */
const CONNECTIONS_PER_RUN = 200;

export interface MetadataRefreshes {
  checked: number;
  changed: number;
  /** The document could not be read, or describes another provider now. */
  failed: number;
}

interface Row {
  organizationId: string;
  issuer: string;
  samlMetadataUrl: string;
}

/** Refreshes the connections that are due. Holds no transaction while it reads a document. */
export async function refreshSamlMetadata(
  database: Database,
  now: Date,
  policy: WebhookPolicy,
): Promise<MetadataRefreshes> {
  const due = new Date(now.getTime() - DAY_MS);
  const rows = await database.ssoConnection.findMany({
    where: {
      protocol: 'saml',
      samlMetadataUrl: { not: '' },
      OR: [{ samlCheckedAt: null }, { samlCheckedAt: { lte: due } }],
    },
    orderBy: [{ samlCheckedAt: { sort: 'asc', nulls: 'first' } }, { organizationId: 'asc' }],
    take: CONNECTIONS_PER_RUN,
    select: { organizationId: true, issuer: true, samlMetadataUrl: true },
  });
  const refreshes: MetadataRefreshes = { checked: 0, changed: 0, failed: 0 };
  for (const row of rows) {
    const certificates = await readCertificates(row, policy);
    const isChanged = await inTransaction(database, (tx) => {
      const actor = { type: 'system', id: null, label: 'Refresh of SAML metadata', source: 'worker' } as const;
      return keep({ tx, organizationId: row.organizationId, actor, now }, row, certificates);
    });
    refreshes.checked += 1;
    refreshes.changed += isChanged ? 1 : 0;
    refreshes.failed += certificates === null ? 1 : 0;
  }
  return refreshes;
}

/** Null if the document can't be read or names another provider. */
async function readCertificates({ issuer, samlMetadataUrl }: Row, policy: WebhookPolicy): Promise<string[] | null> {
  try {
    const provider = await readSamlMetadata(await fetchSamlMetadata(samlMetadataUrl, policy));
    return provider.entityId === issuer ? provider.certificates : null;
  } catch (error) {
    if (error instanceof AppError) {
      return null;
    }
    throw error;
  }
}

async function keep(scope: Scope, { samlMetadataUrl }: Row, certificates: string[] | null): Promise<boolean> {
  const { tx, organizationId, now } = scope;
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  // An owner may have changed the settings meanwhile.
  const row = await tx.ssoConnection.findFirst({
    where: { organizationId, protocol: 'saml', samlMetadataUrl },
    select: { samlCertificates: true, updatedAt: true },
  });
  if (row === null) {
    return false;
  }
  const before = row.samlCertificates.toSorted();
  const after = (certificates ?? before).toSorted();
  const isChanged = after.join() !== before.join();
  // The version of the settings, which pages and ETags know, changes with the certificates alone.
  const updatedAt = isChanged ? now : row.updatedAt;
  await tx.ssoConnection.update({
    where: { organizationId },
    data: { samlCheckedAt: now, samlCertificates: after, updatedAt },
  });
  if (isChanged) {
    const fingerprints = (list: readonly string[]) => list.map((one) => describeCertificate(one).fingerprint);
    await recordAudit(scope, {
      action: 'sso.refresh-metadata',
      targetType: 'organization',
      targetId: organizationId,
      before: { certificates: fingerprints(before) },
      after: { certificates: fingerprints(after) },
    });
  }
  return isChanged;
}
