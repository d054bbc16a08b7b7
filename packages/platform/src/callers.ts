import { Problem } from "@purser/core";
import type { Caller, OrganizationKeyCaller, UserCaller } from "./context.ts";

export function isOrganizationKey(caller: Caller): caller is OrganizationKeyCaller {
  return caller.credential === "organization-key";
}

/** Returns the id of the user or of the organization's key. Limits, idempotency keys and the audit trail name it. */
export function callerId(caller: Caller): string {
  return isOrganizationKey(caller) ? caller.keyId : caller.userId;
}

/** Returns the caller as a user. Throws FORBIDDEN for a key of an organization, which belongs to no user. */
export function userOf(caller: Caller): UserCaller {
  if (isOrganizationKey(caller)) throw refuseKey("This needs a user. An organization's key belongs to none.");
  return caller;
}

/** The problem of a key of an organization that may not do something. */
export function refuseKey(detail: string): Problem {
  return new Problem("FORBIDDEN", { detail });
}
