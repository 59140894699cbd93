// The audit log.
import * as tenancy from '@penstock/tenancy';
import { z } from 'zod';
import { idCursor } from '../operation/cursor.ts';
import { exampleIds, instant } from '../operation/shared-schemas.ts';
import type { StreamedFile } from '../operation/streamed-file.ts';
import { operations } from '../trpc/operations.ts';
import { auditFilter, exportAuditInput } from './inputs.ts';

const { query } = operations('Audit log');

const auditRowSchema = z
  .object({
    id: z.uuid(),
    at: instant,
    actorLabel: z.string(),
    source: z.string(),
    action: z.string(),
    targetType: z.string(),
    targetId: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .meta({
    id: 'AuditRow',
    example: {
      id: exampleIds.audit,
      at: '2026-11-21T15:04:05.000Z',
      actorLabel: 'ada@example.com',
      source: 'web',
      action: 'cluster.rename',
      targetType: 'cluster',
      targetId: exampleIds.cluster,
      before: { name: 'orders' },
      after: { name: 'orders-eu' },
    },
  });

/** Parses times, which URLs can only carry as text. */
function withTimes<T extends z.infer<typeof auditFilter>>(
  input: T,
): Omit<T, 'from' | 'to'> & Pick<tenancy.AuditFilter, 'from' | 'to'> {
  const { from, to } = input;
  return {
    ...input,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

const rowCursor = idCursor('listAuditLog');

export const auditOperations = {
  list: query({
    access: 'audit:read',
    input: auditFilter.extend({
      cursor: rowCursor.schema,
      limit: z.number().int().min(1).max(100).default(50),
    }),
    run: async ({ ctx, input }) => {
      const found = { ...withTimes(input), cursor: rowCursor.idIn(input.cursor) };
      return rowCursor.page(await ctx.run((scope) => tenancy.listAudit(scope, found)));
    },
    rest: ({ page }) =>
      page({
        route: 'GET /audit-log',
        id: 'listAuditLog',
        summary: 'Search the audit log, newest first',
        schema: auditRowSchema,
        select: ({ rows, nextCursor }) => ({ items: rows, nextCursor }),
      }),
  }),
  /** A file for download, for route handlers of this process. */
  export: query({
    access: 'audit:read',
    input: exportAuditInput,
    run: ({ ctx, input }): StreamedFile => ({
      fileName: `audit-log-${ctx.now.toISOString().slice(0, 10)}.${input.format}`,
      contentType: input.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      pieces: tenancy.exportAudit((work) => ctx.run(work), withTimes(input)),
    }),
    rest: ({ stream }) =>
      stream({
        route: 'GET /audit-log/export',
        id: 'exportAuditLog',
        summary: 'Export the audit log, oldest first, with its hash chain',
        description:
          '`hash` is the SHA-256 of `hashedText` (UTF-8). `hashedText` is a JSON array that starts with the row’s number and the `hash` of the previous row, followed by all values of the row. Without a filter, row numbers are consecutive and each `previousHash` equals the `hash` of the previous row. The first row’s `previousHash` is empty.',
        contentTypes: ['application/x-ndjson', 'text/csv'],
      }),
  }),
};
