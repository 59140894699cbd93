-- When owners and admins got a mail about this network, and others of the key that were new with it.
ALTER TABLE "api_key_network" ADD COLUMN "mailed_at" TIMESTAMPTZ(3);
