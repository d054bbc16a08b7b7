import { membershipRoles, organizationKeyAccesses } from "@purser/core";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { id, instant, isOneOf } from "./columns.ts";
import { users } from "./identity.ts";

/** Tenants. Also called teams by banking and billing. No caller sees those with `deletedAt`. */
export const organizations = pgTable("organizations", {
  id: id("id").primaryKey(),
  name: text("name").notNull(),
  avatarUrl: text("avatar_url"),
  timeZone: text("time_zone").notNull().default("UTC"),
  /** Whether a purchase beyond what is left of a limit is approved for what is left, where the merchant accepts it. */
  partialApprovals: boolean("partial_approvals").notNull().default(false),
  createdAt: instant("created_at").notNull(),
  /** Deleting is soft: ledgers and the audit trail stay, but no member sees the organization. */
  deletedAt: instant("deleted_at"),
});

/** Who belongs to an organization now. A member who left has no row; the audit trail has the history. */
export const memberships = pgTable(
  "memberships",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    userId: id("user_id")
      .notNull()
      .references(() => users.id),
    role: text("role", { enum: membershipRoles }).notNull(),
    isCreator: boolean("is_creator").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // A membership is reached by its id alone before its organization is known.
    unique("memberships_id_key").on(table.id),
    unique("memberships_user_key").on(table.organizationId, table.userId),
    uniqueIndex("memberships_creator_key")
      .on(table.organizationId)
      .where(sql`is_creator`),
    index("memberships_of_user").on(table.userId, table.organizationId),
    check("memberships_role", isOneOf("role", membershipRoles)),
    check("memberships_creator_owns", sql`role = 'OWNER' OR NOT is_creator`),
  ],
);

/** Open and expired invitations. An accepted, revoked or replaced one has no row. */
export const invitations = pgTable(
  "invitations",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    email: text("email").notNull(),
    role: text("role", { enum: membershipRoles }).notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // An invitation is reached by its id alone: the invited person is not a member yet.
    unique("invitations_id_key").on(table.id),
    unique("invitations_email_key").on(table.organizationId, table.email),
    // Where sign-up is by invitation, an address is looked up across organizations.
    index("invitations_of_email").on(table.email),
    check("invitations_role", isOneOf("role", membershipRoles)),
    check("invitations_email_lower", sql`email = lower(email)`),
  ],
);

/** API keys of organizations. The keys of users are in `api_keys`. */
export const organizationKeys = pgTable(
  "organization_keys",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    name: text("name").notNull(),
    access: text("access", { enum: organizationKeyAccesses }).notNull(),
    /** The first characters, for people to distinguish their keys. */
    start: text("start").notNull(),
    /** The key's SHA-256. The key itself is shown once and never stored. */
    hash: id("hash").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // A key is reached by its id alone before its organization is known.
    unique("organization_keys_id_key").on(table.id),
    // A request presents the key alone.
    unique("organization_keys_hash_key").on(table.hash),
    check("organization_keys_access", isOneOf("access", organizationKeyAccesses)),
  ],
);
