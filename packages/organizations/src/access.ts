import type { Database } from "@purser/db";
import type { UserContext } from "@purser/platform";
import type { Membership, Organization } from "./membership.ts";

/** What the router has checked for this request: the organization, and the caller's membership in it. */
export interface Access {
  organization: Organization;
  membership: Membership;
}

/** The context of a procedure inside an organization. */
export type MemberContext = UserContext & Access;

/** Where a list reads from: the replica, or the database itself. */
export interface Reading {
  readDb: Database;
}

/** The context of a list inside an organization. */
export type ListContext = MemberContext & Reading;
