ALTER TABLE "card_events" DROP CONSTRAINT "card_events_kind";--> statement-breakpoint
-- NOT VALID: the constraint only allows more than before, and a scan of all events would hold up decisions.
ALTER TABLE "card_events" ADD CONSTRAINT "card_events_kind" CHECK (kind IN ('AUTHORIZATION', 'INCREMENT', 'REVERSAL', 'EXPIRY', 'CLEARING', 'REFUND', 'DISPUTE_CREDIT', 'DISPUTE_DEBIT')) NOT VALID;
