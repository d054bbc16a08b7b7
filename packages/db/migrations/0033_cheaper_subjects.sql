DROP INDEX "events_of_other_subject";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "is_indexed_by_subject" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "events_by_subject" ON "events" USING btree ("organization_id","subject_id","id") WHERE is_indexed_by_subject;