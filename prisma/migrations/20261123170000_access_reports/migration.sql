-- What agents report about access control. The metadata service writes it, use-cases read it, the worker deletes it.

-- Requests that ACLs denied, or would have denied in shadow mode, by agent. Kept for an hour. Names of resources and principals can be too
-- long for an index, so the key is their SHA-256.
CREATE TABLE "telemetry"."denied_request" (
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "key" BYTEA NOT NULL,
    "revision" BIGINT NOT NULL,
    "principal" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "resource_type" INTEGER NOT NULL,
    "resource_name" TEXT NOT NULL,
    "operation" INTEGER NOT NULL,
    "is_enforced" BOOLEAN NOT NULL,
    "count" BIGINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    -- The ACL that denies it; null when no ACL allows it.
    "denying_acl" JSONB,
    PRIMARY KEY ("cluster_id", "agent_id", "key")
);
CREATE INDEX "denied_request_last_at_idx" ON "telemetry"."denied_request" ("last_at");

-- The latest use of each SCRAM credential.
CREATE TABLE "telemetry"."credential_use" (
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "mechanism" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY ("cluster_id", "user_name", "mechanism")
);
CREATE INDEX "credential_use_last_at_idx" ON "telemetry"."credential_use" ("last_at");

ALTER TABLE "telemetry"."denied_request" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "telemetry"."denied_request" TO "penstock_tenant"
    USING ("cluster_id" IN (SELECT "id" FROM "virtual_cluster"));
GRANT SELECT ON "telemetry"."denied_request" TO "penstock_tenant";

ALTER TABLE "telemetry"."credential_use" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "telemetry"."credential_use" TO "penstock_tenant"
    USING ("cluster_id" IN (SELECT "id" FROM "virtual_cluster"));
GRANT SELECT ON "telemetry"."credential_use" TO "penstock_tenant";
