-- The usage of each cluster and month (UTC): the sum of its hours, kept by triggers, so that it holds for older processes, too, and
-- changes in the same transaction as the hours. Budgets are compared with it every minute.
CREATE TABLE "usage_month" (
    "cluster_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "organization_id" TEXT NOT NULL,
    "uncompressed_bytes" BIGINT NOT NULL,
    "cluster_minutes" BIGINT NOT NULL,
    "dev_minutes" BIGINT NOT NULL,
    "low_latency_minutes" BIGINT NOT NULL,

    CONSTRAINT "usage_month_pkey" PRIMARY KEY ("cluster_id", "month")
) WITH (fillfactor = 70);
CREATE INDEX "usage_month_month_organization_id_idx" ON "usage_month" ("month", "organization_id");

ALTER TABLE "usage_month" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "usage_month" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
CREATE POLICY "declared" ON "usage_month" TO "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "usage_month" TO "penstock_tenant", "penstock_metering", "penstock_worker", "penstock_operator";

-- In the order of the keys, so that two transactions never wait for each other.
CREATE FUNCTION "add_to_usage_month"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO usage_month AS total
    SELECT cluster_id, date_trunc('month', hour AT TIME ZONE 'UTC')::date, min(organization_id),
      sum(uncompressed_bytes), sum(cluster_minutes), sum(dev_minutes), sum(low_latency_minutes)
    FROM added GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (cluster_id, month) DO UPDATE SET
      uncompressed_bytes = total.uncompressed_bytes + excluded.uncompressed_bytes,
      cluster_minutes = total.cluster_minutes + excluded.cluster_minutes,
      dev_minutes = total.dev_minutes + excluded.dev_minutes,
      low_latency_minutes = total.low_latency_minutes + excluded.low_latency_minutes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO usage_month AS total
    SELECT cluster_id, date_trunc('month', hour AT TIME ZONE 'UTC')::date, min(organization_id),
      -sum(uncompressed_bytes), -sum(cluster_minutes), -sum(dev_minutes), -sum(low_latency_minutes)
    FROM removed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (cluster_id, month) DO UPDATE SET
      uncompressed_bytes = total.uncompressed_bytes + excluded.uncompressed_bytes,
      cluster_minutes = total.cluster_minutes + excluded.cluster_minutes,
      dev_minutes = total.dev_minutes + excluded.dev_minutes,
      low_latency_minutes = total.low_latency_minutes + excluded.low_latency_minutes;
  ELSE
    INSERT INTO usage_month AS total
    SELECT cluster_id, date_trunc('month', hour AT TIME ZONE 'UTC')::date, min(organization_id),
      sum(bytes), sum(minutes), sum(dev), sum(low_latency)
    FROM (
      SELECT cluster_id, hour, organization_id, uncompressed_bytes AS bytes, cluster_minutes AS minutes, dev_minutes AS dev,
        low_latency_minutes AS low_latency FROM added
      UNION ALL
      SELECT cluster_id, hour, organization_id, -uncompressed_bytes, -cluster_minutes, -dev_minutes, -low_latency_minutes FROM removed
    ) AS changed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (cluster_id, month) DO UPDATE SET
      uncompressed_bytes = total.uncompressed_bytes + excluded.uncompressed_bytes,
      cluster_minutes = total.cluster_minutes + excluded.cluster_minutes,
      dev_minutes = total.dev_minutes + excluded.dev_minutes,
      low_latency_minutes = total.low_latency_minutes + excluded.low_latency_minutes;
  END IF;
  RETURN NULL;
END
$$;
-- The first of these keeps writers of hours out until the end of the migration. Journals are folded some seconds later.
CREATE TRIGGER "usage_hour_month_insert" AFTER INSERT ON "usage_hour"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "add_to_usage_month"();
CREATE TRIGGER "usage_hour_month_update" AFTER UPDATE ON "usage_hour"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "add_to_usage_month"();
CREATE TRIGGER "usage_hour_month_delete" AFTER DELETE ON "usage_hour"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "add_to_usage_month"();

-- Only this month and the next ones are compared with budgets. The owner of the tables sees rows with a declared access alone.
DO $$
BEGIN
  SET LOCAL ROLE "penstock_metering";
  SET LOCAL row_security = on;
  INSERT INTO usage_month
  SELECT cluster_id, date_trunc('month', hour AT TIME ZONE 'UTC')::date, min(organization_id),
    sum(uncompressed_bytes), sum(cluster_minutes), sum(dev_minutes), sum(low_latency_minutes)
  FROM usage_hour WHERE hour >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
  GROUP BY 1, 2;
  RESET ROLE;
END
$$;
