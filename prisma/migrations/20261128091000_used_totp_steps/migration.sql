-- The time step of the last code of the authenticator app that was accepted. It and all before it are used up.
ALTER TABLE "two_factor" ADD COLUMN "used_step" INTEGER;
