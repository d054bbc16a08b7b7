CREATE TABLE "idempotency_results" (
	"organization_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"procedure" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"fingerprint" text NOT NULL,
	"output" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_results_organization_id_user_id_procedure_key_pk" PRIMARY KEY("organization_id","user_id","procedure","key")
);
--> statement-breakpoint
CREATE TABLE "outbox_jobs" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"payload" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outbox_jobs_organization_id_name_id_pk" PRIMARY KEY("organization_id","name","id")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "result_in" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "idempotency_results_age" ON "idempotency_results" USING btree ("created_at");