-- Roles for single clusters that an invited person gets, as those of a member. A process of the release before ignores them.
ALTER TABLE "invitation" ADD COLUMN "cluster_roles" JSONB NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "invitation_cluster_roles_check" CHECK (jsonb_typeof("cluster_roles") = 'object'
    AND NOT jsonb_path_exists("cluster_roles", '$.* ? (@ != "admin" && @ != "operator" && @ != "viewer")'));
