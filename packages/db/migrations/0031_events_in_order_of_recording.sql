-- The snapshot is taken inside the function: a statement may record its event after it has waited for a lock, and its own
-- snapshot is older than that. PL/pgSQL takes one for each expression; a function in SQL would be inlined, and take none.
CREATE FUNCTION event_transaction_id() RETURNS xid8 LANGUAGE plpgsql AS $$
BEGIN
  RETURN greatest(
    pg_current_xact_id(),
    (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8
  );
END
$$;--> statement-breakpoint
DROP INDEX "events_in_feed_order";--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "transaction_id" SET DEFAULT event_transaction_id();--> statement-breakpoint
-- A constant first: the events that are there keep their order, and the table is not rewritten.
ALTER TABLE "events" ADD COLUMN "recorded_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "recorded_at" SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "recorded_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "events_in_feed_order" ON "events" USING btree ("organization_id","era","transaction_id","recorded_at","id");
