-- Keys of programs that use the public API, and the outcomes of their requests that carried an Idempotency-Key.
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL CONSTRAINT "api_key_role_check" CHECK ("role" IN ('owner', 'admin', 'billing', 'viewer')),
    "is_read_only" BOOLEAN NOT NULL DEFAULT false,
    "display_prefix" TEXT NOT NULL,
    "display_last4" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "replaced_by_id" UUID,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
CREATE INDEX "api_key_organization_id_idx" ON "api_key"("organization_id");

CREATE TABLE "idempotency_key" (
    "organization_id" TEXT NOT NULL,
    "api_key_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "outcome" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("api_key_id", "key")
);
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

ALTER TABLE "api_key" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "api_key" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "api_key" TO "penstock_tenant";

ALTER TABLE "idempotency_key" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "idempotency_key" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "idempotency_key" TO "penstock_tenant";
