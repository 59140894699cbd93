-- An organization that its owner deletes can be restored for 30 days. Then what is personal and what belongs to its clusters
-- goes; its row stays without a name, since invoices, the usage ledger and the audit chain refer to it.
ALTER TABLE "organization"
  ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
  ADD COLUMN "purged_at" TIMESTAMPTZ(3);
CREATE INDEX "organization_deleted_at_idx" ON "organization"("deleted_at");

-- Its members lose access at once: who holds a stream open hears of it at commit.
CREATE FUNCTION "announce_organization_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('penstock_access_changed', "user_id") FROM "member" WHERE "organization_id" = NEW."id";
  RETURN NULL;
END
$$;
CREATE TRIGGER "organization_access_change" AFTER UPDATE OF "deleted_at" ON "organization"
  FOR EACH ROW WHEN (OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at") EXECUTE FUNCTION "announce_organization_change"();

-- A request that was under way when the organization was deleted makes nothing new in it. The lock waits for the deletion to
-- end, and sees what it has left.
CREATE FUNCTION "organization_is_live"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  deleted TIMESTAMPTZ;
BEGIN
  SELECT "deleted_at" INTO deleted FROM "organization" WHERE "id" = NEW."organization_id" FOR KEY SHARE;
  IF deleted IS NOT NULL THEN
    RAISE EXCEPTION 'The organization % is deleted.', NEW."organization_id";
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "organization_is_live" BEFORE INSERT ON "member" FOR EACH ROW EXECUTE FUNCTION "organization_is_live"();
CREATE TRIGGER "organization_is_live" BEFORE INSERT ON "invitation" FOR EACH ROW EXECUTE FUNCTION "organization_is_live"();
CREATE TRIGGER "organization_is_live" BEFORE INSERT ON "virtual_cluster" FOR EACH ROW EXECUTE FUNCTION "organization_is_live"();
CREATE TRIGGER "organization_is_live" BEFORE INSERT ON "agent_key" FOR EACH ROW EXECUTE FUNCTION "organization_is_live"();
CREATE TRIGGER "organization_is_live" BEFORE INSERT ON "api_key" FOR EACH ROW EXECUTE FUNCTION "organization_is_live"();
