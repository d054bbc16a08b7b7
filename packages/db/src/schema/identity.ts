import { userRoles } from "@purser/core";
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { id, instant, isOneOf } from "./columns.ts";

// better-auth reads and writes these tables, so the property names are its field names.

/** People who can sign in. `role` is theirs in the service, not in an organization. */
export const users = pgTable(
  "users",
  {
    id: id("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").notNull(),
    image: text("image"),
    role: text("role", { enum: userRoles }).notNull().default("user"),
    banned: boolean("banned").notNull().default(false),
    banReason: text("ban_reason"),
    /** Null for a ban without an end. */
    banExpires: instant("ban_expires"),
    twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    unique("users_email_key").on(table.email),
    check("users_email_lower", sql`email = lower(email)`),
    check("users_role", isOneOf("role", userRoles)),
  ],
);

/** Sign-ins. They are read for each request, so a deleted one is refused at once. */
export const sessions = pgTable(
  "sessions",
  {
    id: id("id").primaryKey(),
    /** The value in the signed cookie and the bearer token. */
    token: id("token").notNull(),
    userId: id("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: instant("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    /** The admin plugin requires this column. Impersonation is disabled, and the CHECK enforces that. */
    impersonatedBy: id("impersonated_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    unique("sessions_token_key").on(table.token),
    index("sessions_of_user").on(table.userId),
    index("sessions_age").on(table.expiresAt),
    check("sessions_not_impersonated", sql`impersonated_by IS NULL`),
  ],
);

/** How a user signs in: for `credential`, the password's hash. */
export const accounts = pgTable(
  "accounts",
  {
    id: id("id").primaryKey(),
    providerId: text("provider_id").notNull(),
    accountId: id("account_id").notNull(),
    userId: id("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    password: text("password"),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: instant("access_token_expires_at"),
    refreshTokenExpiresAt: instant("refresh_token_expires_at"),
    scope: text("scope"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    unique("accounts_provider_key").on(table.providerId, table.accountId),
    index("accounts_of_user").on(table.userId),
  ],
);

/** The single-use secret of a mailed link or an unfinished sign-in. */
export const verifications = pgTable(
  "verifications",
  {
    id: id("id").primaryKey(),
    identifier: id("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("verifications_of_identifier").on(table.identifier),
    index("verifications_age").on(table.expiresAt),
  ],
);

/** Keys of users, by their hash. Those of organizations are in `organizationKeys`. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: id("id").primaryKey(),
    configId: text("config_id").notNull(),
    name: text("name"),
    /** The first characters, for people to distinguish their keys. */
    start: text("start"),
    prefix: text("prefix"),
    /** The key's SHA-256; the key itself is shown once and never stored. */
    key: id("key").notNull(),
    /** The user it belongs to, by better-auth's name. */
    referenceId: id("reference_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    enabled: boolean("enabled").notNull().default(true),
    expiresAt: instant("expires_at"),
    lastRequest: instant("last_request"),
    requestCount: integer("request_count").notNull().default(0),
    remaining: integer("remaining"),
    refillInterval: integer("refill_interval"),
    refillAmount: integer("refill_amount"),
    lastRefillAt: instant("last_refill_at"),
    rateLimitEnabled: boolean("rate_limit_enabled").notNull().default(false),
    rateLimitTimeWindow: integer("rate_limit_time_window"),
    rateLimitMax: integer("rate_limit_max"),
    permissions: text("permissions"),
    metadata: text("metadata"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    unique("api_keys_key_key").on(table.key),
    index("api_keys_of_user").on(table.referenceId),
    // A metered key would need a write on every request, so ours are not metered.
    check("api_keys_unmetered", sql`remaining IS NULL`),
  ],
);

export const twoFactors = pgTable(
  "two_factors",
  {
    id: id("id").primaryKey(),
    userId: id("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Secret and backup codes are encrypted by better-auth with AUTH_SECRET. */
    secret: text("secret").notNull(),
    backupCodes: text("backup_codes").notNull(),
    verified: boolean("verified").notNull().default(true),
    failedVerificationCount: integer("failed_verification_count").notNull().default(0),
    lockedUntil: instant("locked_until"),
  },
  (table) => [unique("two_factors_of_user").on(table.userId)],
);
