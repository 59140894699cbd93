-- Metering reads in journals what Kafka clients changed, and writes it into the audit log. It may not read there.
GRANT INSERT ON "audit_log" TO "penstock_metering";
