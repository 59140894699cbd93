import * as lifecycle from '@penstock/lifecycle';
import type * as tenancy from '@penstock/tenancy';
import type { StreamedFile } from '../trpc/streamed-file.ts';
import { procedure, refuseSsoSession } from '../trpc/trpc.ts';
import { deletedOrganizationInput } from './inputs.ts';

const fileOf = (now: Date, pieces: StreamedFile['pieces']): StreamedFile => ({
  fileName: `organization-${now.toISOString().slice(0, 10)}.ndjson`,
  contentType: 'application/x-ndjson',
  pieces,
});

/** A file for download, for route handlers of this process. */
export const exportOrganization = procedure('organization:export').query(({ ctx }) =>
  fileOf(
    ctx.now,
    lifecycle.exportOrganization((work) => ctx.run(work), ctx.backend.metadata),
  ),
);

/** The same for a deleted organization, for its owners. */
export const exportDeletedOrganization = procedure('signed-in')
  .input(deletedOrganizationInput)
  .query(async ({ ctx, input }) => {
    const { actor, now, backend, session } = ctx;
    refuseSsoSession(session);
    const who = { actor, now, organizationId: input.organizationId };
    const run = <T>(work: (scope: tenancy.Scope) => Promise<T>) =>
      lifecycle.inDeletedOrganization(backend.accounts, who, work);
    // Checks access before the file begins, so that a refusal is still a proper error.
    await run(async () => undefined);
    return fileOf(now, lifecycle.exportOrganization(run, backend.metadata));
  });
