import { router } from '../trpc/trpc.ts';
import { createOrganization } from './create-organization.ts';
import { getOrganization } from './get-organization.ts';
import { listMembers } from './list-members.ts';
import { setActiveOrganization } from './set-active-organization.ts';

export const organizationRouter = router({
  create: createOrganization,
  get: getOrganization,
  setActive: setActiveOrganization,
  listMembers,
});
