import { type ProcedureName, forAdministrators, forOwners } from "./generated/procedure-audiences.ts";
import type { Role } from "./generated/purser-client.ts";

export type { ProcedureName };

/**
 * Returns whether members with this role may call a procedure in their organization, so that a page offers only what works.
 * `me.get` has the role of the caller in each organization. The service decides by the same table, and refuses with
 * FORBIDDEN.
 *
 * What depends on one card, member or subscription is a field of it: a member may call `cards.updateStatus`, and a card's
 * `nextStatuses` tells which statuses they may give to it.
 *
 * @example
 * mayCall("MEMBER", "cards.create"); // false
 * mayCall("MEMBER", "cards.updateStatus"); // true: their own card's
 */
export function mayCall(role: Role, procedure: ProcedureName): boolean {
  const end = procedure.lastIndexOf(".");
  const [group, name] = [procedure.slice(0, end), procedure.slice(end + 1)];
  const isIn = (table: typeof forOwners) => table[group]?.split(" ").includes(name) === true;
  return !isIn(forAdministrators) && (role === "OWNER" || !isIn(forOwners));
}
