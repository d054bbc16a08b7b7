CREATE TABLE "bank_exchanges" (
	"organization_id" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"reference_hash" text NOT NULL,
	"institution_id" text NOT NULL,
	"consent_id" text COLLATE "C" NOT NULL,
	"token" text NOT NULL,
	"exchanged_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_exchanges_organization_id_provider_reference_hash_pk" PRIMARY KEY("organization_id","provider","reference_hash")
);
--> statement-breakpoint
ALTER TABLE "bank_links" ALTER COLUMN "institution_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_links" ADD COLUMN "state_hash" text;--> statement-breakpoint
ALTER TABLE "bank_links" ADD COLUMN "finished_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_exchanges" ADD CONSTRAINT "bank_exchanges_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bank_exchanges_age" ON "bank_exchanges" USING btree ("exchanged_at");--> statement-breakpoint
CREATE INDEX "bank_links_at_provider" ON "bank_links" USING btree ("provider","state_hash");--> statement-breakpoint
CREATE INDEX "bank_links_finished" ON "bank_links" USING btree ("finished_at") WHERE finished_at IS NOT NULL;