-- Each program looks whether the schema is the one that it needs. The list exists where migrations are applied one by one.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT ON "_prisma_migrations" TO "penstock_accounts", "penstock_metadata", "penstock_worker";
  END IF;
END
$$;
