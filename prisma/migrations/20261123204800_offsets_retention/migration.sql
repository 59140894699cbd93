-- How long committed offsets are kept without use: offsets.retention.minutes, with Kafka's default.
ALTER TABLE "virtual_cluster" ADD COLUMN "offsets_retention_minutes" INTEGER NOT NULL DEFAULT 10080
  CONSTRAINT "virtual_cluster_offsets_retention_check" CHECK ("offsets_retention_minutes" > 0);
