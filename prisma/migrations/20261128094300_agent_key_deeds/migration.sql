-- What clients did with records and offsets through an agent's key, folded by key, hour and object. The worker turns each
-- row into one of the audit log once its hour is over.
ALTER TABLE "agent_key" NO FORCE ROW LEVEL SECURITY;

CREATE TABLE "agent_key_deed" (
    "key_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    -- delete-records, delete-offsets or commit-offsets
    "kind" TEXT NOT NULL,
    -- The topic or the consumer group.
    "subject" TEXT NOT NULL,
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "agent_key_deed_pkey" PRIMARY KEY ("key_id", "hour", "kind", "subject"),
    CONSTRAINT "agent_key_deed_kind_check" CHECK ("kind" IN ('delete-records', 'delete-offsets', 'commit-offsets')),
    CONSTRAINT "agent_key_deed_key_id_fkey" FOREIGN KEY ("key_id")
      REFERENCES "agent_key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "agent_key_deed_organization_id_idx" ON "agent_key_deed" ("organization_id");
CREATE INDEX "agent_key_deed_hour_idx" ON "agent_key_deed" ("hour");

ALTER TABLE "agent_key_deed" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "agent_key_deed" TO "penstock_tenant"
    USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT ON "agent_key_deed" TO "penstock_tenant";
CREATE POLICY "declared" ON "agent_key_deed" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON "agent_key_deed" TO "penstock_metadata";
GRANT SELECT, INSERT, UPDATE, DELETE ON "agent_key_deed" TO "penstock_worker", "penstock_operator";
