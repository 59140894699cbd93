-- What an agent key may do. Keys that exist keep what they had.
ALTER TABLE "agent_key" ADD COLUMN "scope" TEXT NOT NULL DEFAULT 'agent';
