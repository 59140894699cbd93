-- Since PostgreSQL 16 whoever creates a role may grant it, but not take it on: that they must grant themselves.
DO $$
DECLARE
  may_take_on boolean;
BEGIN
  IF current_setting('server_version_num')::int >= 160000 THEN
    EXECUTE 'SELECT pg_has_role(current_user, ''penstock_tenant'', ''SET'')' INTO may_take_on;
  ELSE
    may_take_on := pg_has_role(current_user, 'penstock_tenant', 'MEMBER');
  END IF;
  IF NOT may_take_on THEN
    EXECUTE format('GRANT penstock_tenant TO %I', current_user);
  END IF;
END
$$;
