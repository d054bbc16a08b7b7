import type { Resource } from "../resource.ts";
import { findSubscription } from "./store.ts";

/** The subscription that the input names as `id` or `subscriptionId`. */
export const theSubscription: Resource<{ id: string } | { subscriptionId: string }> = {
  missing: "SUBSCRIPTION_NOT_FOUND",
  async organizationOf(db, input) {
    const id = "id" in input ? input.id : input.subscriptionId;
    return (await findSubscription(db, id))?.organizationId ?? null;
  },
};
