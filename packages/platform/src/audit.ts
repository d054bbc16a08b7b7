import { newId } from "@purser/core";
import { type Executor, type Transaction, auditEntries } from "@purser/db";
import { and, desc, eq, lt } from "drizzle-orm";
import type { UserContext } from "./context.ts";

interface Act {
  organizationId: string;
  /** The identifier of what was acted upon. */
  subject: string;
  /** What changed, without secrets. */
  details?: Record<string, unknown>;
}

/** Who acts, for the record; null for a job or an operator, whom no organization knows. */
export interface Actor {
  actor: { id: string; name: string } | null;
  /** The procedure, or the name of what was done without one. */
  action: string;
}

/** The caller of a procedure. */
export const actorOf = ({ caller, procedure }: UserContext): Actor => ({
  actor: { id: caller.userId, name: caller.name },
  action: procedure,
});

/** Puts on record, in the transaction that does it, what the caller did in an organization. */
export function audit(ctx: UserContext, transaction: Transaction, act: Act): Promise<void> {
  return recordAudit(transaction, { ...act, ...actorOf(ctx), at: ctx.clock.now() });
}

/** The same for what no procedure did: a job, or an operator at the command line. */
export async function recordAudit(
  transaction: Transaction,
  entry: Act & Actor & { at: Date },
): Promise<void> {
  const { actor, details = {}, ...facts } = entry;
  await transaction.insert(auditEntries).values({
    ...facts,
    id: newId("aud", entry.at),
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? null,
    details,
  });
}

/** The audit trail of an organization, newest first. */
export function listAuditEntries(
  db: Executor,
  organizationId: string,
  after: string | undefined,
  rows: number,
) {
  return db
    .select()
    .from(auditEntries)
    .where(
      and(eq(auditEntries.organizationId, organizationId), after ? lt(auditEntries.id, after) : undefined),
    )
    .orderBy(desc(auditEntries.id))
    .limit(rows);
}

export async function findAuditEntry(db: Executor, organizationId: string, id: string) {
  const [entry] = await db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(and(eq(auditEntries.organizationId, organizationId), eq(auditEntries.id, id)));
  return entry;
}
