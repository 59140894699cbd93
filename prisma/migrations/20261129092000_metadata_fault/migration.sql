-- A cluster also stops where an invariant of its state is broken. Such a row has these three columns; its other ones hold the position of the
-- last entry that was read, so that the release before keeps the cluster stopped, too.
ALTER TABLE "metadata_stop"
  ADD COLUMN "fault_command" TEXT,
  ADD COLUMN "fault_sha256" TEXT,
  ADD COLUMN "fault_message" TEXT;
