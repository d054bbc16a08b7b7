CREATE TABLE "event_eras" (
	"era" integer PRIMARY KEY NOT NULL,
	"system_identifier" text NOT NULL,
	CONSTRAINT "event_eras_system_key" UNIQUE("system_identifier")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"era" integer NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"type" text NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"card_id" text COLLATE "C",
	"actor_id" text COLLATE "C",
	"actor_name" text,
	"data" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "events_type" CHECK (type IN ('organization.updated', 'organization.settings_updated', 'member.joined', 'member.role_updated', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.revoked', 'bank_connection.connected', 'bank_connection.synced', 'bank_connection.sync_failed', 'bank_connection.needs_reauthorization', 'bank_connection.consent_expiring', 'bank_connection.disconnected', 'bank_account.updated', 'bank_transactions.changed', 'card.created', 'card.updated', 'card.status_changed', 'card.assigned', 'card.revealed', 'card_policy.created', 'card_policy.updated', 'card_transaction.approved', 'card_transaction.declined', 'card_transaction.incremented', 'card_transaction.reversed', 'card_transaction.settled', 'card_transaction.refunded', 'card_transaction.expired', 'subscription.created', 'subscription.updated', 'subscription.past_due', 'subscription.canceled', 'subscription.renewed', 'webhook_endpoint.disabled', 'api_key.created', 'api_key.revoked'))
);
--> statement-breakpoint
CREATE TABLE "event_deliveries" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"endpoint_id" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"test_body" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_deliveries_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "event_deliveries_id_key" UNIQUE("id"),
	CONSTRAINT "event_deliveries_event_key" UNIQUE("organization_id","endpoint_id","event_id"),
	CONSTRAINT "event_deliveries_status" CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
	CONSTRAINT "event_deliveries_next" CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"url" text NOT NULL,
	"types" text[] NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"disabled_reason" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"era" integer NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease" text,
	"leased_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoints_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "webhook_endpoints_id_key" UNIQUE("id"),
	CONSTRAINT "webhook_endpoints_status" CHECK (status IN ('ENABLED', 'DISABLED')),
	CONSTRAINT "webhook_endpoints_reason" CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
	CONSTRAINT "webhook_endpoints_lease" CHECK ((lease IS NULL) = (leased_until IS NULL))
);
--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "assigned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_in_feed_order" ON "events" USING btree ("organization_id","era","transaction_id","id");--> statement-breakpoint
CREATE INDEX "events_of_type" ON "events" USING btree ("organization_id","type","id");--> statement-breakpoint
CREATE INDEX "events_of_subject" ON "events" USING btree ("organization_id","subject_id","id");--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "event_deliveries_of_endpoint" ON "event_deliveries" USING btree ("organization_id","endpoint_id","id");--> statement-breakpoint
CREATE INDEX "event_deliveries_due" ON "event_deliveries" USING btree ("organization_id","endpoint_id","next_attempt_at") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "event_deliveries_of_status" ON "event_deliveries" USING btree ("organization_id","status","id") WHERE status <> 'DELIVERED';--> statement-breakpoint
CREATE INDEX "event_deliveries_age" ON "event_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_due" ON "webhook_endpoints" USING btree ("due_at") WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_leased" ON "webhook_endpoints" USING btree ("leased_until") WHERE leased_until IS NOT NULL;