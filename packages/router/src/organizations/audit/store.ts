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
