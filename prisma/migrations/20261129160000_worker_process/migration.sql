-- The workers that run, each of which names itself every two seconds: they divide the shards of clusters among themselves.
CREATE TABLE "worker_process" (
    "id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_process_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 50);

ALTER TABLE "worker_process" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "declared" ON "worker_process" TO "penstock_worker", "penstock_operator" USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON "worker_process" TO "penstock_worker", "penstock_operator";
