CREATE TABLE "card_spending_folds" (
	"organization_id" text COLLATE "C" NOT NULL,
	"time_zone" text NOT NULL,
	"folded_until" date,
	CONSTRAINT "card_spending_folds_organization_id_pk" PRIMARY KEY("organization_id")
);
--> statement-breakpoint
CREATE TABLE "card_spending_totals" (
	"organization_id" text COLLATE "C" NOT NULL,
	"group_by" text NOT NULL,
	"monthly" boolean NOT NULL,
	"starts_on" date NOT NULL,
	"currency" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"label" text NOT NULL,
	"approved" bigint NOT NULL,
	"declined" bigint NOT NULL,
	"count" integer NOT NULL,
	"declined_count" integer NOT NULL,
	CONSTRAINT "card_spending_totals_pk" PRIMARY KEY("organization_id","group_by","monthly","starts_on","currency","key"),
	CONSTRAINT "card_spending_totals_group_by" CHECK (group_by IN ('card', 'merchant', 'category', 'day'))
);
--> statement-breakpoint
ALTER TABLE "card_spending_folds" ADD CONSTRAINT "card_spending_folds_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;