-- Whoever looks at a cluster's health and events hears at commit that there is something new, whatever code made it. Once for each
-- statement and cluster. That the worker has looked again (assessed_at alone) is no news: it happens every five seconds to every cluster.
CREATE FUNCTION "announce_cluster_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('penstock_cluster_changed', c."cluster_id"::text) FROM (SELECT DISTINCT "cluster_id" FROM changed) AS c;
  RETURN NULL;
END
$$;
CREATE TRIGGER "cluster_event_announced" AFTER INSERT ON "cluster_event"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "announce_cluster_change"();
CREATE TRIGGER "health_finding_announced" AFTER INSERT ON "health_finding"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "announce_cluster_change"();
CREATE TRIGGER "health_finding_change_announced" AFTER UPDATE ON "health_finding"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "announce_cluster_change"();
CREATE TRIGGER "health_silence_announced" AFTER INSERT ON "health_silence"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "announce_cluster_change"();
CREATE TRIGGER "health_silence_change_announced" AFTER UPDATE ON "health_silence"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "announce_cluster_change"();

CREATE FUNCTION "announce_cluster_level"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('penstock_cluster_changed', NEW."cluster_id"::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER "cluster_health_announced" AFTER INSERT ON "cluster_health"
  FOR EACH ROW EXECUTE FUNCTION "announce_cluster_level"();
CREATE TRIGGER "cluster_health_change_announced" AFTER UPDATE ON "cluster_health"
  FOR EACH ROW WHEN (OLD."level" IS DISTINCT FROM NEW."level") EXECUTE FUNCTION "announce_cluster_level"();
