import { invalidField } from "@purser/core";
import type { BaseContext } from "./context.ts";

/**
 * Cuts a list to its limit. A store reads `limit + 1` rows, newest first: the extra row shows that there is a next page,
 * which the response reports as `nextAfter`.
 */
export function toPage<Row extends { id: string }>(ctx: BaseContext, limit: number, rows: Row[]): Row[] {
  if (rows.length <= limit) return rows;
  const page = rows.slice(0, limit);
  ctx.response.nextAfter = page.at(-1)!.id;
  return page;
}

/**
 * Finds the item that `after` names. Throws VALIDATION_FAILED if there is none: a mistyped id would otherwise start the
 * list at an arbitrary position. For lists whose rows are never deleted, and for those that find their place only by the row.
 */
export async function requireItem<Item>(
  after: string | undefined,
  find: (id: string) => Promise<Item | undefined>,
): Promise<Item | undefined> {
  if (after === undefined) return undefined;
  const item = await find(after);
  if (item !== undefined) return item;
  const message = "Must be the id of an item of this list";
  throw invalidField("after", message);
}
