// The use-cases of the control plane. Each takes its transaction in a scope and leaves its audit row there.
export { type AccessChanges, createAccessChanges } from './access/access-changes.ts';

export { createOpenStreams, type OpenStreams } from './access/open-streams.ts';
export { isAllowed, type Permission, permissions, type Role, roles, rolesWithinReach } from './access/permissions.ts';
export { isFromOurPages, refuseForeignOrigin } from './access/request-origin.ts';
export { requireAccess, requirePermission, signedOut } from './access/require-access.ts';
export { type Actor, inTenant, inTransaction, type ReadScope, readInTenant, type Scope } from './access/scope.ts';
export { type AccountSession, listAccountSessions, revokeAccountSession } from './account/account-sessions.ts';
export { expireAccountsData } from './account/expire-accounts-data.ts';
export { type AccountSecurity, getAccountSecurity } from './account/get-account-security.ts';
export type { AgentKey } from './agent-key/agent-key.ts';
export { type CreatedAgentKey, createAgentKey } from './agent-key/create-agent-key.ts';
export { listAgentKeys } from './agent-key/list-agent-keys.ts';
export { revokeAgentKey } from './agent-key/revoke-agent-key.ts';
export type { ApiKey, CreatedApiKey } from './api-key/api-key.ts';
export { type ApiKeyPrincipal, authenticateApiKey, bearerToken } from './api-key/authenticate-api-key.ts';
export { createApiKey } from './api-key/create-api-key.ts';
export { getCurrentApiKey } from './api-key/get-current-api-key.ts';
export { listApiKeys } from './api-key/list-api-keys.ts';
export { revokeApiKey } from './api-key/revoke-api-key.ts';
export { rotateApiKey } from './api-key/rotate-api-key.ts';
export type { AuditFilter } from './audit/audit-filter.ts';
export { type AuditExportFormat, exportAudit } from './audit/export-audit.ts';
export { type AuditPage, type AuditRow, listAudit } from './audit/list-audit.ts';
export { type AuditFault, type AuditVerification, verifyAudit } from './audit/verify-audit.ts';
export { type Auth, type AuthSession, createAuth, type SessionUser } from './auth/create-auth.ts';
export { hashPassword, verifyPassword } from './auth/passwords.ts';
export { type Backend, createBackend } from './backend.ts';
export { lockBillingAccount } from './billing-account/lock-billing-account.ts';
export { type BudgetCheck, type BudgetChecks, checkBudgets } from './budget/check-budgets.ts';
export { type Budget, type BudgetAlertRow, getBudget } from './budget/get-budget.ts';
export { type BudgetChange, updateBudget } from './budget/update-budget.ts';
export { type Cluster, lockCluster } from './cluster/cluster.ts';
export { type ClusterChanges, createClusterChanges } from './cluster/cluster-changes.ts';
export type {
  LiveAgent,
  LiveClusterView,
  LiveGroup,
  LiveGroupOffset,
  LivePartition,
  LiveThroughputPoint,
  LiveTopic,
} from './cluster/cluster-view.ts';
export { createCluster, type NewCluster } from './cluster/create-cluster.ts';
export { deleteCluster } from './cluster/delete-cluster.ts';
export { getCluster } from './cluster/get-cluster.ts';
export { listClusters, listDeletedClusters } from './cluster/list-clusters.ts';
export type {
  LiveAgentRow,
  LiveGroupRow,
  LivePart,
  LivePartData,
  LivePartKind,
  LiveSummary,
  LiveTopicRow,
} from './cluster/live-parts.ts';
export { createLiveRecords, type LiveRecordsFeed } from './cluster/live-records.ts';
export { createLiveViews, type LiveState, type LiveViews } from './cluster/live-views.ts';
export { listPurgeableClusters, type PurgeOutcome, purgeCluster } from './cluster/purge-cluster.ts';
export { readLivePart } from './cluster/read-live-part.ts';
export { renameCluster } from './cluster/rename-cluster.ts';
export { restoreCluster } from './cluster/restore-cluster.ts';
export { type ClusterSettingsChange, updateClusterSettings } from './cluster/update-cluster-settings.ts';
export { viewCluster } from './cluster/view-cluster.ts';
export { type LiveUpdate, type WatchedKind, watchLiveParts } from './cluster/watch-live-parts.ts';
export type { CreditEntry } from './credit/credit.ts';
export { backfillSignUpCredits, grantSignUpCredits } from './credit/grant-sign-up-credits.ts';
export { creditBalance, listCreditEntries } from './credit/list-credit-entries.ts';
export { createDatabaseWords, type DatabaseWords } from './database-words/database-words.ts';
export { type CloudEvent, clusterEventTypes } from './event/cluster-event.ts';
export { type EventPage, listEvents } from './event/list-events.ts';
export { deleteGroup } from './group/delete-group.ts';
export { type ResetOffsetsInput, type ResetTarget, resetOffsets } from './group/reset-offsets.ts';
export { chooseRecipient } from './health/choose-recipient.ts';
export { createSilence, longestSilence_ms } from './health/create-silence.ts';
export { endSilence } from './health/end-silence.ts';
export { expireHealth } from './health/expire-health.ts';
export { exportMetrics, openMetricsType } from './health/export-metrics.ts';
export {
  type ClusterHealth,
  getClusterHealth,
  type HealthLevel,
  type OpenFinding,
} from './health/get-cluster-health.ts';
export { HealthWatch, type HealthWatchOptions, type LookOutcome } from './health/health-watch.ts';
export type { Silence } from './health/silence.ts';
export { expireOutcomes } from './idempotency/expire-outcomes.ts';
export { type IdempotentRequest, type OutcomeCodec, runOnce } from './idempotency/run-once.ts';
export { acceptInvitation, type InvitationReference } from './invitation/accept-invitation.ts';
export type { Invitation } from './invitation/invitation.ts';
export { inviteMember } from './invitation/invite-member.ts';
export {
  listInvitations,
  listReceivedInvitations,
  type ReceivedInvitation,
} from './invitation/list-invitations.ts';
export { type InvitationPreview, previewInvitation } from './invitation/preview-invitation.ts';
export { revokeInvitation } from './invitation/revoke-invitation.ts';
export { bookPayment, type Payment } from './invoice/book-payment.ts';
export { type CreditOrder, creditInvoice, type IssuedCreditNote } from './invoice/credit-invoice.ts';
export { type ExportInput, exportInvoice } from './invoice/export-invoice.ts';
export {
  type FinalizeInput,
  type FinalizeOutcome,
  finalizeMonth,
} from './invoice/finalize-month.ts';
export { getDraftInvoice } from './invoice/get-draft-invoice.ts';
export { getForecast } from './invoice/get-forecast.ts';
export { getInvoice } from './invoice/get-invoice.ts';
export { getLineOrigin, type LineOriginInput } from './invoice/get-line-origin.ts';
export { getMonthByDay } from './invoice/get-month-by-day.ts';
export type {
  DraftInvoice,
  ExportFormat,
  Forecast,
  InvoiceDetail,
  InvoiceFile,
  InvoiceLineView,
  InvoicePage,
  InvoiceSummary,
  LineOrigin,
  LineOriginHour,
  MonthByDay,
} from './invoice/invoice.ts';
export { type InvoiceSettings, readInvoiceSettings } from './invoice/invoice-settings.ts';
export { type CreditNoteInput, issueCreditNote } from './invoice/issue-credit-note.ts';
export { listInvoices } from './invoice/list-invoices.ts';
export { monthsToFinalize } from './invoice/months-to-finalize.ts';
export { listMailbox, type MailboxMail } from './mail/list-mailbox.ts';
export { listWaitingMailIds, markMailFailed, markMailSent, readWaitingMail, type WaitingMail } from './mail/outbox.ts';
export { mailQueuedChannel, queueMail } from './mail/queue-mail.ts';
export { changeMemberRole } from './member/change-member-role.ts';
export { leaveOrganization } from './member/leave-organization.ts';
export { lockMembers } from './member/member.ts';
export { removeMember } from './member/remove-member.ts';
export { transferOwnership } from './member/transfer-ownership.ts';
export { createMetadataAdmin, type MetadataAdmin } from './metadata/metadata-admin.ts';
export { createOrganization } from './organization/create-organization.ts';
export { type DeletedOrganization, deleteOrganization } from './organization/delete-organization.ts';
export { exportOrganization } from './organization/export-organization.ts';
export { getOrganization, type Organization } from './organization/get-organization.ts';
export { listDeletedOrganizations } from './organization/list-deleted-organizations.ts';
export { listMembers, type MemberRow } from './organization/list-members.ts';
export { listMemberships, listMembershipsBehindSso, type Membership } from './organization/list-memberships.ts';
export {
  listPurgeableOrganizations,
  type OrganizationPurgeOutcome,
  purgeOrganization,
} from './organization/purge-organization.ts';
export { inDeletedOrganization, restoreOrganization } from './organization/restore-organization.ts';
export { setActiveOrganization } from './organization/set-active-organization.ts';
export { completePaymentSetup } from './payment/complete-payment-setup.ts';
export { mailDays, pastDueDay, restrictedDay, type Standing } from './payment/dunning-rules.ts';
export { type BillingAccount, type FailedPayment, getBillingAccount } from './payment/get-billing-account.ts';
export { handleStripeEvents } from './payment/handle-stripe-events.ts';
export { openPaymentPortal } from './payment/open-payment-portal.ts';
export { payInvoiceByCard } from './payment/pay-invoice-by-card.ts';
export type { PaymentBackend, Tenant } from './payment/payment-session.ts';
export type { PaymentTools } from './payment/payment-tools.ts';
export { queueInvoiceCollection } from './payment/queue-invoice-collection.ts';
export { eventsPayload, paymentWorkChannel } from './payment/queue-stripe-call.ts';
export { receiveStripeEvent } from './payment/receive-stripe-event.ts';
export { type Reconciliation, reconcilePayments } from './payment/reconcile-payments.ts';
export { type ReceivedTransfer, type RecordedTransfer, recordTransfer } from './payment/record-transfer.ts';
export { type DunningOptions, runDunning } from './payment/run-dunning.ts';
export { listOrganizationsWithCalls, sendStripeCalls } from './payment/send-stripe-calls.ts';
export { startPaymentSetup } from './payment/start-payment-setup.ts';
export { type Outbox, readOutbox, retryFailedCalls, type TroubledCall } from './payment/troubled-calls.ts';
export { updateBillingDetails } from './payment/update-billing-details.ts';
export { callbackUrl as ssoCallbackUrl } from './sso/begin-sso.ts';
export { checkSsoDomains } from './sso/check-domains.ts';
export { createSecretBox, type SecretBox } from './sso/secret-box.ts';
export { addSsoDomain, removeSsoDomain, type SsoDomainView, verifySsoDomain } from './sso/sso-domains.ts';
export {
  getSso,
  lockSsoConnection,
  type ProvisionedRole,
  provisionedRoles,
  removeSso,
  type SsoChange,
  type SsoSettings,
  updateSso,
} from './sso/sso-settings.ts';
export { defaultMaxPoints, greatestMaxPoints } from './telemetry/choose-range.ts';
export { getAgentDiagnosis } from './telemetry/get-agent-diagnosis.ts';
export {
  type AgentReading,
  type AgentReadingsInput,
  type LatencyReading,
  latestAgentReadings,
} from './telemetry/latest-agent-readings.ts';
export {
  type ClusterMetrics,
  type ClusterSeries,
  type ClusterSeriesInput,
  maxAgents,
  queryClusterMetrics,
  queryClusterSeries,
} from './telemetry/query-cluster-series.ts';
export { type OrganizationThroughput, queryOrganizationThroughput } from './telemetry/query-organization-throughput.ts';
export { type AgentFigures, sharedAgentFigures } from './telemetry/shared-agent-figures.ts';
export { sharedAgentReadings } from './telemetry/shared-agent-readings.ts';
export { alterTopicConfigs } from './topic/alter-topic-configs.ts';
export { createBrowseTokenSigner } from './topic/browse-tokens.ts';
export { type BrowseToken, createBrowseToken } from './topic/create-browse-token.ts';
export { createTopic, type NewTopic } from './topic/create-topic.ts';
export { deleteTopic } from './topic/delete-topic.ts';
export { getMonthToDate, type MonthToDate } from './usage/get-month-to-date.ts';
export {
  type DeliveryOutcome,
  deliverWebhook,
  deliverWebhookAttempts,
  listWaitingWebhooks,
} from './webhook/deliver-webhook.ts';
export { getWebhook, type Webhook, type WebhookDeliveryRow } from './webhook/get-webhook.ts';
export { sendTestWebhook } from './webhook/send-test-webhook.ts';
export { type UpdatedWebhook, updateWebhook } from './webhook/update-webhook.ts';
export type { WebhookPolicy } from './webhook/webhook-url.ts';
