-- A hash over what a block says (its figures by minute, its range, its hash of the entries) and over the seal of the block before: once the
-- journal is cut, the entries can no longer vouch for the figures. Null in blocks from before.
ALTER TABLE "metadata_meter_block" ADD COLUMN     "seal" BYTEA;
