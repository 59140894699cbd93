-- Who is told of findings by mail, where somebody chose otherwise than by role. It ends with the membership.
CREATE TABLE "alert_choice" (
    "member_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "is_told" BOOLEAN NOT NULL,

    CONSTRAINT "alert_choice_pkey" PRIMARY KEY ("member_id")
);

CREATE INDEX "alert_choice_organization_id_idx" ON "alert_choice"("organization_id");

ALTER TABLE "alert_choice" ADD CONSTRAINT "alert_choice_member_id_fkey"
  FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "alert_choice" ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "alert_choice" TO penstock_tenant USING (organization_id = current_organization())
  WITH CHECK (organization_id = current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON "alert_choice" TO penstock_tenant;
