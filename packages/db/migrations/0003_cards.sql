CREATE TABLE "card_counters" (
	"organization_id" text COLLATE "C" NOT NULL,
	"card_id" text COLLATE "C" NOT NULL,
	"period" text NOT NULL,
	"starts_on" date NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "card_counters_organization_id_card_id_period_starts_on_pk" PRIMARY KEY("organization_id","card_id","period","starts_on"),
	CONSTRAINT "card_counters_period" CHECK (period IN ('DAY', 'WEEK', 'MONTH')),
	CONSTRAINT "card_counters_used" CHECK (used >= 0)
);
--> statement-breakpoint
CREATE TABLE "card_events" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"card_id" text COLLATE "C" NOT NULL,
	"transaction_id" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"network_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"counted" bigint NOT NULL,
	"decision" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_events_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "card_events_network_key" UNIQUE("organization_id","card_id","network_id"),
	CONSTRAINT "card_events_kind" CHECK (kind IN ('AUTHORIZATION', 'INCREMENT', 'REVERSAL', 'EXPIRY', 'CLEARING', 'REFUND'))
);
--> statement-breakpoint
CREATE TABLE "card_policies" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"spending_limit" bigint,
	"limit_interval" text,
	"allow_atm" boolean NOT NULL,
	"allow_online" boolean NOT NULL,
	"allow_international" boolean NOT NULL,
	"merchant_categories" text[] NOT NULL,
	"blocked_merchants" text[] NOT NULL,
	"active_from" timestamp (3) with time zone,
	"active_to" timestamp (3) with time zone,
	"days_of_week" smallint[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_policies_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "card_policies_interval" CHECK (limit_interval IN ('PER_TRANSACTION', 'DAILY', 'WEEKLY', 'MONTHLY')),
	CONSTRAINT "card_policies_limit" CHECK (spending_limit >= 0),
	CONSTRAINT "card_policies_active" CHECK (active_from < active_to),
	CONSTRAINT "card_policies_days" CHECK (days_of_week <@ '{0,1,2,3,4,5,6}')
);
--> statement-breakpoint
CREATE TABLE "card_transactions" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"card_id" text COLLATE "C" NOT NULL,
	"authorization_reference" text,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"merchant_name" text NOT NULL,
	"merchant_id" text,
	"merchant_category" text,
	"merchant_country" text,
	"channel" text NOT NULL,
	"description" text,
	"decline_reason" text,
	"authorized" bigint NOT NULL,
	"held" bigint NOT NULL,
	"cleared" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	"purchased_at" timestamp (3) with time zone NOT NULL,
	"local_day" date NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "card_transactions_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "card_transactions_authorization_key" UNIQUE("organization_id","card_id","authorization_reference"),
	CONSTRAINT "card_transactions_status" CHECK (status IN ('PENDING', 'COMPLETED', 'DECLINED')),
	CONSTRAINT "card_transactions_channel" CHECK (channel IN ('in_store', 'online', 'atm')),
	CONSTRAINT "card_transactions_declined" CHECK ((status = 'DECLINED') = (decline_reason IS NOT NULL)),
	CONSTRAINT "card_transactions_settled" CHECK ((status = 'COMPLETED') = (settled_at IS NOT NULL)),
	CONSTRAINT "card_transactions_held" CHECK (held >= 0 AND (status = 'PENDING' OR held = 0)),
	CONSTRAINT "card_transactions_cleared" CHECK (cleared >= 0 AND refunded >= 0 AND authorized >= 0)
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"assigned_to_id" text COLLATE "C" NOT NULL,
	"created_by_id" text COLLATE "C" NOT NULL,
	"funding_account_id" text COLLATE "C" NOT NULL,
	"policy_id" text COLLATE "C" NOT NULL,
	"nickname" text,
	"purpose" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"country" text NOT NULL,
	"issuer" text NOT NULL,
	"issuer_reference" text,
	"last_four" text,
	"expiry_month" smallint,
	"expiry_year" smallint,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"issued_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "cards_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "cards_reference_key" UNIQUE("issuer","issuer_reference"),
	CONSTRAINT "cards_status" CHECK (status IN ('ACTIVE', 'PAUSED', 'FROZEN', 'CLOSED')),
	CONSTRAINT "cards_purpose" CHECK (purpose IN ('PERSONAL', 'BUSINESS', 'ONLINE', 'SUBSCRIPTION')),
	CONSTRAINT "cards_closed" CHECK ((status = 'CLOSED') = (closed_at IS NOT NULL)),
	CONSTRAINT "cards_issued" CHECK (issued_at IS NULL OR (issuer_reference IS NOT NULL AND last_four ~ '^[0-9]{4}$')),
	CONSTRAINT "cards_expiry" CHECK (expiry_month BETWEEN 1 AND 12)
);
--> statement-breakpoint
ALTER TABLE "card_counters" ADD CONSTRAINT "card_counters_organization_id_card_id_cards_organization_id_id_fk" FOREIGN KEY ("organization_id","card_id") REFERENCES "public"."cards"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_events" ADD CONSTRAINT "card_events_organization_id_transaction_id_card_transactions_organization_id_id_fk" FOREIGN KEY ("organization_id","transaction_id") REFERENCES "public"."card_transactions"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_policies" ADD CONSTRAINT "card_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_transactions" ADD CONSTRAINT "card_transactions_organization_id_card_id_cards_organization_id_id_fk" FOREIGN KEY ("organization_id","card_id") REFERENCES "public"."cards"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_organization_id_funding_account_id_bank_accounts_organization_id_id_fk" FOREIGN KEY ("organization_id","funding_account_id") REFERENCES "public"."bank_accounts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_organization_id_policy_id_card_policies_organization_id_id_fk" FOREIGN KEY ("organization_id","policy_id") REFERENCES "public"."card_policies"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_events_of_transaction" ON "card_events" USING btree ("organization_id","transaction_id","id");--> statement-breakpoint
CREATE INDEX "card_transactions_of_card" ON "card_transactions" USING btree ("organization_id","card_id","id");--> statement-breakpoint
CREATE INDEX "card_transactions_by_status" ON "card_transactions" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "card_transactions_by_category" ON "card_transactions" USING btree ("organization_id","merchant_category","id");--> statement-breakpoint
CREATE INDEX "card_transactions_expiring" ON "card_transactions" USING btree ("expires_at") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "cards_of_assignee" ON "cards" USING btree ("organization_id","assigned_to_id","id");--> statement-breakpoint
CREATE INDEX "cards_of_policy" ON "cards" USING btree ("organization_id","policy_id");--> statement-breakpoint
CREATE INDEX "cards_unissued" ON "cards" USING btree ("created_at") WHERE issued_at IS NULL;