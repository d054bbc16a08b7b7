CREATE TABLE "billing_catalogues" (
	"provider" text PRIMARY KEY NOT NULL,
	"plans" jsonb NOT NULL,
	"refreshed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_checkouts" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"plan_id" text NOT NULL,
	"variant_id" text NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"redirect_url" text NOT NULL,
	"status" text NOT NULL,
	"reference" text,
	"url" text,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_checkouts_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "billing_checkouts_id_key" UNIQUE("id"),
	CONSTRAINT "billing_checkouts_reference_key" UNIQUE("provider","reference"),
	CONSTRAINT "billing_checkouts_status" CHECK (status IN ('OPEN', 'COMPLETED', 'SUPERSEDED', 'EXPIRED')),
	CONSTRAINT "billing_checkouts_answered" CHECK ((reference IS NULL) = (url IS NULL))
);
--> statement-breakpoint
CREATE TABLE "billing_customers" (
	"organization_id" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_customers_organization_id_provider_pk" PRIMARY KEY("organization_id","provider")
);
--> statement-breakpoint
CREATE TABLE "local_checkouts" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"reference" text NOT NULL,
	"email" text NOT NULL,
	"plan_id" text NOT NULL,
	"variant_id" text NOT NULL,
	"return_url" text NOT NULL,
	"subscription_id" text COLLATE "C",
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "local_checkouts_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "local_checkouts_reference_key" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "local_invoices" (
	"organization_id" text COLLATE "C" NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"number" integer NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"period_end" timestamp (3) with time zone NOT NULL,
	"attempts" smallint NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "local_invoices_organization_id_subscription_id_number_pk" PRIMARY KEY("organization_id","subscription_id","number"),
	CONSTRAINT "local_invoices_number" CHECK (number > 0),
	CONSTRAINT "local_invoices_status" CHECK (status IN ('open', 'paid', 'uncollectible')),
	CONSTRAINT "local_invoices_paid" CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
	CONSTRAINT "local_invoices_retried" CHECK (next_attempt_at IS NULL OR status = 'open'),
	CONSTRAINT "local_invoices_amount" CHECK (amount >= 0 AND attempts >= 0)
);
--> statement-breakpoint
CREATE TABLE "local_portals" (
	"organization_id" text COLLATE "C" NOT NULL,
	"token_hash" text NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"return_url" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "local_portals_organization_id_token_hash_pk" PRIMARY KEY("organization_id","token_hash"),
	CONSTRAINT "local_portals_token_key" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "local_subscriptions" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"plan_id" text NOT NULL,
	"variant_id" text NOT NULL,
	"status" text NOT NULL,
	"anchor" timestamp (3) with time zone NOT NULL,
	"current_period_start" timestamp (3) with time zone NOT NULL,
	"current_period_end" timestamp (3) with time zone NOT NULL,
	"canceled_at" timestamp (3) with time zone,
	"cancel_at_period_end" boolean NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"present_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"card_behavior" text NOT NULL,
	"card_brand" text NOT NULL,
	"card_last_four" text NOT NULL,
	"card_expiry_month" smallint NOT NULL,
	"card_expiry_year" smallint NOT NULL,
	CONSTRAINT "local_subscriptions_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "local_subscriptions_id_key" UNIQUE("id"),
	CONSTRAINT "local_subscriptions_status" CHECK (status IN ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled')),
	CONSTRAINT "local_subscriptions_period" CHECK (current_period_start < current_period_end),
	CONSTRAINT "local_subscriptions_ended" CHECK ((status = 'canceled') = (ended_at IS NOT NULL)),
	CONSTRAINT "local_subscriptions_due" CHECK ((status = 'canceled') = (due_at IS NULL)),
	CONSTRAINT "local_subscriptions_card" CHECK (card_behavior IN ('succeeds', 'fails', 'authenticates')),
	CONSTRAINT "local_subscriptions_card_last_four" CHECK (card_last_four ~ '^[0-9]{4}$'),
	CONSTRAINT "local_subscriptions_card_expiry" CHECK (card_expiry_month BETWEEN 1 AND 12)
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "raw_status" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "billing_checkouts" ADD CONSTRAINT "billing_checkouts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_customers" ADD CONSTRAINT "billing_customers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_checkouts" ADD CONSTRAINT "local_checkouts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_checkouts" ADD CONSTRAINT "local_checkouts_organization_id_subscription_id_local_subscriptions_organization_id_id_fk" FOREIGN KEY ("organization_id","subscription_id") REFERENCES "public"."local_subscriptions"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_invoices" ADD CONSTRAINT "local_invoices_organization_id_subscription_id_local_subscriptions_organization_id_id_fk" FOREIGN KEY ("organization_id","subscription_id") REFERENCES "public"."local_subscriptions"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_portals" ADD CONSTRAINT "local_portals_organization_id_subscription_id_local_subscriptions_organization_id_id_fk" FOREIGN KEY ("organization_id","subscription_id") REFERENCES "public"."local_subscriptions"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_subscriptions" ADD CONSTRAINT "local_subscriptions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "billing_checkouts_one_open" ON "billing_checkouts" USING btree ("organization_id") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "billing_checkouts_open" ON "billing_checkouts" USING btree ("created_at") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "local_checkouts_unused" ON "local_checkouts" USING btree ("expires_at") WHERE subscription_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "local_invoices_one_open" ON "local_invoices" USING btree ("organization_id","subscription_id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "local_portals_age" ON "local_portals" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "local_subscriptions_due" ON "local_subscriptions" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("current_period_end") WHERE status <> 'CANCELED';