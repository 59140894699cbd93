-- Clusters that are stopped because their journal lost entries that had been acknowledged, and those that were. A row without
-- "resolved_at" keeps its cluster stopped. Rows stay as history: the accepted losses of a cluster number its histories.
CREATE TABLE "metadata_stop" (
    "cluster_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "stopped_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "history" INTEGER NOT NULL,
    "witness" TEXT NOT NULL,
    "witnessed_seq" BIGINT NOT NULL,
    "witnessed_hash" BYTEA NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "last_hash" BYTEA NOT NULL,
    "resolved_at" TIMESTAMPTZ(6),
    "resolution" TEXT,
    "resolved_by" TEXT,
    "spare_from" TIMESTAMPTZ(6),
    "spare_to" TIMESTAMPTZ(6),
    "spare_until" TIMESTAMPTZ(6),

    CONSTRAINT "metadata_stop_pkey" PRIMARY KEY ("cluster_id", "number")
);

ALTER TABLE "metadata_stop" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "metadata_stop" TO "penstock_tenant"
  USING ("cluster_id" IN (SELECT "id" FROM "virtual_cluster"));
GRANT SELECT ON "metadata_stop" TO "penstock_tenant";
