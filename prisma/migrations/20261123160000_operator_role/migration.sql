-- The role operator: topics and groups, and nothing that costs or opens anything. Processes of the release before cannot
-- read it, so assign it once all of them are replaced.
ALTER TABLE "member" DROP CONSTRAINT "member_role_check",
  ADD CONSTRAINT "member_role_check" CHECK ("role" IN ('owner', 'admin', 'operator', 'billing', 'viewer'));
ALTER TABLE "invitation" DROP CONSTRAINT "invitation_role_check",
  ADD CONSTRAINT "invitation_role_check" CHECK ("role" IN ('owner', 'admin', 'operator', 'billing', 'viewer'));
ALTER TABLE "api_key" DROP CONSTRAINT "api_key_role_check",
  ADD CONSTRAINT "api_key_role_check" CHECK ("role" IN ('owner', 'admin', 'operator', 'billing', 'viewer'));
ALTER TABLE "sso_connection" DROP CONSTRAINT "sso_connection_default_role_check",
  ADD CONSTRAINT "sso_connection_default_role_check" CHECK ("default_role" IN ('admin', 'operator', 'billing', 'viewer'));
