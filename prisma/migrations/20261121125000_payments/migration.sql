-- When the outbox may send a call next (again), and when a stored event may be acted on again.
ALTER TABLE "stripe_call" ADD COLUMN "not_before" TIMESTAMPTZ(3);
ALTER TABLE "stripe_event" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "not_before" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "payment_failure" (
    "invoice_id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "failing_since" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "mailed_steps" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "payment_failure_pkey" PRIMARY KEY ("invoice_id")
);

-- CreateIndex
CREATE INDEX "payment_failure_organization_id_idx" ON "payment_failure"("organization_id");

-- AddForeignKey
ALTER TABLE "payment_failure" ADD CONSTRAINT "payment_failure_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the outbox asks of an organization and of a topic, however much is done.
CREATE INDEX "stripe_call_organization_id_id_idx" ON "stripe_call"("organization_id", "id");
