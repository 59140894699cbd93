-- A verified domain is looked up again from time to time: when that was last, and since when its record is gone.
ALTER TABLE "sso_domain" ADD COLUMN "checked_at" TIMESTAMPTZ(3), ADD COLUMN "missing_since" TIMESTAMPTZ(3);
