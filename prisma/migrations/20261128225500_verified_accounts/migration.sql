-- An account begins with a proven address (decision 0052). Rows from before are not checked: nobody can sign in to an account without one.
ALTER TABLE "user" ADD CONSTRAINT "user_email_verified_check" CHECK ("email_verified") NOT VALID;
