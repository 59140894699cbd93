// Walks the hash chains of the audit log and reports every broken link: an edited, deleted, added or moved row.
import type { Database, Prisma } from '@penstock/database/client';
import { MINUTE_MS } from '@penstock/units';

export interface AuditFault {
  organizationId: string;
  seq: bigint;
  /** Null if the row is missing. */
  id: string | null;
  fault: 'changed' | 'missing' | 'out-of-place' | 'cut-off' | 'head-missing';
}

export interface AuditVerification {
  organizations: number;
  rows: number;
  faults: AuditFault[];
}

interface Link {
  organization_id: string;
  seq: bigint;
  id: string;
  previous_hash: Uint8Array;
  hash: Uint8Array;
  computed: Uint8Array;
}

interface Head {
  organization_id: string;
  seq: bigint;
  hash: Uint8Array;
}

/** Rows read per query. */
const BATCH_SIZE = 5_000;

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);

/**
 * Computes the hash here and not with the trigger's function, because an attacker who changed a row could have changed
 * that function too. It cannot detect an attacker who rewrote every later hash and the head: nothing outside the
 * database vouches for the chain.
 * @param organizationId of one organization; null for all
 */
export async function verifyAudit(database: Database, organizationId: string | null): Promise<AuditVerification> {
  return database.$transaction((tx) => verifyChains(tx, organizationId), {
    isolationLevel: 'RepeatableRead',
    timeout: 60 * MINUTE_MS,
  });
}

async function verifyChains(tx: Prisma.TransactionClient, organizationId: string | null): Promise<AuditVerification> {
  const heads = await tx.$queryRaw<Head[]>`
    SELECT organization_id, seq, hash FROM audit_head
    WHERE ${organizationId}::text IS NULL OR organization_id = ${organizationId}`;
  const headOf = new Map(heads.map((head) => [head.organization_id, head]));
  const faults: AuditFault[] = [];
  const seen = new Set<string>();
  let rows = 0;
  let before: Link | undefined;
  const endChain = (): void => {
    if (before !== undefined) {
      faults.push(...faultsOfEnd(before, headOf.get(before.organization_id)));
    }
  };
  for await (const link of links(tx, organizationId)) {
    rows += 1;
    if (before?.organization_id !== link.organization_id) {
      endChain();
      before = undefined;
      seen.add(link.organization_id);
    }
    faults.push(...faultsOfLink(before, link));
    before = link;
  }
  endChain();
  for (const head of heads) {
    if (seen.has(head.organization_id)) {
      continue;
    }
    faults.push({ organizationId: head.organization_id, seq: head.seq, id: null, fault: 'cut-off' });
    seen.add(head.organization_id);
  }
  return { organizations: seen.size, rows, faults };
}

async function* links(tx: Prisma.TransactionClient, organizationId: string | null): AsyncGenerator<Link> {
  let after = { organization: '', seq: -1n };
  for (;;) {
    const batch = await tx.$queryRaw<Link[]>`
      SELECT organization_id, seq, id, previous_hash, hash, sha256(convert_to(jsonb_build_array(
        seq, encode(previous_hash, 'hex'), id, organization_id, actor_type, actor_id, actor_label, source,
        action, target_type, target_id, before, after, round(extract(epoch FROM at) * 1000)::bigint
      )::text, 'UTF8')) AS computed
      FROM audit_log
      WHERE (organization_id, seq) > (${after.organization}, ${after.seq})
        AND (${organizationId}::text IS NULL OR organization_id = ${organizationId})
      ORDER BY organization_id, seq LIMIT ${BATCH_SIZE}`;
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH_SIZE) {
      return;
    }
    after = { organization: last.organization_id, seq: last.seq };
  }
}

function faultsOfLink(before: Link | undefined, link: Link): AuditFault[] {
  const of = (fault: AuditFault['fault'], seq = link.seq, id: string | null = link.id): AuditFault => ({
    organizationId: link.organization_id,
    seq,
    id,
    fault,
  });
  const expectedSeq = (before?.seq ?? 0n) + 1n;
  const faults: AuditFault[] = [];
  if (!same(link.hash, link.computed)) {
    faults.push(of('changed'));
  }
  if (link.seq !== expectedSeq) {
    faults.push(of('missing', expectedSeq, null));
  } else if (!same(link.previous_hash, before?.hash ?? new Uint8Array())) {
    faults.push(of('out-of-place'));
  }
  return faults;
}

function faultsOfEnd(last: Link, head: Head | undefined): AuditFault[] {
  const { organization_id: organizationId, seq } = last;
  if (head === undefined) {
    return [{ organizationId, seq, id: last.id, fault: 'head-missing' }];
  }
  if (head.seq < seq) {
    return [{ organizationId, seq, id: last.id, fault: 'out-of-place' }];
  }
  if (head.seq > seq) {
    return [{ organizationId, seq: seq + 1n, id: null, fault: 'cut-off' }];
  }
  return same(head.hash, last.hash) ? [] : [{ organizationId, seq, id: last.id, fault: 'changed' }];
}
