// Usage of the current month.
import * as billing from '@penstock/billing';
import { z } from 'zod';
import { instant, wholeNumber } from '../operation/shared-schemas.ts';
import { operations } from '../trpc/operations.ts';

const { query } = operations('Usage');

const usageSchema = z
  .object({
    monthStart: instant,
    monthEnd: instant.meta({ description: 'Exclusive.' }),
    uncompressedBytes: wholeNumber,
    storedBytes: wholeNumber,
    records: wholeNumber,
    files: wholeNumber,
    clusterMinutes: z.int().meta({ description: 'Minutes in which at least one agent of the cluster was alive.' }),
    countedUntil: instant,
  })
  .meta({
    id: 'MonthToDateUsage',
    example: {
      monthStart: '2026-11-01T00:00:00.000Z',
      monthEnd: '2026-12-01T00:00:00.000Z',
      uncompressedBytes: '73014444032',
      storedBytes: '14602888806',
      records: '61000000',
      files: '182000',
      clusterMinutes: 29_400,
      countedUntil: '2026-11-21T15:04:00.000Z',
    },
  });

/** The whole organization if no cluster is given. */
const getMonthToDateInput = z.object({ clusterId: z.uuid().optional() });

export const usageOperations = {
  monthToDate: query({
    access: 'usage:read',
    input: getMonthToDateInput,
    run: ({ ctx, input }) => ctx.run((scope) => billing.getMonthToDate(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /usage',
        id: 'getMonthToDateUsage',
        summary: 'Get the usage of the current month (UTC) for the organization or one cluster',
        schema: usageSchema,
      }),
  }),
};
