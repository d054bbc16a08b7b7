-- The timeline of the server's write-ahead log. A failover or a recovery starts a new one, in which transaction ids repeat
-- if transactions were lost. Zero where the ids are those of several servers, and on services that replicate by other means
-- than the log and refuse to tell the position in it.
DO $do$
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE partmethod = 'h') THEN RAISE feature_not_supported; END IF;
  END IF;
  PERFORM pg_walfile_name(pg_current_wal_lsn());
  CREATE FUNCTION server_timeline() RETURNS integer LANGUAGE sql
    AS $$ SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer $$;
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  CREATE FUNCTION server_timeline() RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT 0 $$;
END $do$;--> statement-breakpoint
ALTER TABLE "event_eras" DROP CONSTRAINT "event_eras_system_key";--> statement-breakpoint
ALTER TABLE "event_eras" ADD COLUMN "timeline" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "event_eras" SET "timeline" = server_timeline();--> statement-breakpoint
-- Also for a previous version, which knows nothing of timelines.
ALTER TABLE "event_eras" ALTER COLUMN "timeline" SET DEFAULT server_timeline();
