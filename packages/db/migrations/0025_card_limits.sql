ALTER TABLE "card_policies" ADD COLUMN "further_limits" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "card_policies" ADD COLUMN "blocked_merchant_categories" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "card_policies" ADD COLUMN "allowed_merchants" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "counters_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "card_policies" ADD CONSTRAINT "card_policies_further_limits" CHECK (jsonb_typeof(further_limits) = 'array');