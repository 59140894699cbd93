-- The audit log is searched by what was done, to what, and when; newest first each time.
CREATE INDEX "audit_log_organization_id_action_id_idx" ON "audit_log"("organization_id", "action", "id" DESC);
CREATE INDEX "audit_log_organization_id_target_id_id_idx" ON "audit_log"("organization_id", "target_id", "id" DESC);
CREATE INDEX "audit_log_organization_id_at_idx" ON "audit_log"("organization_id", "at");
