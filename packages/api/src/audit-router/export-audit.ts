import * as tenancy from '@penstock/tenancy';
import type { StreamedFile } from '../trpc/streamed-file.ts';
import { procedure } from '../trpc/trpc.ts';
import { exportAuditInput, withTimes } from './inputs.ts';

/** A file for download, for route handlers of this process. */
export const exportAudit = procedure('audit:read')
  .input(exportAuditInput)
  .query(
    ({ ctx, input }): StreamedFile => ({
      fileName: `audit-log-${ctx.now.toISOString().slice(0, 10)}.${input.format}`,
      contentType: input.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      pieces: tenancy.exportAudit((work) => ctx.run(work), withTimes(input)),
    }),
  );
