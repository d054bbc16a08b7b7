ALTER TABLE "card_transactions" ADD COLUMN "requested" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "partial_approvals" boolean DEFAULT false NOT NULL;