import { Problem } from "@purser/core";
import type { Caller, CallerContext, OrganizationKeyCaller, UserCaller } from "./context.ts";

/** Whether a caller is an API key of an organization, and no user. */
export function isOrganizationKey(caller: Caller): caller is OrganizationKeyCaller {
  return caller.credential === "organization-key";
}

/** Returns the id of the user or of the organization's key. Limits, idempotency keys and the audit trail name it. */
export function callerId(caller: Caller): string {
  return isOrganizationKey(caller) ? caller.keyId : caller.userId;
}

/** Who acts, for the audit trail and the feed. Null for a job, an operator, a bank, a network or a provider. */
export type Actor = { id: string; name: string } | null;

/** Returns the caller of a procedure as the actor. */
export const actorOf = ({ caller }: Pick<CallerContext, "caller">): Actor => ({
  id: callerId(caller),
  name: caller.name,
});

/** Returns the caller as a user. Throws FORBIDDEN for a key of an organization, which belongs to no user. */
export function userOf(caller: Caller): UserCaller {
  if (!isOrganizationKey(caller)) return caller;
  throw new Problem("FORBIDDEN", {
    detail: "This needs a user. An organization's key belongs to none.",
    help: `Send the bearer token of a user instead of the key. The key's organization is ${caller.organizationId}.`,
  });
}

/** Throws FORBIDDEN unless the caller administers the service. */
export function requireAdministrator(caller: Caller): void {
  if (userOf(caller).isAdministrator) return;
  throw new Problem("FORBIDDEN", {
    detail: "This needs an administrator of the service.",
    help: "Ask an administrator of the service.",
  });
}

const refusals = {
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
