import { validationFailed } from "@purser/core";
import type { BaseContext } from "./context.ts";

/**
 * Cuts a list that was read with one row more than asked for, and tells the door whether there is more.
 * A store reads `limit + 1` rows, newest first.
 */
export function toPage<Row extends { id: string }>(ctx: BaseContext, limit: number, rows: Row[]): Row[] {
  if (rows.length <= limit) return rows;
  const page = rows.slice(0, limit);
  ctx.response.nextAfter = page.at(-1)!.id;
  return page;
}

/**
 * Refuses an `after` that names nothing, for lists whose rows do not vanish: a slip in it would otherwise begin the
 * list somewhere. Gives what was found.
 */
export async function requireItem<Item>(
  after: string | undefined,
  find: (id: string) => Promise<Item | undefined>,
): Promise<Item | undefined> {
  if (after === undefined) return undefined;
  const item = await find(after);
  if (item !== undefined) return item;
  const message = "Must be the id of an item of this list";
  throw validationFailed([{ path: ["after"], code: "custom", message }]);
}
