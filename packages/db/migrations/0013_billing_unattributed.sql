CREATE TABLE "billing_unattributed" (
	"provider" text NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"customer_id" text NOT NULL,
	"raw_status" text NOT NULL,
	"plan_id" text NOT NULL,
	"is_paid" boolean NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_unattributed_provider_id_pk" PRIMARY KEY("provider","id")
);
