-- When the user last confirmed their identity within the session, by password, code, passkey or identity provider. Null
-- until then; the sign-in itself counts, too.
ALTER TABLE "session" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);
