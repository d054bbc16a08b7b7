import { newId } from "@purser/core";
import { type Database, type Executor, deleteInBatches, sessions } from "@purser/db";
import { and, eq, inArray, lt, ne } from "drizzle-orm";

export async function insertSession(
  db: Executor,
  session: { userId: string; token: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { createdAt } = session;
  await db.insert(sessions).values({ ...session, id: newId("ses", createdAt), updatedAt: createdAt });
}

/** Extends a session, unless another request has extended it since it was read. */
export async function extendSession(
  db: Executor,
  { id, expiresAt }: { id: string; expiresAt: Date },
  extended: { updatedAt: Date; expiresAt: Date },
): Promise<void> {
  await db
    .update(sessions)
    .set(extended)
    .where(and(eq(sessions.id, id), eq(sessions.expiresAt, expiresAt)));
}

export async function deleteSession(db: Executor, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Deletes all sessions of the user of this session but this one. */
export async function deleteOtherSessions(db: Executor, token: string): Promise<void> {
  const owner = db.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.token, token));
  await db.delete(sessions).where(and(inArray(sessions.userId, owner), ne(sessions.token, token)));
}

export async function deleteExpiredSessions(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, sessions, lt(sessions.expiresAt, at));
}
