-- CreateTable
CREATE TABLE "cluster_health" (
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "level_since" TIMESTAMPTZ(3) NOT NULL,
    "assessed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cluster_health_pkey" PRIMARY KEY ("cluster_id")
);

-- CreateTable
CREATE TABLE "cluster_health_history" (
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "history" JSONB NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cluster_health_history_pkey" PRIMARY KEY ("cluster_id")
);

-- CreateTable
CREATE TABLE "health_finding" (
    "id" UUID NOT NULL,
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "subject" JSONB NOT NULL,
    "cause" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "notified_at" TIMESTAMPTZ(3),
    "resolved_told_at" TIMESTAMPTZ(3),

    CONSTRAINT "health_finding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cluster_event" (
    "id" UUID NOT NULL,
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT,
    "severity" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cluster_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "health_silence" (
    "id" UUID NOT NULL,
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "rule" TEXT,
    "reason" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "health_silence_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "health_finding_cluster_id_id_idx" ON "health_finding"("cluster_id", "id" DESC);
CREATE INDEX "health_finding_organization_id_idx" ON "health_finding"("organization_id");
CREATE INDEX "cluster_event_cluster_id_id_idx" ON "cluster_event"("cluster_id", "id" DESC);
CREATE INDEX "cluster_event_organization_id_idx" ON "cluster_event"("organization_id");
CREATE INDEX "cluster_event_at_idx" ON "cluster_event"("at");
CREATE INDEX "health_silence_cluster_id_until_idx" ON "health_silence"("cluster_id", "until");
CREATE INDEX "health_silence_organization_id_idx" ON "health_silence"("organization_id");

-- What Prisma's schema cannot say:

-- One open finding per trouble: whoever comes second with it inserts nothing.
CREATE UNIQUE INDEX "health_finding_open_key" ON "health_finding"("cluster_id", "key") WHERE "resolved_at" IS NULL;
-- What people have not been told of yet.
CREATE INDEX "health_finding_untold_idx" ON "health_finding"("cluster_id")
  WHERE ("resolved_at" IS NULL AND "notified_at" IS NULL)
     OR ("resolved_at" IS NOT NULL AND "notified_at" IS NOT NULL AND "resolved_told_at" IS NULL);

ALTER TABLE "cluster_health" ADD CONSTRAINT "cluster_health_level_check" CHECK ("level" IN ('waiting', 'healthy', 'degraded', 'critical'));
ALTER TABLE "health_finding" ADD CONSTRAINT "health_finding_severity_check" CHECK ("severity" IN ('warning', 'critical'));
ALTER TABLE "cluster_event" ADD CONSTRAINT "cluster_event_severity_check" CHECK ("severity" IN ('info', 'warning', 'critical'));

-- Written for every cluster at every look: room on its page, and no index beside the key, keep such an update to its own page.
ALTER TABLE "cluster_health" SET (fillfactor = 50);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY[
    'cluster_health', 'cluster_health_history', 'health_finding', 'cluster_event', 'health_silence'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO penstock_tenant USING (organization_id = current_organization()) '
      'WITH CHECK (organization_id = current_organization())', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO penstock_tenant', tenant_table);
  END LOOP;
END
$$;
