-- Data files that no partition refers to any more. Their objects stay for the restore window, so that a database that is restored to a point
-- in it finds every object that it names.
CREATE TABLE "metadata_dead_file" (
    "cluster_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,
    "delete_after" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "metadata_dead_file_pkey" PRIMARY KEY ("cluster_id", "file_id")
) WITH (fillfactor = 85);
CREATE INDEX "metadata_dead_file_cluster_id_delete_after_idx" ON "metadata_dead_file" ("cluster_id", "delete_after");

ALTER TABLE "metadata_dead_file" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "metadata_dead_file" TO "penstock_tenant" USING (cluster_id IN (SELECT id FROM virtual_cluster));
CREATE POLICY "declared" ON "metadata_dead_file" TO "penstock_accounts", "penstock_payments", "penstock_metadata", "penstock_metering",
  "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "metadata_dead_file" TO "penstock_worker", "penstock_operator", "penstock_metadata";
