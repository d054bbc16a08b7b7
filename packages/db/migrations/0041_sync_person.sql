ALTER TABLE "bank_syncs" ADD COLUMN "person_address" text;--> statement-breakpoint
ALTER TABLE "bank_syncs" ADD COLUMN "person_at" timestamp (3) with time zone;