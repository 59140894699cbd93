-- SAML 2.0 beside OpenID Connect. For SAML, "issuer" is the provider's entity ID, and there is no client. A process of
-- the release before finds no client secret and refuses the sign-in.
ALTER TABLE "sso_connection"
  ADD COLUMN "protocol" TEXT NOT NULL DEFAULT 'oidc'
    CONSTRAINT "sso_connection_protocol_check" CHECK ("protocol" IN ('oidc', 'saml')),
  ADD COLUMN "saml_sign_on_url" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "saml_certificates" TEXT[] DEFAULT ARRAY[]::TEXT[];
