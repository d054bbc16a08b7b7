CREATE TABLE "bank_daily_totals" (
	"organization_id" text COLLATE "C" NOT NULL,
	"by_category" boolean NOT NULL,
	"day" date NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"currency" text NOT NULL,
	"category" text NOT NULL,
	"money_in" bigint NOT NULL,
	"money_out" bigint NOT NULL,
	CONSTRAINT "bank_daily_totals_pk" PRIMARY KEY("organization_id","by_category","day","account_id","currency","category")
);
--> statement-breakpoint
ALTER TABLE "bank_connections" ADD COLUMN "totaled_at" timestamp (3) with time zone;
--> statement-breakpoint
INSERT INTO "bank_daily_totals" ("organization_id", "by_category", "day", "account_id", "currency", "category", "money_in", "money_out")
SELECT "organization_id", grouping(coalesce("category", '')) = 0, "transaction_date", "account_id", "currency",
	coalesce(coalesce("category", ''), ''), coalesce(sum("amount") FILTER (WHERE "type" = 'CREDIT'), 0),
	coalesce(sum("amount") FILTER (WHERE "type" = 'DEBIT'), 0)
FROM "bank_transactions" WHERE "status" = 'POSTED'
GROUP BY "organization_id", "transaction_date", "account_id", "currency", GROUPING SETS ((coalesce("category", '')), ());--> statement-breakpoint
UPDATE "bank_connections" SET "totaled_at" = "synced_at" WHERE "synced_at" IS NOT NULL;
