import type { Database } from "@purser/db";
import type { UserContext } from "@purser/platform";
import type { Membership, Organization } from "./membership.ts";

/** The organization of a request and the caller's membership in it. The router has checked both. */
export interface Access {
  organization: Organization;
  membership: Membership;
}

/** The context of a procedure inside an organization. */
export type MemberContext = UserContext & Access;

/** The database that a list reads from: the replica or the primary. */
export interface Reading {
  readDb: Database;
}

/** The context of a list inside an organization. */
export type ListContext = MemberContext & Reading;
