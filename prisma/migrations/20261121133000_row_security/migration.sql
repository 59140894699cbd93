-- Tenant isolation by the database itself. A transaction for a tenant takes the role penstock_tenant and says for which
-- organization it works (set_config on 'role' and 'penstock.organization_id', both local to the transaction). To that role
-- no row of another organization exists, whatever the query forgets to ask for. Row-level security is enabled and not
-- forced: the owner of the tables (the worker, the metadata service, sign-in) works across organizations as before.

-- Roles belong to the whole server, and several databases may be migrated on it at once.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'penstock_tenant') THEN
    CREATE ROLE "penstock_tenant" NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;
DO $$
BEGIN
  IF NOT pg_has_role(current_user, 'penstock_tenant', 'MEMBER') THEN
    EXECUTE format('GRANT penstock_tenant TO %I', current_user);
  END IF;
END
$$;

-- The organization that a transaction works for; null, and with it no row at all, when it did not say.
CREATE FUNCTION "current_organization"() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('penstock.organization_id', true), '')
$$;

GRANT USAGE ON SCHEMA public TO "penstock_tenant";
GRANT USAGE ON SCHEMA "telemetry" TO "penstock_tenant";

-- Rows that name their organization. All of them: a table that is missed here fails a test of the migrations.
DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY[
    'member', 'invitation', 'virtual_cluster', 'agent_key', 'metadata_journal', 'usage_hour', 'billing_account', 'invoice',
    'ledger_transaction', 'ledger_posting', 'budget_alert', 'webhook_delivery', 'stripe_call', 'payment_failure'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO penstock_tenant USING (organization_id = current_organization()) '
      'WITH CHECK (organization_id = current_organization())', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO penstock_tenant', tenant_table);
  END LOOP;
END
$$;

-- The audit log is only added to.
ALTER TABLE "audit_log" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "audit_log" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT ON "audit_log" TO "penstock_tenant";

ALTER TABLE "organization" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "organization" TO "penstock_tenant"
  USING ("id" = current_organization()) WITH CHECK ("id" = current_organization());
GRANT SELECT, UPDATE ON "organization" TO "penstock_tenant";

ALTER TABLE "invoice_line" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "invoice_line" TO "penstock_tenant" USING ("invoice_id" IN (SELECT "id" FROM "invoice"));
GRANT SELECT, INSERT ON "invoice_line" TO "penstock_tenant";

-- Rows that name a cluster. What it used outlives the cluster's own row.
DO $$
DECLARE
  cluster_table text;
BEGIN
  FOREACH cluster_table IN ARRAY ARRAY[
    'metadata_snapshot', 'metadata_lease', 'metadata_meter_block', 'metering_checkpoint'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', cluster_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO penstock_tenant USING (cluster_id IN (SELECT id FROM virtual_cluster) '
      'OR cluster_id IN (SELECT cluster_id FROM usage_hour))', cluster_table);
    EXECUTE format('GRANT SELECT ON %I TO penstock_tenant', cluster_table);
  END LOOP;
END
$$;

-- The partitions below are reached through their tables alone.
DO $$
DECLARE
  telemetry_table text;
BEGIN
  FOREACH telemetry_table IN ARRAY ARRAY[
    'agent', 'agent_10s', 'agent_1m', 'agent_1h', 'zone_10s', 'zone_1m', 'zone_1h'
  ] LOOP
    EXECUTE format('ALTER TABLE telemetry.%I ENABLE ROW LEVEL SECURITY', telemetry_table);
    EXECUTE format(
      'CREATE POLICY tenant ON telemetry.%I TO penstock_tenant USING (cluster_id IN (SELECT id FROM virtual_cluster))',
      telemetry_table);
    EXECUTE format('GRANT SELECT ON telemetry.%I TO penstock_tenant', telemetry_table);
  END LOOP;
END
$$;

-- People exist for a tenant as its members. Of their sessions it may only forget that they work here; passwords, second
-- factors, passkeys and throttles it cannot see at all.
ALTER TABLE "user" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "user" TO "penstock_tenant" USING ("id" IN (SELECT "user_id" FROM "member"));
GRANT SELECT ON "user" TO "penstock_tenant";
ALTER TABLE "session" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant_read" ON "session" FOR SELECT TO "penstock_tenant"
  USING ("user_id" IN (SELECT "user_id" FROM "member"));
CREATE POLICY "tenant_forget" ON "session" FOR UPDATE TO "penstock_tenant"
  USING ("active_organization_id" = current_organization()) WITH CHECK ("active_organization_id" IS NULL);
GRANT SELECT ("id", "user_id", "active_organization_id"), UPDATE ("active_organization_id", "updated_at")
  ON "session" TO "penstock_tenant";

-- Mails are written and never read.
ALTER TABLE "mail" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "mail" FOR INSERT TO "penstock_tenant" WITH CHECK (true);
GRANT INSERT ON "mail" TO "penstock_tenant";

-- The series of invoice numbers belongs to us, not to a tenant.
GRANT SELECT, INSERT, UPDATE ON "invoice_counter" TO "penstock_tenant";
