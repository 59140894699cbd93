-- What an agent key may do, and where it was used: expiry, source networks and advertised addresses.
ALTER TABLE "agent_key"
  ADD COLUMN "expires_at" TIMESTAMPTZ(3),
  ADD COLUMN "networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "last_address" TEXT,
  ADD COLUMN "expiry_warned_at" TIMESTAMPTZ(3);
CREATE INDEX "agent_key_expires_at_idx" ON "agent_key"("expires_at");

-- Off for clusters that exist, and for those that an older version creates: their fleets keep growing as before. New
-- clusters have it on. Null in the second column: the first agent has not registered yet.
ALTER TABLE "virtual_cluster"
  ADD COLUMN "confirm_agent_addresses" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "confirm_agent_addresses_from" TIMESTAMPTZ(3);

-- Hosts that agents advertise. Only agents with a learned or confirmed one are handed to clients.
CREATE TABLE "agent_address" (
    "cluster_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "key_id" UUID,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),
    "confirmed_by" TEXT,
    "confirmed_at" TIMESTAMPTZ(3),
    "announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_address_pkey" PRIMARY KEY ("cluster_id", "host"),
    CONSTRAINT "agent_address_state_check" CHECK ("state" IN ('learned', 'confirmed', 'pending', 'refused')),
    CONSTRAINT "agent_address_cluster_id_fkey" FOREIGN KEY ("cluster_id")
      REFERENCES "virtual_cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "agent_address_key_id_fkey" FOREIGN KEY ("key_id")
      REFERENCES "agent_key"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "agent_address_organization_id_idx" ON "agent_address"("organization_id");
CREATE INDEX "agent_address_key_id_idx" ON "agent_address"("key_id");
CREATE INDEX "agent_address_state_announced_at_idx" ON "agent_address"("state", "announced_at");

-- Networks from which a key was used, or from which it was refused because they are not among its own.
CREATE TABLE "agent_key_network" (
    "key_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "is_refused" BOOLEAN NOT NULL,
    "organization_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_key_network_pkey" PRIMARY KEY ("key_id", "network", "is_refused"),
    CONSTRAINT "agent_key_network_key_id_fkey" FOREIGN KEY ("key_id")
      REFERENCES "agent_key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "agent_key_network_organization_id_idx" ON "agent_key_network"("organization_id");
CREATE INDEX "agent_key_network_announced_at_idx" ON "agent_key_network"("announced_at");

ALTER TABLE "agent_address" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "agent_address" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "agent_address" TO "penstock_tenant";

ALTER TABLE "agent_key_network" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "agent_key_network" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "agent_key_network" TO "penstock_tenant";
