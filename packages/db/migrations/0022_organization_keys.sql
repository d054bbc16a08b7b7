CREATE TABLE "organization_keys" (
	"organization_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"access" text NOT NULL,
	"start" text NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "organization_keys_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "organization_keys_id_key" UNIQUE("id"),
	CONSTRAINT "organization_keys_hash_key" UNIQUE("hash"),
	CONSTRAINT "organization_keys_access" CHECK (access IN ('read', 'write'))
);
--> statement-breakpoint
ALTER TABLE "organization_keys" ADD CONSTRAINT "organization_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;