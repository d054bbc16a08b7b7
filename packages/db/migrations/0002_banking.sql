CREATE TABLE "bank_account_sources" (
	"organization_id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"superseded_at" timestamp (3) with time zone,
	CONSTRAINT "bank_account_sources_organization_id_connection_id_external_id_pk" PRIMARY KEY("organization_id","connection_id","external_id")
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"account_number" text,
	"sort_code" text,
	"identifiers" text NOT NULL,
	"identity_hashes" text[] NOT NULL,
	"currency" text NOT NULL,
	"type" text NOT NULL,
	"balance" bigint NOT NULL,
	"available_balance" bigint,
	"transaction_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_accounts_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "bank_accounts_type" CHECK (type IN ('CHECKING', 'SAVINGS', 'CREDIT', 'INVESTMENT')),
	CONSTRAINT "bank_accounts_count" CHECK (transaction_count >= 0)
);
--> statement-breakpoint
CREATE TABLE "bank_connections" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"institution_id" text NOT NULL,
	"institution_name" text NOT NULL,
	"institution_country" text NOT NULL,
	"status" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"cursor" text,
	"attention" text,
	"synced_at" timestamp (3) with time zone,
	"next_sync_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disconnected_at" timestamp (3) with time zone,
	CONSTRAINT "bank_connections_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "bank_connections_status" CHECK (status IN ('ACTIVE', 'DISCONNECTED')),
	CONSTRAINT "bank_connections_disconnected" CHECK ((status = 'DISCONNECTED') = (disconnected_at IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "bank_consents" (
	"organization_id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"reference_hash" text NOT NULL,
	"token" text,
	"status" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"granted_scopes" text[],
	"granted_until" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"reminded_days" smallint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_consents_organization_id_connection_id_id_pk" PRIMARY KEY("organization_id","connection_id","id"),
	CONSTRAINT "bank_consents_id_key" UNIQUE("organization_id","provider","id"),
	CONSTRAINT "bank_consents_reference_key" UNIQUE("organization_id","provider","reference_hash"),
	CONSTRAINT "bank_consents_status" CHECK (status IN ('AUTHORIZED', 'REVOKED')),
	CONSTRAINT "bank_consents_revoked" CHECK ((status = 'REVOKED') = (revoked_at IS NOT NULL)),
	CONSTRAINT "bank_consents_erased" CHECK (status = 'AUTHORIZED' OR token IS NULL)
);
--> statement-breakpoint
CREATE TABLE "bank_links" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"institution_id" text NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C",
	"redirect_url" text NOT NULL,
	"state" text NOT NULL,
	"reference_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_links_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "bank_links_id_key" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "bank_quarantine" (
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"reason" text NOT NULL,
	"facts" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_quarantine_organization_id_account_id_connection_id_external_id_reason_pk" PRIMARY KEY("organization_id","account_id","connection_id","external_id","reason"),
	CONSTRAINT "bank_quarantine_reason" CHECK (reason IN ('DIFFERENT_AMOUNT', 'MISSING_FROM_WINDOW'))
);
--> statement-breakpoint
CREATE TABLE "bank_sync_pages" (
	"organization_id" text COLLATE "C" NOT NULL,
	"sync_id" text COLLATE "C" NOT NULL,
	"number" integer NOT NULL,
	"items" text NOT NULL,
	CONSTRAINT "bank_sync_pages_organization_id_sync_id_number_pk" PRIMARY KEY("organization_id","sync_id","number")
);
--> statement-breakpoint
CREATE TABLE "bank_syncs" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C" NOT NULL,
	"trigger" text NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"heartbeat_at" timestamp (3) with time zone,
	"added" integer DEFAULT 0 NOT NULL,
	"modified" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"error_code" text,
	CONSTRAINT "bank_syncs_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "bank_syncs_trigger" CHECK (trigger IN ('CONNECT', 'MANUAL', 'SCHEDULE', 'WEBHOOK')),
	CONSTRAINT "bank_syncs_status" CHECK (status IN ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED')),
	CONSTRAINT "bank_syncs_finished" CHECK ((status IN ('SUCCEEDED', 'FAILED')) = (finished_at IS NOT NULL)),
	CONSTRAINT "bank_syncs_failed" CHECK ((status = 'FAILED') = (error_code IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "bank_transactions" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"connection_id" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"raw_amount" text NOT NULL,
	"currency" text NOT NULL,
	"type" text NOT NULL,
	"description" text NOT NULL,
	"transaction_date" date NOT NULL,
	"category" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_transactions_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "bank_transactions_external_key" UNIQUE("organization_id","account_id","connection_id","external_id"),
	CONSTRAINT "bank_transactions_status" CHECK (status IN ('PENDING', 'POSTED', 'REMOVED')),
	CONSTRAINT "bank_transactions_type" CHECK (type IN ('CREDIT', 'DEBIT')),
	CONSTRAINT "bank_transactions_amount" CHECK (amount >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_bank_accounts" (
	"organization_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"account" smallint NOT NULL,
	"booked" bigint NOT NULL,
	"pending" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "sandbox_bank_accounts_organization_id_customer_id_account_pk" PRIMARY KEY("organization_id","customer_id","account"),
	CONSTRAINT "sandbox_bank_accounts_account" CHECK (account >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_bank_consents" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"hosted" boolean NOT NULL,
	"status" text NOT NULL,
	"scopes" text[] NOT NULL,
	"accounts" smallint[],
	"days" smallint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_bank_consents_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "sandbox_bank_consents_status" CHECK (status IN ('AUTHORIZED', 'REAUTHORIZATION_REQUIRED', 'REVOKED')),
	CONSTRAINT "sandbox_bank_consents_days" CHECK (days > 0),
	CONSTRAINT "sandbox_bank_consents_end" CHECK (NOT hosted OR expires_at IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "sandbox_bank_customers" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"institution_id" text NOT NULL,
	"name" text NOT NULL,
	"opened_on" date NOT NULL,
	"advanced_to" date,
	"last_number" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sandbox_bank_customers_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "sandbox_bank_customers_number" CHECK (last_number >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_bank_entries" (
	"organization_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"transaction" integer NOT NULL,
	"replaces" integer,
	"account" smallint NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"type" text NOT NULL,
	"description" text NOT NULL,
	"category" text,
	"date" date NOT NULL,
	"settles_on" date,
	CONSTRAINT "sandbox_bank_entries_organization_id_customer_id_number_pk" PRIMARY KEY("organization_id","customer_id","number"),
	CONSTRAINT "sandbox_bank_entries_kind" CHECK (kind IN ('ADDED', 'MODIFIED', 'REMOVED')),
	CONSTRAINT "sandbox_bank_entries_first" CHECK ((kind = 'ADDED') = (transaction = number)),
	CONSTRAINT "sandbox_bank_entries_status" CHECK (status IN ('PENDING', 'POSTED')),
	CONSTRAINT "sandbox_bank_entries_settling" CHECK (settles_on IS NULL OR status = 'PENDING'),
	CONSTRAINT "sandbox_bank_entries_type" CHECK (type IN ('CREDIT', 'DEBIT')),
	CONSTRAINT "sandbox_bank_entries_amount" CHECK (amount >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_bank_faults" (
	"organization_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"fault" text NOT NULL,
	"times" integer,
	"retry_after_seconds" integer,
	"milliseconds" integer,
	CONSTRAINT "sandbox_bank_faults_organization_id_customer_id_fault_pk" PRIMARY KEY("organization_id","customer_id","fault"),
	CONSTRAINT "sandbox_bank_faults_times" CHECK (times >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_bank_links" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"institution_id" text NOT NULL,
	"customer_name" text,
	"return_url" text NOT NULL,
	"status" text NOT NULL,
	"consent_id" text COLLATE "C",
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_bank_links_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "sandbox_bank_links_id_key" UNIQUE("id"),
	CONSTRAINT "sandbox_bank_links_status" CHECK (status IN ('OPEN', 'APPROVED', 'REFUSED')),
	CONSTRAINT "sandbox_bank_links_approved" CHECK ((status = 'APPROVED') = (consent_id IS NOT NULL))
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_account_sources" ADD CONSTRAINT "bank_account_sources_organization_id_connection_id_bank_connections_organization_id_id_fk" FOREIGN KEY ("organization_id","connection_id") REFERENCES "public"."bank_connections"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_account_sources" ADD CONSTRAINT "bank_account_sources_organization_id_account_id_bank_accounts_organization_id_id_fk" FOREIGN KEY ("organization_id","account_id") REFERENCES "public"."bank_accounts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_organization_id_connection_id_bank_connections_organization_id_id_fk" FOREIGN KEY ("organization_id","connection_id") REFERENCES "public"."bank_connections"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_connections" ADD CONSTRAINT "bank_connections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_consents" ADD CONSTRAINT "bank_consents_organization_id_connection_id_bank_connections_organization_id_id_fk" FOREIGN KEY ("organization_id","connection_id") REFERENCES "public"."bank_connections"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_links" ADD CONSTRAINT "bank_links_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_quarantine" ADD CONSTRAINT "bank_quarantine_organization_id_account_id_bank_accounts_organization_id_id_fk" FOREIGN KEY ("organization_id","account_id") REFERENCES "public"."bank_accounts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_sync_pages" ADD CONSTRAINT "bank_sync_pages_organization_id_sync_id_bank_syncs_organization_id_id_fk" FOREIGN KEY ("organization_id","sync_id") REFERENCES "public"."bank_syncs"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_syncs" ADD CONSTRAINT "bank_syncs_organization_id_connection_id_bank_connections_organization_id_id_fk" FOREIGN KEY ("organization_id","connection_id") REFERENCES "public"."bank_connections"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transactions" ADD CONSTRAINT "bank_transactions_organization_id_account_id_bank_accounts_organization_id_id_fk" FOREIGN KEY ("organization_id","account_id") REFERENCES "public"."bank_accounts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_accounts" ADD CONSTRAINT "sandbox_bank_accounts_organization_id_customer_id_sandbox_bank_customers_organization_id_id_fk" FOREIGN KEY ("organization_id","customer_id") REFERENCES "public"."sandbox_bank_customers"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_consents" ADD CONSTRAINT "sandbox_bank_consents_organization_id_customer_id_sandbox_bank_customers_organization_id_id_fk" FOREIGN KEY ("organization_id","customer_id") REFERENCES "public"."sandbox_bank_customers"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_customers" ADD CONSTRAINT "sandbox_bank_customers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_entries" ADD CONSTRAINT "sandbox_bank_entries_organization_id_customer_id_account_sandbox_bank_accounts_organization_id_customer_id_account_fk" FOREIGN KEY ("organization_id","customer_id","account") REFERENCES "public"."sandbox_bank_accounts"("organization_id","customer_id","account") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_faults" ADD CONSTRAINT "sandbox_bank_faults_organization_id_customer_id_sandbox_bank_customers_organization_id_id_fk" FOREIGN KEY ("organization_id","customer_id") REFERENCES "public"."sandbox_bank_customers"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_links" ADD CONSTRAINT "sandbox_bank_links_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_bank_links" ADD CONSTRAINT "sandbox_bank_links_organization_id_consent_id_sandbox_bank_consents_organization_id_id_fk" FOREIGN KEY ("organization_id","consent_id") REFERENCES "public"."sandbox_bank_consents"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_account_sources_current" ON "bank_account_sources" USING btree ("organization_id","account_id") WHERE superseded_at IS NULL;--> statement-breakpoint
CREATE INDEX "bank_accounts_of_connection" ON "bank_accounts" USING btree ("organization_id","connection_id");--> statement-breakpoint
CREATE INDEX "bank_connections_due" ON "bank_connections" USING btree ("next_sync_at") WHERE next_sync_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_consents_at_provider" ON "bank_consents" USING btree ("provider","id");--> statement-breakpoint
CREATE INDEX "bank_consents_expiry" ON "bank_consents" USING btree ("expires_at") WHERE status = 'AUTHORIZED';--> statement-breakpoint
CREATE INDEX "bank_links_age" ON "bank_links" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_syncs_queued" ON "bank_syncs" USING btree ("organization_id","connection_id") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE UNIQUE INDEX "bank_syncs_running" ON "bank_syncs" USING btree ("organization_id","connection_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "bank_syncs_of_connection" ON "bank_syncs" USING btree ("organization_id","connection_id","id");--> statement-breakpoint
CREATE INDEX "bank_syncs_unfinished" ON "bank_syncs" USING btree ("started_at") WHERE status IN ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "bank_transactions_listed" ON "bank_transactions" USING btree ("organization_id","transaction_date","id") WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX "bank_transactions_of_account" ON "bank_transactions" USING btree ("organization_id","account_id","transaction_date","id") WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX "bank_transactions_by_category" ON "bank_transactions" USING btree ("organization_id","category","transaction_date","id") WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX "bank_transactions_by_type" ON "bank_transactions" USING btree ("organization_id","type","transaction_date","id") WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX "bank_transactions_pending" ON "bank_transactions" USING btree ("organization_id","account_id","amount") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "sandbox_bank_entries_of_transaction" ON "sandbox_bank_entries" USING btree ("organization_id","customer_id","transaction","number");--> statement-breakpoint
CREATE INDEX "sandbox_bank_entries_settling" ON "sandbox_bank_entries" USING btree ("organization_id","customer_id","settles_on") WHERE settles_on IS NOT NULL;--> statement-breakpoint
CREATE INDEX "sandbox_bank_links_age" ON "sandbox_bank_links" USING btree ("expires_at");