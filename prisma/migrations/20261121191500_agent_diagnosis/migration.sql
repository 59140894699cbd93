-- What an agent found out about itself: the newest only, with the row of its incarnation. Rights and row security are those of the table.
ALTER TABLE "telemetry"."agent"
    ADD COLUMN "diagnosis" JSONB,
    -- Whether the health rules have to look at it; most agents have nothing to tell.
    ADD COLUMN "is_troubled" BOOLEAN NOT NULL DEFAULT false;
