-- Telemetry of agents. In a schema of its own, through plain SQL alone: its tables are partitioned by time, and partitions come and go
-- while the service runs.
CREATE SCHEMA "telemetry";

-- One row per incarnation of an agent: what its reports have in common.
CREATE TABLE "telemetry"."agent" (
    "agent_no" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "cluster_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "incarnation_id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "zone" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    -- When it began, by the clock of the service. Fixed by the first report: the slots of all reports follow from it.
    "origin" TIMESTAMPTZ(3) NOT NULL,
    -- At most some minutes behind the newest report.
    "last_slot" TIMESTAMPTZ(0) NOT NULL,
    "refused_reports" BIGINT NOT NULL DEFAULT 0,
    "last_refusal" TEXT,
    "last_refused_at" TIMESTAMPTZ(3),
    UNIQUE ("cluster_id", "incarnation_id")
);
CREATE INDEX "agent_cluster_id_last_slot_idx" ON "telemetry"."agent" ("cluster_id", "last_slot");

-- Slots whose next coarser level is to be made (again). A row is locked by whoever adds to its slot, and deleted before the slot is read.
CREATE TABLE "telemetry"."due" (
    "level" TEXT NOT NULL CHECK ("level" IN ('10s', '1m', '1h')),
    "slot" TIMESTAMPTZ(0) NOT NULL,
    "cluster_id" UUID NOT NULL,
    PRIMARY KEY ("level", "slot", "cluster_id")
);

-- As reported. The key is what makes a report that is sent twice change nothing: its slot follows from incarnation and window.
CREATE TABLE "telemetry"."agent_10s" (
    "cluster_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(0) NOT NULL,
    "agent_no" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "sample" BYTEA NOT NULL,
    PRIMARY KEY ("cluster_id", "slot", "agent_no", "seq")
) PARTITION BY RANGE ("slot");

-- Made from the level below, whole slots at a time.
CREATE TABLE "telemetry"."agent_1m" (
    "cluster_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(0) NOT NULL,
    "agent_no" BIGINT NOT NULL,
    "sample" BYTEA NOT NULL,
    PRIMARY KEY ("cluster_id", "slot", "agent_no")
) PARTITION BY RANGE ("slot");
CREATE TABLE "telemetry"."agent_1h" (LIKE "telemetry"."agent_1m" INCLUDING ALL) PARTITION BY RANGE ("slot");

-- All agents of a zone together.
CREATE TABLE "telemetry"."zone_10s" (
    "cluster_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(0) NOT NULL,
    "zone" TEXT NOT NULL,
    "sample" BYTEA NOT NULL,
    PRIMARY KEY ("cluster_id", "slot", "zone")
) PARTITION BY RANGE ("slot");
CREATE TABLE "telemetry"."zone_1m" (LIKE "telemetry"."zone_10s" INCLUDING ALL) PARTITION BY RANGE ("slot");
CREATE TABLE "telemetry"."zone_1h" (LIKE "telemetry"."zone_10s" INCLUDING ALL) PARTITION BY RANGE ("slot");
