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
ALTER TABLE "cards" ADD COLUMN "assigned_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "events_in_feed_order" ON "events" USING btree ("organization_id","era","transaction_id","id");--> statement-breakpoint
CREATE INDEX "events_of_type" ON "events" USING btree ("organization_id","type","id");--> statement-breakpoint
CREATE INDEX "events_of_subject" ON "events" USING btree ("organization_id","subject_id","id");--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("created_at");