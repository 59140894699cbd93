-- What the audit log says about API keys that were used: the first use from a network, and refusals, folded by key and hour.
ALTER TABLE "api_key" NO FORCE ROW LEVEL SECURITY;

-- Networks from which a key was used.
CREATE TABLE "api_key_network" (
    "key_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    -- The first one seen.
    "address" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "audited_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_network_pkey" PRIMARY KEY ("key_id", "network"),
    CONSTRAINT "api_key_network_key_id_fkey" FOREIGN KEY ("key_id")
      REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "api_key_network_organization_id_idx" ON "api_key_network" ("organization_id");
CREATE INDEX "api_key_network_audited_at_idx" ON "api_key_network" ("audited_at");

-- Calls with a revoked or expired key. The worker turns each row into one of the audit log once its hour is over.
CREATE TABLE "api_key_refusal" (
    "key_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "organization_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    -- The last one.
    "address" TEXT NOT NULL,

    CONSTRAINT "api_key_refusal_pkey" PRIMARY KEY ("key_id", "hour"),
    CONSTRAINT "api_key_refusal_key_id_fkey" FOREIGN KEY ("key_id")
      REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "api_key_refusal_organization_id_idx" ON "api_key_refusal" ("organization_id");
CREATE INDEX "api_key_refusal_hour_idx" ON "api_key_refusal" ("hour");

ALTER TABLE "api_key_network" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "api_key_network" TO "penstock_tenant"
    USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT ON "api_key_network" TO "penstock_tenant";
CREATE POLICY "declared" ON "api_key_network" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON "api_key_network" TO "penstock_accounts";
GRANT SELECT, INSERT, UPDATE, DELETE ON "api_key_network" TO "penstock_worker", "penstock_operator";

ALTER TABLE "api_key_refusal" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "api_key_refusal" TO "penstock_tenant"
    USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT ON "api_key_refusal" TO "penstock_tenant";
CREATE POLICY "declared" ON "api_key_refusal" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON "api_key_refusal" TO "penstock_accounts";
GRANT SELECT, INSERT, UPDATE, DELETE ON "api_key_refusal" TO "penstock_worker", "penstock_operator";
