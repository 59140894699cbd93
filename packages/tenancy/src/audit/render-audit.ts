// One row of an exported audit log as a line of NDJSON or CSV.
import { csvRow } from '@penstock/units';

export interface ExportedAuditRow {
  id: string;
  organizationId: string;
  actorType: string;
  actorId: string | null;
  actorLabel: string;
  source: string;
  action: string;
  targetType: string;
  targetId: string;
  before: unknown;
  after: unknown;
  at: Date;
  seq: bigint;
  previousHash: Uint8Array;
  hash: Uint8Array;
  /** The text whose SHA-256, as UTF-8, is `hash`. */
  hashedText: string;
}

type Column = [name: string, read: (row: ExportedAuditRow) => unknown];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const columns: readonly Column[] = [
  ['seq', ({ seq }) => seq.toString()],
  ['id', ({ id }) => id],
  ['at', ({ at }) => at.toISOString()],
  ['actorType', ({ actorType }) => actorType],
  ['actorId', ({ actorId }) => actorId],
  ['actorLabel', ({ actorLabel }) => actorLabel],
  ['source', ({ source }) => source],
  ['action', ({ action }) => action],
  ['targetType', ({ targetType }) => targetType],
  ['targetId', ({ targetId }) => targetId],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['previousHash', ({ previousHash }) => hex(previousHash)],
  ['hash', ({ hash }) => hex(hash)],
  ['hashedText', ({ hashedText }) => hashedText],
];

/** The row in the form that programs receive. */
export function auditFacts(row: ExportedAuditRow): Record<string, unknown> {
  return Object.fromEntries(columns.map(([name, read]) => [name, read(row)]));
}

export function renderAuditJson(row: ExportedAuditRow): string {
  return `${JSON.stringify(auditFacts(row))}\n`;
}

export function renderAuditCsvHeader(): string {
  return csvRow(columns.map(([name]) => name));
}

/** Formats a row as in RFC 4180. */
export function renderAuditCsvRow(row: ExportedAuditRow): string {
  return csvRow(columns.map(([, read]) => csvValueOf(read(row))));
}

function csvValueOf(value: unknown): string | null {
  if (value === null || value === undefined) {
    return null;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
