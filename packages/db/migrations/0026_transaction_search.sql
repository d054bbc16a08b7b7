DROP INDEX "bank_transactions_by_category";--> statement-breakpoint
ALTER TABLE "bank_transactions" ADD COLUMN "merchant_name" text;--> statement-breakpoint
ALTER TABLE "bank_transactions" ADD COLUMN "own_category" text;--> statement-breakpoint
ALTER TABLE "bank_transactions" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "bank_transactions" ADD COLUMN "search" "tsvector";--> statement-breakpoint
CREATE INDEX "bank_transactions_by_shown_category" ON "bank_transactions" USING btree ("organization_id",coalesce("own_category", "category"),"transaction_date","id") WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX "bank_transactions_search" ON "bank_transactions" USING gin ("search") WITH (gin_pending_list_limit=16384);--> statement-breakpoint
CREATE INDEX "bank_transactions_unsearchable" ON "bank_transactions" USING btree ("organization_id","id") WHERE search IS NULL;