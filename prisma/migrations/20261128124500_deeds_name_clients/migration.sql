-- Which client it was: the principal as the agent named it (empty: an agent of an earlier release), and whether the client proved it.
ALTER TABLE "agent_key_deed" ADD COLUMN "principal" TEXT NOT NULL DEFAULT '';
ALTER TABLE "agent_key_deed" ADD COLUMN "is_verified" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "agent_key_deed" DROP CONSTRAINT "agent_key_deed_pkey";
ALTER TABLE "agent_key_deed" ADD CONSTRAINT "agent_key_deed_pkey"
  PRIMARY KEY ("key_id", "hour", "kind", "subject", "principal", "is_verified");
