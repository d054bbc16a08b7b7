import { type SQL, and, eq } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** The key of a row of a tenant table. */
export interface TenantKey {
  organizationId: string;
  id: string;
}

/** The condition that a row has this key. It names the organization, which keeps organizations apart. */
export const hasKey = (
  table: { organizationId: PgColumn; id: PgColumn },
  { organizationId, id }: TenantKey,
): SQL | undefined => and(eq(table.organizationId, organizationId), eq(table.id, id));
