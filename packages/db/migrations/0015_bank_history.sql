ALTER TABLE "bank_quarantine" DROP CONSTRAINT "bank_quarantine_reason";--> statement-breakpoint
ALTER TABLE "bank_quarantine" DROP CONSTRAINT "bank_quarantine_organization_id_account_id_connection_id_external_id_reason_pk";--> statement-breakpoint
ALTER TABLE "bank_quarantine" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD COLUMN "id" text COLLATE "C" DEFAULT 'bqu_0' || substr(md5(gen_random_uuid()::text), 1, 25) NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD CONSTRAINT "bank_quarantine_organization_id_id_pk" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD COLUMN "transaction_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD COLUMN "resolved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_transactions" ADD COLUMN "id_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "id_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_connections" ADD COLUMN "backfilling" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_quarantine_of_transaction" ON "bank_quarantine" USING btree ("organization_id","transaction_id") WHERE transaction_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_quarantine_age" ON "bank_quarantine" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "bank_syncs_age" ON "bank_syncs" USING btree ("finished_at");--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD CONSTRAINT "bank_quarantine_key" UNIQUE NULLS NOT DISTINCT("organization_id","account_id","connection_id","external_id","reason");--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD CONSTRAINT "bank_quarantine_resolution" CHECK (resolution IN ('ACCEPTED', 'REJECTED'));--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD CONSTRAINT "bank_quarantine_resolved" CHECK ((resolution IS NULL) = (resolved_at IS NULL));--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD CONSTRAINT "bank_quarantine_reason" CHECK (reason IN ('DIFFERENT_AMOUNT', 'MISSING_FROM_WINDOW', 'UNREADABLE', 'UNKNOWN_ACCOUNT'));