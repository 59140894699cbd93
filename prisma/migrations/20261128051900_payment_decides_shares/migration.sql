-- The metadata service gives organizations that pay a share of their own. One that pays by transfer has no payment method, but a paid invoice.
GRANT SELECT ("organization_id", "kind", "status", "amount_paid_usd") ON "invoice" TO "penstock_metadata";
