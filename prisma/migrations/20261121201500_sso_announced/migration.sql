-- Once single sign-on is demanded, streams of members who came in by another way end at once, as after a change of roles.
CREATE FUNCTION "announce_sso_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('penstock_access_changed', "user_id") FROM "member" WHERE "organization_id" = NEW."organization_id";
  RETURN NULL;
END
$$;
CREATE TRIGGER "sso_access_change" AFTER INSERT OR UPDATE OF "is_required" ON "sso_connection"
  FOR EACH ROW WHEN (NEW."is_required") EXECUTE FUNCTION "announce_sso_change"();
CREATE TRIGGER "sso_access_change" AFTER UPDATE OF "verified_at" ON "sso_domain"
  FOR EACH ROW EXECUTE FUNCTION "announce_sso_change"();
