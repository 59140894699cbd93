-- Where the control plane reaches the owner. Null while a process of the previous release owns the cluster.
ALTER TABLE "metadata_lease" ADD COLUMN "owner_admin_url" TEXT;
