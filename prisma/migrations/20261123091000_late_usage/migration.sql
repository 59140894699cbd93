-- Closed months whose usage has changed since their invoice was issued. A draft rates these again, and no other month of
-- the past.
CREATE TABLE "late_usage" (
    "organization_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "changes" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "late_usage_pkey" PRIMARY KEY ("organization_id", "month")
);

ALTER TABLE "late_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "late_usage" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "late_usage" TO "penstock_tenant";

-- A trigger, so that it holds for older processes, too. Closing a month locks the billing account: usage of a month that
-- may be closed at this moment waits for that, and closing waits for usage that is being written. So either the invoice
-- contains the usage, or the month is noted here.
CREATE FUNCTION "note_late_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched RECORD;
BEGIN
  FOR touched IN
    SELECT DISTINCT c.organization_id, date_trunc('month', c.hour AT TIME ZONE 'UTC')::date AS month FROM changed c
  LOOP
    IF (touched.month + interval '1 month') AT TIME ZONE 'UTC' <= now() THEN
      PERFORM 1 FROM billing_account WHERE organization_id = touched.organization_id FOR SHARE;
    END IF;
    INSERT INTO late_usage (organization_id, month)
    SELECT i.organization_id, i.period_start FROM invoice i
    WHERE i.organization_id = touched.organization_id AND i.kind = 'invoice' AND i.period_start = touched.month
    ON CONFLICT (organization_id, month) DO UPDATE SET changes = late_usage.changes + 1;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER "usage_hour_late_insert" AFTER INSERT ON "usage_hour"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_late_usage"();
CREATE TRIGGER "usage_hour_late_update" AFTER UPDATE ON "usage_hour"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_late_usage"();
CREATE TRIGGER "usage_hour_late_delete" AFTER DELETE ON "usage_hour"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_late_usage"();

-- What changed before this migration is unknown: each closed month is rated once more, by the next invoice.
INSERT INTO "late_usage" ("organization_id", "month")
SELECT DISTINCT "organization_id", "period_start" FROM "invoice"
WHERE "kind" = 'invoice' AND "period_start" >= (now() - interval '14 months')::date;
