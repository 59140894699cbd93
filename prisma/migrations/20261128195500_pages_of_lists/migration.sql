-- Pages of lists are read in the order of these indexes.
CREATE INDEX "api_key_organization_id_created_at_id_idx" ON "api_key" ("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "agent_key_cluster_id_created_at_id_idx" ON "agent_key" ("cluster_id", "created_at" DESC, "id" DESC);
CREATE INDEX "agent_address_cluster_id_first_seen_at_host_idx" ON "agent_address" ("cluster_id", "first_seen_at" DESC, "host");
CREATE INDEX "member_organization_id_created_at_user_id_idx" ON "member" ("organization_id", "created_at", "user_id");
CREATE INDEX "invitation_organization_id_id_idx" ON "invitation" ("organization_id", "id");
CREATE INDEX "virtual_cluster_organization_id_created_at_id_idx" ON "virtual_cluster" ("organization_id", "created_at", "id");
CREATE INDEX "virtual_cluster_organization_id_deleted_at_id_idx" ON "virtual_cluster" ("organization_id", "deleted_at" DESC, "id");
CREATE INDEX "invoice_organization_id_id_idx" ON "invoice" ("organization_id", "id" DESC);
CREATE INDEX "health_silence_cluster_id_until_id_idx" ON "health_silence" ("cluster_id", "until", "id");
