-- Whether a cluster's agents may change users, ACLs and quotas for clients that have proved nothing to the service. Clusters that exist keep
-- what they had; new ones say no.
ALTER TABLE "virtual_cluster" ADD COLUMN "allow_agent_administration" BOOLEAN NOT NULL DEFAULT true;
