-- A cluster's journal, snapshots and lease may live in another database, its cell. 'main' is this one. The names of the
-- others lead to connection strings by configuration (PENSTOCK_CELLS): secrets do not belong in tables.
ALTER TABLE "virtual_cluster" ADD COLUMN "cell" TEXT NOT NULL DEFAULT 'main';

-- Up to when all usage of a cluster in another cell is counted; for clusters in 'main' the journal itself says so.
ALTER TABLE "metering_checkpoint" ADD COLUMN "counted_until" TIMESTAMPTZ(3);

-- SHA-256 of the last folded entry, so that a fold notices when the journal has become another one behind its back.
ALTER TABLE "metering_checkpoint" ADD COLUMN "entry_sha256" BYTEA;

-- Whether the cluster lives in this database, and who moves it. Older processes do not read these columns: a cluster that
-- has left, or has not arrived, has a lease that never expires.
ALTER TABLE "metadata_lease"
  ADD COLUMN "placement" TEXT NOT NULL DEFAULT 'here',
  ADD COLUMN "other_cell" TEXT,
  ADD COLUMN "mover" TEXT,
  ADD COLUMN "leaving_until" TIMESTAMPTZ(6),
  ADD COLUMN "placed_at" TIMESTAMPTZ(6),
  ADD CONSTRAINT "metadata_lease_placement_check" CHECK ("placement" IN ('here', 'leaving', 'left', 'arriving'));

-- How far metering has folded, beside the journal that is cut behind it. The checkpoint itself stays with the ledger.
CREATE TABLE "metadata_folded" (
    "cluster_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "metadata_folded_pkey" PRIMARY KEY ("cluster_id")
);
INSERT INTO "metadata_folded" SELECT "cluster_id", "seq" FROM "metering_checkpoint";
ALTER TABLE "metadata_folded" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "metadata_folded" TO "penstock_tenant" USING (cluster_id IN (SELECT id FROM virtual_cluster));
