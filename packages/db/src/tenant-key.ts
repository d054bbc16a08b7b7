import { type SQL, and, eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** The key of a row of a tenant table. */
export interface TenantKey {
  organizationId: string;
  id: string;
}

type TenantTable = Record<"organizationId" | "id", PgColumn>;

/** The condition that a row has this key. It names the organization, which keeps organizations apart. */
export const hasKey = (table: TenantTable, { organizationId, id }: TenantKey): SQL | undefined =>
  and(eq(table.organizationId, organizationId), eq(table.id, id));

/** The condition that a column has one of these ids. They are one parameter, so any number of them is one prepared statement. */
export const isAmong = (column: PgColumn, ids: readonly string[]): SQL =>
  sql`${column} = ANY(${sql.param([...ids])}::text[])`;

/**
 * The condition of a join by a foreign key between tenant tables: the rows are of one organization.
 *
 * @example
 * db.select().from(cardTransactions).innerJoin(cards, refersTo(cardTransactions, "cardId", cards));
 */
export const refersTo = <Column extends string>(
  from: Record<"organizationId" | Column, PgColumn>,
  column: Column,
  to: TenantTable,
): SQL | undefined => and(eq(to.organizationId, from.organizationId), eq(to.id, from[column]));
