import type { Resource } from "../../resource.ts";
import { findSubscription } from "./store.ts";

/** The organization of the subscription that the input names. */
export const ofSubscription: Resource<{ subscriptionId: string }> = {
  missing: "SUBSCRIPTION_NOT_FOUND",
  async organizationOf(db, { subscriptionId }) {
    return (await findSubscription(db, subscriptionId))?.organizationId ?? null;
  },
};
