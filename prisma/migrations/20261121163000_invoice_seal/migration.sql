-- A fingerprint of what an invoice said when it became final, printed on it: whoever holds the paper can tell a later change. It takes in where the
-- hash chains of the clusters' journals stood, so that the paper vouches for the log behind the bill as well.
ALTER TABLE "invoice" ADD COLUMN     "meter_heads" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "seal" TEXT;

-- The one definition of the seal: SHA-256 over everything that never changes. jsonb writes its keys in one order, numeric columns keep their
-- scale, and hours are seconds, so the text does not depend on who asks.
CREATE FUNCTION "invoice_seal"("sealed_id" UUID) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_object(
    'number', i."number", 'kind', i."kind", 'organization', i."organization_id", 'corrects', i."corrects_id", 'reason', i."reason",
    'from', i."period_start", 'until', i."period_end", 'currency', i."currency",
    'subtotal', i."subtotal_usd", 'credit', i."credit_usd", 'total', i."total_usd",
    'seller', i."billed_by", 'buyer', i."billed_to", 'meter_heads', i."meter_heads",
    'lines', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'position', l."position", 'product', l."product", 'cluster', l."cluster_id", 'mode', l."mode", 'tier', l."tier",
        'description', l."description", 'quantity', l."quantity", 'unit', l."unit", 'unit_price', l."unit_price_usd",
        'amount', l."amount_usd", 'price_book', l."price_book_id",
        'first_hour', extract(epoch FROM l."first_hour")::bigint, 'last_hour', extract(epoch FROM l."last_hour")::bigint
      ) ORDER BY l."position"), '[]'::jsonb)
      FROM "invoice_line" l WHERE l."invoice_id" = i."id")
  )::text, 'UTF8')), 'hex')
  FROM "invoice" i WHERE i."id" = "sealed_id"
$$;

-- A seal is set once, after the lines are there.
CREATE OR REPLACE FUNCTION "refuse_change_of_final_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "may_change" TEXT[] := ARRAY['status', 'amount_paid_usd', 'paid_at', 'stripe_invoice_id', 'hosted_invoice_url', 'collection'];
BEGIN
  IF OLD."seal" IS NULL THEN
    "may_change" := "may_change" || ARRAY['seal'];
  END IF;
  IF (to_jsonb(OLD) - "may_change") IS DISTINCT FROM (to_jsonb(NEW) - "may_change") THEN
    RAISE EXCEPTION 'invoice % is final: issue a credit note instead', OLD."number" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
