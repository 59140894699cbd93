import { router } from '../trpc/trpc.ts';
import { createOrganization } from './create-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { exportDeletedOrganization, exportOrganization } from './export-organization.ts';
import { getOrganization } from './get-organization.ts';
import { listDeletedOrganizations } from './list-deleted-organizations.ts';
import { listMembers } from './list-members.ts';
import { restoreOrganization } from './restore-organization.ts';
import { setActiveOrganization } from './set-active-organization.ts';

export const organizationRouter = router({
  create: createOrganization,
  get: getOrganization,
  setActive: setActiveOrganization,
  listMembers,
  delete: deleteOrganization,
  listDeleted: listDeletedOrganizations,
  restore: restoreOrganization,
  export: exportOrganization,
  exportDeleted: exportDeletedOrganization,
});
