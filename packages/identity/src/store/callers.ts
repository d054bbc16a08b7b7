import { type Executor, apiKeys, prepareOnce, sessions, users } from "@purser/db";
import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";

const callerColumns = {
  userId: users.id,
  name: users.name,
  email: users.email,
  emailVerified: users.emailVerified,
  isAdministrator: sql<boolean>`${users.role} = 'admin'`,
};

const present = sql.param(sql.placeholder("now"), sessions.expiresAt);
const notBanned = or(eq(users.banned, false), lte(users.banExpires, present));

/** Returns the user of a session that is valid, with the session. Undefined for a banned user. */
export async function findSessionUser(db: Executor, token: string, now: Date) {
  const [found] = await sessionUser(db).execute({ token, now });
  return found;
}

// Every request with a credential of a user runs one of these two queries.
const sessionUser = prepareOnce((db) =>
  db
    .select({
      ...callerColumns,
      sessionId: sessions.id,
      expiresAt: sessions.expiresAt,
      updatedAt: sessions.updatedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, sql.placeholder("token")), gt(sessions.expiresAt, present), notBanned)),
);

/** Returns the user of the valid API key that is stored as `key`, with the key. Undefined for a banned user. */
export async function findApiKeyUser(db: Executor, key: string, now: Date) {
  const [found] = await apiKeyUser(db).execute({ key, now });
  return found;
}

const apiKeyUser = prepareOnce((db) =>
  db
    .select({ ...callerColumns, apiKeyId: apiKeys.id, lastRequest: apiKeys.lastRequest })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.referenceId))
    .where(
      and(
        eq(apiKeys.key, sql.placeholder("key")),
        eq(apiKeys.enabled, true),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, present)),
        notBanned,
      ),
    ),
);
