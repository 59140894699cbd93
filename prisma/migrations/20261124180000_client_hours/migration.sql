-- What a cluster's Kafka clients may push of their metrics (KIP-714) is bounded per hour. The metadata service counts, use-cases tell.

CREATE TABLE "telemetry"."client_hour" (
    "cluster_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    -- In client_10s, for slots of this hour.
    "stored_bytes" BIGINT NOT NULL,
    "dropped_pushes" BIGINT NOT NULL,
    PRIMARY KEY ("cluster_id", "hour")
);

ALTER TABLE "telemetry"."client_hour" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "telemetry"."client_hour" TO "penstock_tenant"
    USING ("cluster_id" IN (SELECT "id" FROM "virtual_cluster"));
GRANT SELECT ON "telemetry"."client_hour" TO "penstock_tenant";
CREATE POLICY "declared" ON "telemetry"."client_hour" TO "penstock_accounts", "penstock_payments", "penstock_metadata",
    "penstock_metering", "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "telemetry"."client_hour" TO "penstock_worker", "penstock_operator";
GRANT SELECT, INSERT, UPDATE ON "telemetry"."client_hour" TO "penstock_metadata";
