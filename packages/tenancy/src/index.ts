// What every domain builds on: use-case scopes, permissions, audit, idempotency, and the outboxes of mails and
// webhooks.

// For callers that only pass these on to open a scope and run no queries themselves.
export type { Database, Reads } from '@penstock/database/client';
export { type AccessChanges, createAccessChanges } from './access/access-changes.ts';
export {
  type ClusterRole,
  type ClusterRoleEntry,
  type ClusterRoles,
  clusterRoleNames,
  clusterRoleOf,
  type Grant,
  isClusterPermission,
  isGranted,
  listClusterRoles,
  parseClusterRoles,
  seesCluster,
  visibleClusters,
} from './access/cluster-roles.ts';
export { createOpenStreams, type OpenStreams } from './access/open-streams.ts';
export {
  isAllowed,
  isRoleWithin,
  type Permission,
  parseRole,
  permissions,
  type Role,
  roles,
  rolesWithinReach,
} from './access/permissions.ts';
export { isFromOurPages, refuseForeignOrigin } from './access/request-origin.ts';
export {
  type Actor,
  inTenant,
  inTransaction,
  type OrganizationScope,
  type ReadScope,
  readInTenant,
  type Scope,
  withinTenant,
} from './access/scope.ts';
export type { AuditAction } from './audit/audit-actions.ts';
export type { AuditFilter } from './audit/audit-filter.ts';
export { type AuditExportFormat, auditBatches, exportAudit } from './audit/export-audit.ts';
export { type AuditPage, type AuditRow, listAudit } from './audit/list-audit.ts';
export { recordAudit } from './audit/record-audit.ts';
export { type AuditRowFacts, recordAuditRows } from './audit/record-audit-rows.ts';
export { auditFacts } from './audit/render-audit.ts';
export { type AuditFault, type AuditVerification, verifyAudit } from './audit/verify-audit.ts';
export { type BillingAccountRow, lockBillingAccount } from './billing-account/lock-billing-account.ts';
export { expireOutcomes } from './idempotency/expire-outcomes.ts';
export { type IdempotentRequest, type OutcomeCodec, runOnce } from './idempotency/run-once.ts';
export { listMailbox, type MailboxMail } from './mail/list-mailbox.ts';
export type { MailMessage } from './mail/mail.ts';
export { listWaitingMailIds, markMailFailed, markMailSent, readWaitingMail, type WaitingMail } from './mail/outbox.ts';
export { nameInMail, oneLine } from './mail/plain-name.ts';
export { MAIL_QUEUED_CHANNEL, queueMail } from './mail/queue-mail.ts';
export {
  createNotifications,
  type KeyedChannel,
  keyedChannel,
  type NotificationListener,
  type Notifications,
} from './notifications/notifications.ts';
export { keyOfText, type OrderingKey, type Slice, sliceOf } from './paging/slice.ts';
export { createSharedBudget, expireBudgets } from './rate-budget/shared-budget.ts';
export { assertNotSuspended, getSuspension, type Suspension } from './suspension/suspension.ts';
export {
  DELIVER_WEBHOOK_ATTEMPTS,
  type DeliveryOutcome,
  deliverWebhook,
  listWaitingWebhooks,
} from './webhook/deliver-webhook.ts';
export { getWebhook, listWebhookDeliveries, type Webhook, type WebhookDeliveryRow } from './webhook/get-webhook.ts';
export { mayUsePort, type WebhookPolicy } from './webhook/outbound-policy.ts';
export { guardedLookup, reasonOf, resolveAll } from './webhook/post-webhook.ts';
export { isLoopbackAddress } from './webhook/public-address.ts';
export { queueWebhook, type WebhookEvent } from './webhook/queue-webhook.ts';
export { sendTestWebhook } from './webhook/send-test-webhook.ts';
export { type UpdatedWebhook, updateWebhook, type WebhookTools } from './webhook/update-webhook.ts';
export { openWebhookSecret, resealWebhookSecrets } from './webhook/webhook-secret.ts';
export { hostOf, mayConnect } from './webhook/webhook-url.ts';
