import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getAgentDiagnosisInput } from './get-agent-diagnosis.types.ts';

export const getAgentDiagnosis = procedure('cluster:read')
  .input(getAgentDiagnosisInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.getAgentDiagnosis(scope, input)));
