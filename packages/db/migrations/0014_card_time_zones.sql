ALTER TABLE "cards" ADD COLUMN "time_zone" text;--> statement-breakpoint
UPDATE "cards" SET "time_zone" = organizations.time_zone FROM organizations WHERE organizations.id = organization_id;--> statement-breakpoint
ALTER TABLE "cards" ALTER COLUMN "time_zone" SET NOT NULL;--> statement-breakpoint
-- The previous version, which may still run, inserts cards without a time zone.
CREATE FUNCTION set_card_time_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.time_zone := coalesce(NEW.time_zone, (SELECT time_zone FROM organizations WHERE id = NEW.organization_id));
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER set_time_zone BEFORE INSERT ON cards FOR EACH ROW EXECUTE FUNCTION set_card_time_zone();
