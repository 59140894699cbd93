-- The metadata processes that run. A process that owns no cluster is in no lease, so others would not know that they can hand some over to it.
CREATE TABLE "metadata_process" (
    "owner_id" TEXT NOT NULL,
    "owner_url" TEXT NOT NULL,
    "owner_admin_url" TEXT,
    "clusters" INTEGER NOT NULL,
    "is_accepting" BOOLEAN NOT NULL,
    "is_draining" BOOLEAN NOT NULL DEFAULT false,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "metadata_process_pkey" PRIMARY KEY ("owner_id")
) WITH (fillfactor = 50);

ALTER TABLE "metadata_process" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "declared" ON "metadata_process" TO "penstock_metadata", "penstock_worker", "penstock_operator"
  USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "metadata_process" TO "penstock_worker", "penstock_operator", "penstock_metadata";
