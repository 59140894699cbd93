-- A dump reads where sequences stand. Migrations that add one grant it, too.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA "public", "telemetry" TO "penstock_operator";
