-- Network addresses from which somebody has signed in to an account. The key is a keyed hash of both, so that the table
-- does not reveal who signs in from where. Attempts from other addresses do not lock a person out at these.
CREATE TABLE "familiar_address" (
    "key" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "familiar_address_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "familiar_address_seen_at_idx" ON "familiar_address"("seen_at");
