-- Roles for single clusters, on top of the role for the organization: {"<cluster id>": "operator"}. In the row of the
-- member or key, because every request reads them together. The triggers of "member" announce changes of both.
ALTER TABLE "member" ADD COLUMN "cluster_roles" JSONB NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "member_cluster_roles_check" CHECK (jsonb_typeof("cluster_roles") = 'object'
    AND NOT jsonb_path_exists("cluster_roles", '$.* ? (@ != "admin" && @ != "operator" && @ != "viewer")'));
ALTER TABLE "api_key" ADD COLUMN "cluster_roles" JSONB NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "api_key_cluster_roles_check" CHECK (jsonb_typeof("cluster_roles") = 'object'
    AND NOT jsonb_path_exists("cluster_roles", '$.* ? (@ != "admin" && @ != "operator" && @ != "viewer")'));

-- The role none: what the organization's other members and clusters are stays hidden.
ALTER TABLE "member" DROP CONSTRAINT "member_role_check",
  ADD CONSTRAINT "member_role_check" CHECK ("role" IN ('owner', 'admin', 'operator', 'billing', 'viewer', 'none'));
ALTER TABLE "invitation" DROP CONSTRAINT "invitation_role_check",
  ADD CONSTRAINT "invitation_role_check" CHECK ("role" IN ('owner', 'admin', 'operator', 'billing', 'viewer', 'none'));
ALTER TABLE "api_key" DROP CONSTRAINT "api_key_role_check",
  ADD CONSTRAINT "api_key_role_check" CHECK ("role" IN ('owner', 'admin', 'operator', 'billing', 'viewer', 'none'));
