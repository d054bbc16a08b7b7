ALTER TABLE "card_transactions" ADD COLUMN "holder_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "first_holder_id" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "card_transactions_of_holder" ON "card_transactions" USING btree ("organization_id","holder_id","id") WHERE holder_id IS NOT NULL;--> statement-breakpoint
-- Cards that changed hands before this migration: the audit trail names their holders. Only their rows are rewritten.
UPDATE "cards" SET "first_holder_id" = (
  SELECT entry.details->'from'->>'assignedToId' FROM "audit_entries" entry
  WHERE entry.organization_id = "cards".organization_id AND entry.subject = "cards".id AND entry.action = 'cards.update'
    AND entry.details->'from'->>'assignedToId' <> entry.details->'to'->>'assignedToId'
  ORDER BY entry.id LIMIT 1
)
WHERE EXISTS (
  SELECT FROM "audit_entries" entry
  WHERE entry.organization_id = "cards".organization_id AND entry.subject = "cards".id AND entry.action = 'cards.update'
    AND entry.details->'from'->>'assignedToId' <> entry.details->'to'->>'assignedToId'
);--> statement-breakpoint
UPDATE "card_transactions" purchase SET "holder_id" = entry.details->'to'->>'assignedToId'
FROM "cards" card, "audit_entries" entry
WHERE card.organization_id = purchase.organization_id AND card.id = purchase.card_id AND card.first_holder_id IS NOT NULL
  AND entry.organization_id = card.organization_id AND entry.id = (
    SELECT last.id FROM "audit_entries" last
    WHERE last.organization_id = card.organization_id AND last.subject = card.id AND last.action = 'cards.update'
      AND last.details->'from'->>'assignedToId' <> last.details->'to'->>'assignedToId' AND last.at <= purchase.created_at
    ORDER BY last.id DESC LIMIT 1
  )
  AND entry.details->'to'->>'assignedToId' <> card.first_holder_id;--> statement-breakpoint
-- The previous version, which may still run, reassigns cards without the first holder.
CREATE FUNCTION set_card_first_holder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.first_holder_id := coalesce(NEW.first_holder_id, OLD.assigned_to_id);
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER set_first_holder BEFORE UPDATE OF assigned_to_id ON cards FOR EACH ROW
WHEN (NEW.assigned_to_id <> OLD.assigned_to_id) EXECUTE FUNCTION set_card_first_holder();
