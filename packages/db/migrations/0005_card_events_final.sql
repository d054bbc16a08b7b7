ALTER TABLE "card_events" ADD COLUMN "final" boolean;--> statement-breakpoint
ALTER TABLE "card_events" ADD CONSTRAINT "card_events_final" CHECK (final IS NULL OR kind = 'CLEARING');