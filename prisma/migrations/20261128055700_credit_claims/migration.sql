-- What has had the credits of a new organization: a person, a payment method or a company's domain, each once. The key
-- is a hash, and rows outlive person and organization, so that neither a new account nor a new organization repeats it.

CREATE TABLE "credit_claim" (
    "claim" BYTEA NOT NULL PRIMARY KEY,
    "organization_id" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "credit_claim_organization_id_idx" ON "credit_claim" ("organization_id");

ALTER TABLE "credit_claim" ENABLE ROW LEVEL SECURITY;
-- A claim of another organization is seen by nobody; it only makes the insert do nothing.
CREATE POLICY "tenant" ON "credit_claim" TO "penstock_tenant"
    USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT ON "credit_claim" TO "penstock_tenant";
CREATE POLICY "declared" ON "credit_claim" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "credit_claim" TO "penstock_worker", "penstock_operator";

-- Owners of organizations that have the credits already. The same normal form as `packages/billing/src/credit/credit-claim.ts`.
ALTER TABLE "member" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "user" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "ledger_transaction" NO FORCE ROW LEVEL SECURITY;
INSERT INTO "credit_claim" ("claim", "organization_id", "claimed_at")
SELECT DISTINCT ON (claim) sha256(convert_to('person:' || claim, 'UTF8')), "organization_id", "at"
FROM (
    SELECT
        CASE
            WHEN split_part(email, '@', 2) IN ('gmail.com', 'googlemail.com')
                THEN replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
            ELSE split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2)
        END AS claim,
        m."organization_id", t."at"
    FROM "member" m
    JOIN (SELECT "id", lower("email") AS email FROM "user") u ON u."id" = m."user_id"
    JOIN "ledger_transaction" t ON t."reference" = 'grant:sign-up:' || m."organization_id"
    WHERE m."role" = 'owner'
) owners
ORDER BY claim, "at";
