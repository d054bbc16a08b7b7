DROP INDEX "events_of_type";--> statement-breakpoint
DROP INDEX "events_of_subject";--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "recorded_at" SET DEFAULT (date_part('epoch', clock_timestamp()) * 1000000)::bigint;--> statement-breakpoint
CREATE INDEX "events_of_other_type" ON "events" USING btree ("organization_id","type","id") WHERE type <> 'card_transaction.approved';--> statement-breakpoint
CREATE INDEX "events_of_other_subject" ON "events" USING btree ("organization_id","subject_id","id") WHERE right(id, 26) <> right(subject_id, 26);