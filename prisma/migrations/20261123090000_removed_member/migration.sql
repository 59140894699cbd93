-- People whom somebody removed from an organization. Single sign-on does not let them in again until they are invited.
CREATE TABLE "removed_member" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "removed_member_pkey" PRIMARY KEY ("organization_id", "user_id"),
    CONSTRAINT "removed_member_organization_id_fkey" FOREIGN KEY ("organization_id")
      REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "removed_member_user_id_fkey" FOREIGN KEY ("user_id")
      REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "removed_member_user_id_idx" ON "removed_member"("user_id");

-- The audit log knows who was removed before this table existed.
INSERT INTO "removed_member" ("organization_id", "user_id", "removed_at")
SELECT a."organization_id", a."target_id", max(a."at")
FROM "audit_log" a
JOIN "organization" o ON o."id" = a."organization_id"
JOIN "user" u ON u."id" = a."target_id"
WHERE a."action" = 'member.remove'
  AND NOT EXISTS (
    SELECT FROM "member" m WHERE m."organization_id" = a."organization_id" AND m."user_id" = a."target_id")
GROUP BY a."organization_id", a."target_id";

ALTER TABLE "removed_member" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "removed_member" TO "penstock_tenant"
  USING ("organization_id" = current_organization()) WITH CHECK ("organization_id" = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "removed_member" TO "penstock_tenant";
