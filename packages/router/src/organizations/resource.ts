import type { Resource } from "../resource.ts";

/** The organization whose own `id` is the input. */
export const theOrganization: Resource<{ id: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => input.id,
};
