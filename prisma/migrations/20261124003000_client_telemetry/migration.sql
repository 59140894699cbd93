-- What Kafka clients push of their metrics (KIP-714), by client id. The metadata service writes it, the worker rolls it up, use-cases read it.

-- As agents report it. The key is what makes a report that is sent twice change nothing.
CREATE TABLE "telemetry"."client_10s" (
    "cluster_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(0) NOT NULL,
    "client_id" TEXT NOT NULL,
    "agent_no" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "sample" JSONB NOT NULL,
    PRIMARY KEY ("cluster_id", "slot", "client_id", "agent_no", "seq")
) PARTITION BY RANGE ("slot");

-- Made from the level below, whole slots at a time.
CREATE TABLE "telemetry"."client_1m" (
    "cluster_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(0) NOT NULL,
    "client_id" TEXT NOT NULL,
    "sample" JSONB NOT NULL,
    PRIMARY KEY ("cluster_id", "slot", "client_id")
) PARTITION BY RANGE ("slot");
CREATE TABLE "telemetry"."client_1h" (LIKE "telemetry"."client_1m" INCLUDING ALL) PARTITION BY RANGE ("slot");

-- Tenants read what belongs to their clusters. Their connections take on the declared roles for everything else (decision 0040).
DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['client_10s', 'client_1m', 'client_1h'] LOOP
    EXECUTE format('ALTER TABLE telemetry.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant ON telemetry.%I TO penstock_tenant USING (cluster_id IN (SELECT id FROM virtual_cluster))', name);
    EXECUTE format('GRANT SELECT ON telemetry.%I TO penstock_tenant', name);
    EXECUTE format(
      'CREATE POLICY declared ON telemetry.%I TO penstock_accounts, penstock_payments, penstock_metadata, penstock_metering, '
      'penstock_worker, penstock_operator USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON telemetry.%I TO penstock_worker, penstock_operator', name);
  END LOOP;
END
$$;
GRANT SELECT, INSERT ON "telemetry"."client_10s" TO "penstock_metadata";
