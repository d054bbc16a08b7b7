import type { Context } from "./context.ts";

/**
 * Cuts a list that was read with one row more than asked for, and tells the door whether there is more.
 * A store reads `limit + 1` rows, newest first.
 */
export function toPage<Row extends { id: string }>(ctx: Context, limit: number, rows: Row[]): Row[] {
  if (rows.length <= limit) return rows;
  const page = rows.slice(0, limit);
  ctx.response.nextAfter = page.at(-1)!.id;
  return page;
}
