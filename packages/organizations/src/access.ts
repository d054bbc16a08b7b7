import type { Database } from "@purser/db";
import type { UserContext } from "@purser/platform";
import type { Membership, OrganizationRow } from "./membership.ts";

/** The organization of a request and the caller's membership in it. The router has checked both. */
export interface OrganizationAccess {
  organization: OrganizationRow;
  membership: Membership;
}

/** The context of a procedure inside an organization. */
export type MemberContext = UserContext & OrganizationAccess;

/** The database of a list: the replica or the primary. */
export interface ReadDatabase {
  readDb: Database;
}

/** The context of a list inside an organization. */
export type ListContext = MemberContext & ReadDatabase;
