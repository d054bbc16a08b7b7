import { type Executor, auditEntries } from "@purser/db";
import { and, desc, eq, lt } from "drizzle-orm";

export function listAuditRows(db: Executor, organizationId: string, after: string | undefined, rows: number) {
  return db
    .select()
    .from(auditEntries)
    .where(
      and(eq(auditEntries.organizationId, organizationId), after ? lt(auditEntries.id, after) : undefined),
    )
    .orderBy(desc(auditEntries.id))
    .limit(rows);
}

export async function findAuditRow(db: Executor, organizationId: string, id: string) {
  const [entry] = await db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(and(eq(auditEntries.organizationId, organizationId), eq(auditEntries.id, id)));
  return entry;
}
