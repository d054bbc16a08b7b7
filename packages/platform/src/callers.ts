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
  if (isOrganizationKey(caller)) throw refuseKey("user");
  return caller;
}

const refusals = {
  user: {
    detail: "This needs a user. An organization's key belongs to none.",
    help: "Send the bearer token of a user instead of the key.",
  },
  owner: {
    detail: "This needs an owner. An organization's key acts as a member.",
    help: "Send the bearer token of an owner instead of the key.",
  },
  write: {
    detail: "This key may only read.",
    help: "Create a key with the access write, with POST /api/keys.",
  },
} as const;

/** The problem of a key of an organization that may not do something, by what it lacks. */
export function refuseKey(lacks: keyof typeof refusals): Problem {
  return new Problem("FORBIDDEN", refusals[lacks]);
}
