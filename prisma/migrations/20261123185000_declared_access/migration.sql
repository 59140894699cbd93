-- Declared access across organizations. A connection that works for more than one organization takes on a role that
-- names the reason, and that role reaches only the tables that it needs. The owner of the tables alone will see nothing
-- once row security is forced (decision 0040). Until then nothing changes for processes of the last release: policies
-- don't bind an owner who is not forced.

-- Roles belong to the whole server, and several databases may be migrated on it at once. The owner must not inherit
-- their rights: it would then have all of them without a declaration. Before PostgreSQL 16, inheritance is a property of
-- the owner itself; the command that forces row security checks it.
DO $$
DECLARE
  declared TEXT;
BEGIN
  FOREACH declared IN ARRAY ARRAY[
    'penstock_accounts', 'penstock_payments', 'penstock_metadata', 'penstock_metering', 'penstock_worker', 'penstock_operator'
  ] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = declared) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT NOCREATEDB NOCREATEROLE', declared);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
    IF current_setting('server_version_num')::int >= 160000 THEN
      IF NOT pg_has_role(current_user, declared, 'SET') THEN
        EXECUTE format('GRANT %I TO %I WITH INHERIT FALSE, SET TRUE', declared, current_user);
      END IF;
    ELSIF NOT pg_has_role(current_user, declared, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO %I', declared, current_user);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA public, telemetry TO %I', declared);
  END LOOP;
END
$$;

-- The same for the tenant's role, which the owner has inherited so far.
DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 160000
    AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AND pg_has_role(current_user, 'penstock_tenant', 'USAGE') THEN
    EXECUTE format('GRANT penstock_tenant TO %I WITH INHERIT FALSE, SET TRUE', current_user);
  END IF;
END
$$;

-- A partition is reached through its table, whose policies apply then. Dumps alone read it itself.
CREATE FUNCTION "telemetry"."secure_partition"("partition" REGCLASS) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', partition);
  IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = partition) THEN
    EXECUTE format('CREATE POLICY declared ON %s FOR SELECT TO penstock_operator USING (true)', partition);
    EXECUTE format('GRANT SELECT ON %s TO penstock_operator', partition);
  END IF;
END
$$;

-- Row security for the tables that had none, because no tenant could reach them.
DO $$
DECLARE
  found RECORD;
BEGIN
  FOR found IN
    SELECT c.oid::regclass AS name, c.relispartition AS is_partition FROM pg_class c
    WHERE c.relnamespace IN ('public'::regnamespace, 'telemetry'::regnamespace) AND c.relkind IN ('r', 'p')
      AND c.relname <> '_prisma_migrations'
  LOOP
    IF found.is_partition THEN
      PERFORM telemetry.secure_partition(found.name);
    ELSE
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', found.name);
      EXECUTE format(
        'CREATE POLICY declared ON %s TO penstock_accounts, penstock_payments, penstock_metadata, penstock_metering, '
        'penstock_worker, penstock_operator USING (true) WITH CHECK (true)', found.name);
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO penstock_worker, penstock_operator', found.name);
    END IF;
  END LOOP;
END
$$;
-- The series of invoice numbers belongs to us, not to a tenant.
CREATE POLICY "tenant" ON "invoice_counter" TO "penstock_tenant" USING (true) WITH CHECK (true);

-- For dumps. The list exists where migrations are applied one by one.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT ON "_prisma_migrations" TO "penstock_operator";
  END IF;
END
$$;

-- Background work never reads passwords or passkeys. With an organization, it deletes the links to its identity provider.
REVOKE ALL ON "account", "passkey" FROM "penstock_worker";
GRANT SELECT ("id", "provider_id"), DELETE ON "account" TO "penstock_worker";

-- Before it is known for which organization somebody works: sign-in, invitations, provisioning, new organizations, API keys.
GRANT SELECT, INSERT, UPDATE, DELETE ON "user", "session", "account", "verification", "two_factor", "passkey", "auth_throttle",
  "rate_limit", "rate_budget", "familiar_address", "member", "removed_member", "invitation", "scim_user", "scim_group",
  "scim_group_member" TO "penstock_accounts";
GRANT SELECT, INSERT, UPDATE ON "organization" TO "penstock_accounts";
GRANT SELECT, UPDATE ON "api_key", "sso_connection", "sso_domain", "scim_token" TO "penstock_accounts";
GRANT SELECT, INSERT ON "mail" TO "penstock_accounts";
GRANT INSERT ON "audit_log" TO "penstock_accounts";

-- Calls to Stripe and events from Stripe: whose they are is known only when they are read.
GRANT SELECT, INSERT, UPDATE ON "stripe_call", "stripe_event" TO "penstock_payments";
GRANT SELECT ON "billing_account", "invoice" TO "penstock_payments";

-- The metadata service: journals of all clusters, and the keys and reports of their agents.
GRANT SELECT, INSERT, UPDATE, DELETE ON "metadata_journal", "metadata_snapshot", "metadata_lease", "metadata_stop",
  "metadata_folded", "agent_key_network", "agent_address" TO "penstock_metadata";
GRANT SELECT, UPDATE ON "virtual_cluster", "agent_key", "metering_checkpoint" TO "penstock_metadata";
GRANT SELECT ON "organization", "billing_account" TO "penstock_metadata";
GRANT SELECT, INSERT, UPDATE, DELETE ON "telemetry"."agent", "telemetry"."agent_10s", "telemetry"."due",
  "telemetry"."denied_request", "telemetry"."credential_use" TO "penstock_metadata";

-- Metering: journals of all clusters become hourly usage.
GRANT SELECT ON "virtual_cluster", "metadata_journal", "metadata_snapshot", "metadata_lease", "metadata_stop", "invoice"
  TO "penstock_metering";
GRANT SELECT, INSERT, UPDATE, DELETE ON "metadata_folded", "metadata_meter_block", "metering_checkpoint", "usage_hour",
  "late_usage" TO "penstock_metering";
-- Usage of a closed month locks the billing account.
GRANT SELECT, UPDATE ("organization_id") ON "billing_account" TO "penstock_metering";

-- The trigger that writes the heads of the audit log runs as the owner, whom row security will bind: it says by a setting
-- of its own what it does. No other code sets it.
CREATE OR REPLACE FUNCTION "audit_chain"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  head "audit_head";
BEGIN
  PERFORM set_config('penstock.access', 'audit_chain', true);
  INSERT INTO audit_head AS h (organization_id, seq, hash) VALUES (NEW.organization_id, 1, '\x')
    ON CONFLICT (organization_id) DO UPDATE SET seq = h.seq + 1 RETURNING * INTO head;
  NEW.seq := head.seq;
  NEW.previous_hash := head.hash;
  NEW.hash := audit_row_hash(NEW);
  UPDATE audit_head SET hash = NEW.hash WHERE organization_id = NEW.organization_id;
  PERFORM set_config('penstock.access', '', true);
  RETURN NEW;
END
$$;
CREATE POLICY "audit_chain" ON "audit_head" TO CURRENT_USER
  USING (current_setting('penstock.access', true) = 'audit_chain')
  WITH CHECK (current_setting('penstock.access', true) = 'audit_chain');
