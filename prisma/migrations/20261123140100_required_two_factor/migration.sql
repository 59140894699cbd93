-- Whether members need a second factor on their account to open the organization, unless they come through its identity
-- provider.
ALTER TABLE "organization" ADD COLUMN "requires_two_factor" BOOLEAN NOT NULL DEFAULT false;

-- Once it is demanded, streams of members who have none end at once, as after a change of roles.
CREATE TRIGGER "two_factor_access_change" AFTER UPDATE OF "requires_two_factor" ON "organization"
  FOR EACH ROW WHEN (NEW."requires_two_factor" AND NOT OLD."requires_two_factor")
  EXECUTE FUNCTION "announce_organization_change"();

-- So do those of a member who turns theirs off.
CREATE FUNCTION "announce_two_factor_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('penstock_access_changed', NEW."id");
  RETURN NULL;
END
$$;
CREATE TRIGGER "two_factor_access_change" AFTER UPDATE OF "two_factor_enabled" ON "user"
  FOR EACH ROW WHEN (OLD."two_factor_enabled" AND NOT NEW."two_factor_enabled")
  EXECUTE FUNCTION "announce_two_factor_change"();
