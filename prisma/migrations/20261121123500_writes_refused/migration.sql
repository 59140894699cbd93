-- What producers are told while the spending cap holds; null while they may write.
ALTER TABLE "billing_account" ADD COLUMN     "writes_refused_reason" TEXT;
-- The month for which the reason holds and the reason come and go together.
ALTER TABLE "billing_account" ADD CONSTRAINT "billing_account_cap_check" CHECK (("capped_month" IS NULL) = ("writes_refused_reason" IS NULL));
ALTER TABLE "billing_account" ADD CONSTRAINT "billing_account_amounts_check" CHECK ("budget_usd" > 0 AND "cap_usd" > 0);
