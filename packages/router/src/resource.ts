import type { ProblemCode } from "@purser/core";
import type { Database } from "@purser/db";

/** A kind of thing that belongs to an organization, as the input of a procedure names it. */
export interface Resource<Input> {
  /** What a caller learns when it does not exist, or is not theirs to see: the two look the same. */
  missing: ProblemCode;
  /** The organization it belongs to, or null where there is no such thing, or none that this caller may see. */
  organizationOf(
    db: Database,
    input: Input,
    caller: { userId: string },
  ): string | null | Promise<string | null>;
}

/** The organization that the input names as `organizationId` or `teamId`. */
export const organizationFromInput: Resource<{ organizationId: string } | { teamId: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => ("teamId" in input ? input.teamId : input.organizationId),
};

/** The organization whose own `id` is the input. */
export const theOrganization: Resource<{ id: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => input.id,
};
