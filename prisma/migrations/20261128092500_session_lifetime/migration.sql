-- Days after a sign-in at which sessions of an organization's members end, however they are used.
ALTER TABLE "organization" ADD COLUMN "session_days" INTEGER NOT NULL DEFAULT 90
  CONSTRAINT "organization_session_days_check" CHECK ("session_days" BETWEEN 1 AND 90);
