-- Organizations that an operator has suspended. Only operator commands write it, so no job lifts a suspension. Its history is in the
-- organization's audit log. The owners of the clusters read it every two seconds, and agent keys are checked against it.
CREATE TABLE "organization_suspension" (
    "organization_id" TEXT NOT NULL,
    -- What the organization's members and its producers read.
    "reason" TEXT NOT NULL,
    -- Whether consumers may read. Otherwise every call of its agents is refused.
    "reads_allowed" BOOLEAN NOT NULL,
    "suspended_by" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_suspension_pkey" PRIMARY KEY ("organization_id"),
    CONSTRAINT "organization_suspension_reason_check" CHECK (char_length("reason") BETWEEN 1 AND 500)
);

ALTER TABLE "organization_suspension" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "organization_suspension" TO "penstock_tenant"
    USING ("organization_id" = current_organization());
GRANT SELECT ON "organization_suspension" TO "penstock_tenant";
CREATE POLICY "declared" ON "organization_suspension" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "organization_suspension" TO "penstock_operator";
GRANT SELECT, DELETE ON "organization_suspension" TO "penstock_worker";
GRANT SELECT ON "organization_suspension" TO "penstock_metadata";
