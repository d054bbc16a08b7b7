ALTER TABLE "subscriptions" ADD COLUMN "paid_period_start" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_trial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What is active counted as paid, and was before a pause, and the provider's own status told a trial.
UPDATE "subscriptions" SET "paid_period_start" = "current_period_start",
  "is_trial" = coalesce("raw_status" IN ('trialing', 'on_trial'), false)
WHERE "status" = 'ACTIVE' OR "raw_status" = 'paused';
