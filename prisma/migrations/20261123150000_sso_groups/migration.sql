-- Roles by the groups that a provider reports, and the result of the last connection test.
ALTER TABLE "sso_connection"
  ADD COLUMN "groups_claim" TEXT NOT NULL DEFAULT 'groups',
  ADD COLUMN "group_roles" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "is_group_required" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "test_result" JSONB;
