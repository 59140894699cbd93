-- What a batch may decompress to in topics without max.uncompressed.batch.bytes. Clusters that exist keep 1 GiB until it is changed; new ones
-- have 64 MiB.
ALTER TABLE "virtual_cluster" ADD COLUMN "max_uncompressed_batch_bytes" INTEGER NOT NULL DEFAULT 1073741824
  CONSTRAINT "virtual_cluster_max_uncompressed_batch_bytes_check"
    CHECK ("max_uncompressed_batch_bytes" BETWEEN 1024 AND 1073741824);
ALTER TABLE "virtual_cluster" ALTER COLUMN "max_uncompressed_batch_bytes" SET DEFAULT 67108864;
