-- What all web processes together have taken of a caller's quota in the current window. Processes borrow slices of it. The
-- key is a hash of quota and caller. Unlogged: after a crash of the database, windows start anew.
CREATE UNLOGGED TABLE "rate_budget" (
    "key" TEXT NOT NULL,
    "taken" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_budget_pkey" PRIMARY KEY ("key")
) WITH (fillfactor = 50);
