-- Single sign-on: an organization's OpenID provider, and the e-mail domains that it has proven to own.
CREATE TABLE "sso_connection" (
    "organization_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" BYTEA NOT NULL,
    "default_role" TEXT NOT NULL CONSTRAINT "sso_connection_default_role_check" CHECK ("default_role" IN ('admin', 'billing', 'viewer')),
    "is_required" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sso_connection_pkey" PRIMARY KEY ("organization_id")
);

CREATE TABLE "sso_domain" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_domain_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sso_domain_organization_id_domain_key" ON "sso_domain"("organization_id", "domain");
-- A domain leads to one provider; whoever only claims it is in nobody's way.
CREATE UNIQUE INDEX "sso_domain_verified_key" ON "sso_domain"("domain") WHERE "verified_at" IS NOT NULL;

-- The organization whose provider vouched for the person: such a session opens that one and nothing else.
ALTER TABLE "session" ADD COLUMN "sso_organization_id" TEXT;

ALTER TABLE "sso_connection" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "sso_connection" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "sso_connection" TO "penstock_tenant";

ALTER TABLE "sso_domain" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "sso_domain" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "sso_domain" TO "penstock_tenant";
