-- AlterTable
ALTER TABLE "mail" ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "sent_at" TIMESTAMPTZ(3);

-- What the schema language cannot say:

-- The worker's search for mails that wait stays small, however many were sent.
CREATE INDEX "mail_waiting_idx" ON "mail"("created_at") WHERE "sent_at" IS NULL AND "failed_at" IS NULL;
