CREATE TABLE "card_reveals" (
	"organization_id" text COLLATE "C" NOT NULL,
	"hash" text NOT NULL,
	"card_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone,
	CONSTRAINT "card_reveals_organization_id_hash_pk" PRIMARY KEY("organization_id","hash")
);
--> statement-breakpoint
ALTER TABLE "card_reveals" ADD CONSTRAINT "card_reveals_organization_id_card_id_cards_organization_id_id_fk" FOREIGN KEY ("organization_id","card_id") REFERENCES "public"."cards"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_reveals_expiry" ON "card_reveals" USING btree ("expires_at");