import type { Resource } from "../../resource.ts";
import { findInvitation } from "./store.ts";

/** The organization of the invitation that the input names. */
export const ofInvitation: Resource<{ invitationId: string }> = {
  missing: "INVITATION_NOT_FOUND",
  async organizationOf(db, input) {
    const invitation = await findInvitation(db, input.invitationId);
    return invitation?.organizationId ?? null;
  },
};
