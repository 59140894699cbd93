-- Hours whose usage is far from what the cluster usually writes. Their writes are left out of invoices until an operator has reviewed
-- them. The rule is in packages/billing/src/hold/usage-anomaly.ts and in the customers' documentation.
CREATE TABLE "usage_hold" (
    "cluster_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "organization_id" TEXT NOT NULL,
    -- ratio or volume
    "kind" TEXT NOT NULL,
    -- What is unusual, in words.
    "finding" TEXT NOT NULL,
    -- held, released (billed) or waived (never billed)
    "status" TEXT NOT NULL DEFAULT 'held',
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "reviewed_by" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "review_reason" TEXT,

    CONSTRAINT "usage_hold_pkey" PRIMARY KEY ("cluster_id", "hour"),
    CONSTRAINT "usage_hold_kind_check" CHECK ("kind" IN ('ratio', 'volume')),
    CONSTRAINT "usage_hold_status_check" CHECK ("status" IN ('held', 'released', 'waived')),
    CONSTRAINT "usage_hold_review_check" CHECK (("status" = 'held') = ("reviewed_at" IS NULL))
);
CREATE INDEX "usage_hold_organization_id_hour_idx" ON "usage_hold" ("organization_id", "hour");

ALTER TABLE "usage_hold" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "usage_hold" TO "penstock_tenant" USING ("organization_id" = current_organization());
GRANT SELECT ON "usage_hold" TO "penstock_tenant";
CREATE POLICY "declared" ON "usage_hold" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "usage_hold" TO "penstock_operator";
GRANT SELECT, INSERT ON "usage_hold" TO "penstock_worker";
