CREATE INDEX "webhook_events_age" ON "webhook_events" USING btree ("received_at");
--> statement-breakpoint
-- Providers repeat an event for days. Older events may be deleted, which is how the retention works.
CREATE FUNCTION refuse_recent_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.received_at < now() - interval '7 days' THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
DROP TRIGGER append_only ON webhook_events;
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON webhook_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER keep_recent BEFORE DELETE ON webhook_events
  FOR EACH ROW EXECUTE FUNCTION refuse_recent_delete();
