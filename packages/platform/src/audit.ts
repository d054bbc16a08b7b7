import { firstIdAt, newId } from "@purser/core";
import { type Executor, type Transaction, auditEntries, hasKey } from "@purser/db";
import { and, desc, eq, gte, lt } from "drizzle-orm";
import { type Actor, actorOf } from "./callers.ts";
import type { CallerContext } from "./context.ts";
import { writeRecord } from "./records.ts";

interface AuditedChange {
  organizationId: string;
  /** The identifier of the changed item. */
  subject: string;
  /** What changed, without secrets. */
  details?: Record<string, unknown>;
}

/** Who acts and how, for the audit trail. */
export interface Act {
  actor: Actor;
  /** The name of the procedure, or of the action of a job or command. */
  action: string;
}

/** Returns the call of a procedure as an act. */
export const actOf = (ctx: CallerContext): Act => ({ actor: actorOf(ctx), action: ctx.procedure });

/**
 * Adds the caller's action to an organization's audit trail, in the transaction that has the effect. Written in one
 * statement at the end of the transaction.
 */
export function audit(ctx: CallerContext, transaction: Transaction, change: AuditedChange): void {
  recordAudit(transaction, { ...change, ...actOf(ctx), at: ctx.clock.now() });
}

/**
 * Adds an action of a job, or of an operator at the command line, to the audit trail. Written in one statement at the end of
 * the transaction.
 */
export function recordAudit(transaction: Transaction, entry: AuditedChange & Act & { at: Date }): void {
  const { actor, details = {}, ...fields } = entry;
  writeRecord(transaction, {
    entry: {
      ...fields,
      id: newId("aud", entry.at),
      actorId: actor?.id ?? null,
      actorName: actor?.name ?? null,
      details,
    },
  });
}

/** Lists the audit trail of an organization, newest first. */
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

/** Finds who was the last to act on a subject with an action since an instant. */
export async function findAuditActor(
  db: Executor,
  { organizationId, subject, action }: Pick<AuditedChange & Act, "organizationId" | "subject" | "action">,
  since: Date,
): Promise<Act | undefined> {
  const [entry] = await db
    .select({ id: auditEntries.actorId, name: auditEntries.actorName })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        gte(auditEntries.id, firstIdAt("aud", since)),
        eq(auditEntries.subject, subject),
        eq(auditEntries.action, action),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(1);
  if (entry === undefined) return undefined;
  const { id, name } = entry;
  return { actor: id === null || name === null ? null : { id, name }, action };
}

/** Finds an entry of an organization's audit trail. Returns only its id, for paging. */
export async function findAuditEntry(db: Executor, organizationId: string, id: string) {
  const [entry] = await db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(hasKey(auditEntries, { organizationId, id }));
  return entry;
}
