-- AlterTable
ALTER TABLE "virtual_cluster" ADD COLUMN     "mode" TEXT NOT NULL DEFAULT 'standard';

-- AlterTable
ALTER TABLE "metadata_meter_block" ADD COLUMN     "alive_minutes" JSONB;

-- AlterTable
ALTER TABLE "usage_hour" ADD COLUMN     "dev_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "low_latency_minutes" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "billing_account" (
    "organization_id" TEXT NOT NULL,
    "legal_name" TEXT,
    "address_line1" TEXT,
    "address_line2" TEXT,
    "city" TEXT,
    "state" TEXT,
    "postal_code" TEXT,
    "country" TEXT,
    "tax_id_type" TEXT,
    "tax_id" TEXT,
    "billing_email" TEXT,
    "stripe_customer_id" TEXT,
    "stripe_payment_method_id" TEXT,
    "payment_method_label" TEXT,
    "standing" TEXT NOT NULL DEFAULT 'good',
    "standing_since" TIMESTAMPTZ(3),
    "budget_usd" DECIMAL(14,2),
    "cap_usd" DECIMAL(14,2),
    "capped_month" DATE,
    "webhook_url" TEXT,
    "webhook_secret" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_account_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "invoice" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "corrects_id" UUID,
    "period_start" DATE NOT NULL,
    "period_end" DATE NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "subtotal_usd" DECIMAL(18,2) NOT NULL,
    "credit_usd" DECIMAL(18,2) NOT NULL,
    "total_usd" DECIMAL(18,2) NOT NULL,
    "billed_to" JSONB NOT NULL,
    "reason" TEXT,
    "collection" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "amount_paid_usd" DECIMAL(18,2) NOT NULL DEFAULT 0,
    "stripe_invoice_id" TEXT,
    "hosted_invoice_url" TEXT,
    "finalized_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_line" (
    "invoice_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "product" TEXT NOT NULL,
    "cluster_id" UUID,
    "cluster_name" TEXT,
    "mode" TEXT,
    "tier" INTEGER,
    "description" TEXT NOT NULL,
    "quantity" DECIMAL(30,0),
    "unit" TEXT,
    "unit_price_usd" DECIMAL(18,9),
    "amount_usd" DECIMAL(18,2) NOT NULL,
    "price_book_id" TEXT,
    "first_hour" TIMESTAMPTZ(0),
    "last_hour" TIMESTAMPTZ(0),

    CONSTRAINT "invoice_line_pkey" PRIMARY KEY ("invoice_id","position")
);

-- CreateTable
CREATE TABLE "invoice_counter" (
    "series" TEXT NOT NULL,
    "last" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "invoice_counter_pkey" PRIMARY KEY ("series")
);

-- CreateTable
CREATE TABLE "ledger_transaction" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "invoice_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_posting" (
    "transaction_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "organization_id" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "amount_usd" DECIMAL(18,2) NOT NULL,

    CONSTRAINT "ledger_posting_pkey" PRIMARY KEY ("transaction_id","position")
);

-- CreateTable
CREATE TABLE "budget_alert" (
    "organization_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "percent" INTEGER NOT NULL,
    "budget_usd" DECIMAL(14,2) NOT NULL,
    "cost_usd" DECIMAL(18,2) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_alert_pkey" PRIMARY KEY ("organization_id","month","percent")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stripe_call" (
    "id" UUID NOT NULL,
    "organization_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "first_sent_at" TIMESTAMPTZ(3),
    "result_id" TEXT,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "stripe_call_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stripe_event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "handled_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "stripe_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "billing_account_stripe_customer_id_key" ON "billing_account"("stripe_customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_number_key" ON "invoice"("number");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_stripe_invoice_id_key" ON "invoice"("stripe_invoice_id");

-- CreateIndex
CREATE INDEX "invoice_organization_id_period_start_idx" ON "invoice"("organization_id", "period_start" DESC);

-- CreateIndex
CREATE INDEX "invoice_corrects_id_idx" ON "invoice"("corrects_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transaction_reference_key" ON "ledger_transaction"("reference");

-- CreateIndex
CREATE INDEX "ledger_transaction_organization_id_id_idx" ON "ledger_transaction"("organization_id", "id");

-- CreateIndex
CREATE INDEX "ledger_posting_organization_id_account_idx" ON "ledger_posting"("organization_id", "account");

-- CreateIndex
CREATE INDEX "webhook_delivery_organization_id_id_idx" ON "webhook_delivery"("organization_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "stripe_call_idempotency_key_key" ON "stripe_call"("idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "stripe_call_operation_subject_key" ON "stripe_call"("operation", "subject");

-- AddForeignKey
ALTER TABLE "invoice_line" ADD CONSTRAINT "invoice_line_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transaction"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- What the schema language cannot say:

ALTER TABLE "virtual_cluster" ADD CONSTRAINT "virtual_cluster_mode_check" CHECK ("mode" IN ('dev', 'standard', 'low-latency'));
ALTER TABLE "billing_account" ADD CONSTRAINT "billing_account_standing_check" CHECK ("standing" IN ('good', 'past_due', 'restricted'));
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_kind_check" CHECK ("kind" IN ('invoice', 'credit_note'));
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_status_check" CHECK ("status" IN ('open', 'paid', 'uncollectible', 'issued'));
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_sum_check" CHECK ("total_usd" = "subtotal_usd" + "credit_usd");
ALTER TABLE "stripe_call" ADD CONSTRAINT "stripe_call_status_check" CHECK ("status" IN ('waiting', 'done', 'failed'));

-- A month of an organization is invoiced once.
CREATE UNIQUE INDEX "invoice_month_key" ON "invoice"("organization_id", "period_start") WHERE "kind" = 'invoice';

-- The worker's searches for what waits stay small, however much is done.
CREATE INDEX "webhook_delivery_waiting_idx" ON "webhook_delivery"("created_at") WHERE "delivered_at" IS NULL AND "failed_at" IS NULL;
CREATE INDEX "stripe_call_waiting_idx" ON "stripe_call"("id") WHERE "status" = 'waiting';
CREATE INDEX "stripe_event_waiting_idx" ON "stripe_event"("received_at") WHERE "handled_at" IS NULL;

-- What is final stays: an invoice changes only in how it is paid, a line and a booking never.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION "refuse_change_of_final_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(OLD) - ARRAY['status', 'amount_paid_usd', 'paid_at', 'stripe_invoice_id', 'hosted_invoice_url', 'collection'])
     IS DISTINCT FROM
     (to_jsonb(NEW) - ARRAY['status', 'amount_paid_usd', 'paid_at', 'stripe_invoice_id', 'hosted_invoice_url', 'collection']) THEN
    RAISE EXCEPTION 'invoice % is final: issue a credit note instead', OLD."number" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "invoice_is_final" BEFORE UPDATE ON "invoice" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_final_invoice"();
CREATE TRIGGER "invoice_stays" BEFORE DELETE ON "invoice" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "invoice_line_is_final" BEFORE UPDATE OR DELETE ON "invoice_line" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_transaction_is_final" BEFORE UPDATE OR DELETE ON "ledger_transaction" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_posting_is_final" BEFORE UPDATE OR DELETE ON "ledger_posting" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Debits equal credits, judged when the transaction commits.
CREATE FUNCTION "refuse_unbalanced_books"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum("amount_usd"), 0) FROM "ledger_posting" WHERE "transaction_id" = NEW."transaction_id") <> 0 THEN
    RAISE EXCEPTION 'the postings of transaction % do not sum to zero', NEW."transaction_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_posting_balances" AFTER INSERT ON "ledger_posting" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "refuse_unbalanced_books"();
