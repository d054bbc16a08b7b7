import type { ProblemCode } from "@purser/core";
import type { Database } from "@purser/db";
import type { Caller } from "@purser/platform";

/** How the input of a procedure names its organization, directly or through a resource. */
export interface OrganizationLookup<Input> {
  /** The error for a resource that is unknown or invisible to the caller. The two are indistinguishable. */
  missing: ProblemCode;
  /** Returns the id of the organization, or null for an unknown or invisible resource. */
  organizationOf(db: Database, input: Input, caller: Caller): string | null | Promise<string | null>;
}

/** For inputs with `organizationId` or `teamId`. */
export const organizationFromInput: OrganizationLookup<{ organizationId: string } | { teamId: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => ("teamId" in input ? input.teamId : input.organizationId),
};

/** For inputs whose `id` identifies the organization. */
export const theOrganization: OrganizationLookup<{ id: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => input.id,
};
