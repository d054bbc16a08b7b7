import type { Resource } from "../../resource.ts";
import { findMembershipById } from "../membership.ts";

/** The organization of the membership that the input names. */
export const ofMembership: Resource<{ id: string } | { membershipId: string }> = {
  missing: "MEMBERSHIP_NOT_FOUND",
  async organizationOf(db, input) {
    const membership = await findMembershipById(db, "id" in input ? input.id : input.membershipId);
    return membership?.organizationId ?? null;
  },
};
