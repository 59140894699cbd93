-- Who sold, and where the money was to be sent, as it stood when the invoice became final.
ALTER TABLE "invoice" ADD COLUMN     "billed_by" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "transfer_details" TEXT;

-- Credits never go below zero, judged when the transaction commits. The lock lets transactions of one organization pass one after the other
-- here, so that two of them cannot both spend what is there once.
CREATE FUNCTION "refuse_overdrawn_credits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "billing_account" WHERE "organization_id" = NEW."organization_id" FOR UPDATE;
  IF (SELECT coalesce(sum("amount_usd"), 0) FROM "ledger_posting"
      WHERE "organization_id" = NEW."organization_id" AND "account" = 'credit') > 0 THEN
    RAISE EXCEPTION 'the credits of organization % do not suffice', NEW."organization_id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "credits_suffice" AFTER INSERT ON "ledger_posting" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW."account" = 'credit' AND NEW."amount_usd" > 0) EXECUTE FUNCTION "refuse_overdrawn_credits"();

-- How much of an invoice is open is asked of the books.
CREATE INDEX "ledger_transaction_invoice_id_idx" ON "ledger_transaction"("invoice_id");
