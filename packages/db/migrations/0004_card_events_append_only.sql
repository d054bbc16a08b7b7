-- What the network has told stays on record.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON card_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
