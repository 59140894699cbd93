// The use-cases that span all domains: creating, exporting, deleting, restoring and purging an organization.

export { lifecycleAudit } from './audit-actions.ts';
export { createOrganization } from './create-organization.ts';
export { type DeletedOrganization, deleteOrganization } from './delete-organization.ts';
export { exportOrganization } from './export-organization.ts';
export { listDeletedOrganizations } from './list-deleted-organizations.ts';
export { listPurgeableOrganizations, type OrganizationPurgeOutcome, purgeOrganization } from './purge-organization.ts';
export { inDeletedOrganization, restoreOrganization } from './restore-organization.ts';
export {
  liftSuspension,
  MAX_SUSPENSION_REASON_CHARS,
  type NewSuspension,
  suspendOrganization,
} from './suspend-organization.ts';
