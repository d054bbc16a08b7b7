ALTER TABLE "events" DROP CONSTRAINT "events_type";--> statement-breakpoint
DROP INDEX "events_age";