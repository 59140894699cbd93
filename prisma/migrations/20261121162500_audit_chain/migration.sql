-- The audit log as a chain: each row carries its number within the organization, the hash of the row before it, and a hash
-- over both and itself. The head of each chain stands in a table of its own, so that cutting off the newest rows shows.

CREATE TABLE "audit_head" (
    "organization_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("organization_id")
);

ALTER TABLE "audit_log"
  ADD COLUMN "seq" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "previous_hash" BYTEA NOT NULL DEFAULT '\x'::bytea,
  ADD COLUMN "hash" BYTEA NOT NULL DEFAULT '\x'::bytea;

-- The text of jsonb is canonical: keys in order, one way to write each value. Times as milliseconds since the Unix epoch.
CREATE FUNCTION "audit_row_hash"(r "audit_log") RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(jsonb_build_array(
    r.seq, encode(r.previous_hash, 'hex'), r.id, r.organization_id, r.actor_type, r.actor_id, r.actor_label, r.source,
    r.action, r.target_type, r.target_id, r.before, r.after, round(extract(epoch FROM r.at) * 1000)::bigint
  )::text, 'UTF8'))
$$;

-- Runs as the owner of the tables: the tenant's role cannot touch a head. The head's row stays locked until the transaction
-- ends, so that simultaneous changes of one organization follow one another in the chain as they do in time.
CREATE FUNCTION "audit_chain"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  head "audit_head";
BEGIN
  INSERT INTO audit_head AS h (organization_id, seq, hash) VALUES (NEW.organization_id, 1, '\x')
    ON CONFLICT (organization_id) DO UPDATE SET seq = h.seq + 1 RETURNING * INTO head;
  NEW.seq := head.seq;
  NEW.previous_hash := head.hash;
  NEW.hash := audit_row_hash(NEW);
  UPDATE audit_head SET hash = NEW.hash WHERE organization_id = NEW.organization_id;
  RETURN NEW;
END
$$;

-- The rows from before, in their order.
DO $$
DECLARE
  r "audit_log";
  previous "audit_log";
BEGIN
  FOR r IN SELECT * FROM audit_log ORDER BY organization_id, id LOOP
    IF previous.organization_id IS DISTINCT FROM r.organization_id THEN
      r.seq := 1;
      r.previous_hash := '\x';
    ELSE
      r.seq := previous.seq + 1;
      r.previous_hash := previous.hash;
    END IF;
    r.hash := audit_row_hash(r);
    UPDATE audit_log SET seq = r.seq, previous_hash = r.previous_hash, hash = r.hash WHERE id = r.id;
    previous := r;
  END LOOP;
  INSERT INTO audit_head (organization_id, seq, hash)
    SELECT DISTINCT ON (organization_id) organization_id, seq, hash FROM audit_log ORDER BY organization_id, seq DESC;
END
$$;

CREATE UNIQUE INDEX "audit_log_organization_id_seq_key" ON "audit_log"("organization_id", "seq");
CREATE TRIGGER "audit_chain" BEFORE INSERT ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_chain"();

-- Only added to, whoever asks. (The tenant's role has no such right in the first place.)
CREATE FUNCTION "audit_is_final"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit log is only added to.';
END
$$;
CREATE TRIGGER "audit_is_final" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_final"();

ALTER TABLE "audit_head" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "audit_head" TO "penstock_tenant" USING ("organization_id" = current_organization());
GRANT SELECT ON "audit_head" TO "penstock_tenant";
