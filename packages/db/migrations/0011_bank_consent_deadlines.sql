DROP INDEX "bank_consents_expiry";--> statement-breakpoint
ALTER TABLE "bank_consents" ADD COLUMN "reconfirm_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_consents" ADD COLUMN "disconnect_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "bank_consents_deadline" ON "bank_consents" USING btree (least(expires_at, reconfirm_by, disconnect_at)) WHERE status = 'AUTHORIZED';