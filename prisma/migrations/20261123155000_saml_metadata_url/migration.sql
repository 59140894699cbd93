-- Where a SAML provider publishes its metadata, which the worker reads again each day for new certificates. Empty if an
-- owner entered the document itself.
ALTER TABLE "sso_connection"
  ADD COLUMN "saml_metadata_url" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "saml_checked_at" TIMESTAMPTZ(3);
