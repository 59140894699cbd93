-- Provisioning by SCIM 2.0: tokens of organizations, and what their identity providers say about people and groups.
CREATE TABLE "scim_token" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "display_prefix" TEXT NOT NULL,
    "display_last4" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "scim_token_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "scim_token_organization_id_fkey" FOREIGN KEY ("organization_id")
      REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "scim_token_hash_key" ON "scim_token"("hash");
CREATE INDEX "scim_token_organization_id_idx" ON "scim_token"("organization_id");

-- A deleted user's row stays: single sign-on must not let the person in again by itself.
CREATE TABLE "scim_user" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "external_id" TEXT,
    "display_name" TEXT,
    "formatted_name" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "is_active" BOOLEAN NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_user_pkey" PRIMARY KEY ("organization_id", "user_id"),
    CONSTRAINT "scim_user_organization_id_fkey" FOREIGN KEY ("organization_id")
      REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "scim_user_user_id_fkey" FOREIGN KEY ("user_id")
      REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "scim_user_user_id_idx" ON "scim_user"("user_id");
CREATE INDEX "scim_user_organization_id_external_id_idx" ON "scim_user"("organization_id", "external_id");
CREATE UNIQUE INDEX "scim_user_user_name_key" ON "scim_user"("organization_id", lower("user_name"))
  WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "scim_user_address_key" ON "scim_user"("organization_id", "address") WHERE "deleted_at" IS NULL;

CREATE TABLE "scim_group" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_group_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "scim_group_organization_id_fkey" FOREIGN KEY ("organization_id")
      REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "scim_group_organization_id_display_name_key" ON "scim_group"("organization_id", "display_name");

CREATE TABLE "scim_group_member" (
    "group_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,

    CONSTRAINT "scim_group_member_pkey" PRIMARY KEY ("group_id", "user_id"),
    CONSTRAINT "scim_group_member_group_id_fkey" FOREIGN KEY ("group_id")
      REFERENCES "scim_group"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "scim_group_member_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id")
      REFERENCES "scim_user"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "scim_group_member_organization_id_user_id_idx" ON "scim_group_member"("organization_id", "user_id");

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['scim_token', 'scim_user', 'scim_group', 'scim_group_member'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO penstock_tenant USING (organization_id = current_organization()) '
      'WITH CHECK (organization_id = current_organization())', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO penstock_tenant', tenant_table);
  END LOOP;
END
$$;
