-- Before this transaction id, nothing can be recorded any more. PostgreSQL puts the expression in place of the call. On a cluster,
-- ids of events are ahead of those of transactions after a failover, and this function is another one ("distribute.ts").
CREATE FUNCTION feed_horizon() RETURNS xid8 LANGUAGE sql STABLE AS $$ SELECT pg_snapshot_xmin(pg_current_snapshot()) $$;
