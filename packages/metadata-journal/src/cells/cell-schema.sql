-- The tables of a cell. Applied again and again: whatever is added to a table later is added here as an ALTER of its own.
-- Every primary key begins with the cluster, so that a database which distributes rows can distribute them by it.
-- A test holds this file against the control database, which is the cell 'main' and gets the same tables by migrations.

CREATE TABLE IF NOT EXISTS "metadata_journal" (
    "cluster_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "entry" BYTEA NOT NULL,
    "appended_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "hash" BYTEA,

    CONSTRAINT "metadata_journal_pkey" PRIMARY KEY ("cluster_id", "seq")
);
ALTER TABLE "metadata_journal" ALTER COLUMN "entry" SET STORAGE EXTERNAL;

CREATE TABLE IF NOT EXISTS "metadata_snapshot" (
    "cluster_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "part" INTEGER NOT NULL,
    "parts" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "hash" BYTEA,

    CONSTRAINT "metadata_snapshot_pkey" PRIMARY KEY ("cluster_id", "seq", "part")
);
ALTER TABLE "metadata_snapshot" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

CREATE TABLE IF NOT EXISTS "metadata_lease" (
    "cluster_id" UUID NOT NULL,
    "owner_id" TEXT NOT NULL,
    "owner_url" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "placement" TEXT NOT NULL DEFAULT 'here',
    "other_cell" TEXT,
    "mover" TEXT,
    "leaving_until" TIMESTAMPTZ(6),
    "placed_at" TIMESTAMPTZ(6),

    CONSTRAINT "metadata_lease_pkey" PRIMARY KEY ("cluster_id"),
    CONSTRAINT "metadata_lease_placement_check" CHECK ("placement" IN ('here', 'leaving', 'left', 'arriving'))
);

ALTER TABLE "metadata_lease" ADD COLUMN IF NOT EXISTS "owner_admin_url" TEXT;

CREATE TABLE IF NOT EXISTS "metadata_folded" (
    "cluster_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "metadata_folded_pkey" PRIMARY KEY ("cluster_id")
);

CREATE TABLE IF NOT EXISTS "metadata_dead_file" (
    "cluster_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,
    "delete_after" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "metadata_dead_file_pkey" PRIMARY KEY ("cluster_id", "file_id")
) WITH (fillfactor = 85);
CREATE INDEX IF NOT EXISTS "metadata_dead_file_cluster_id_delete_after_idx"
  ON "metadata_dead_file" ("cluster_id", "delete_after");
