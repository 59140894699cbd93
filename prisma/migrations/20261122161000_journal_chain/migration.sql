-- An append names the entry before it by number and hash: hash(n) = SHA-256(hash(n-1) || entry n). Processes from before leave it null.
ALTER TABLE "metadata_journal" ADD COLUMN "hash" BYTEA;
-- The hash of the entry that a snapshot stands at: tells a snapshot of another history.
ALTER TABLE "metadata_snapshot" ADD COLUMN "hash" BYTEA;
