import { CurrentSubscription, GetSubscription, getSubscription } from "@purser/billing/subscriptions";
import { inOrganization, userProcedure } from "../trpc.ts";

export const subscription = {
  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:organizationId/subscription" },
      summary: "Returns the live subscription of an organization, otherwise the latest one, otherwise null.",
      access: "member",
      returns:
        "The subscription, with the others that are live, or null if the organization has never had one.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(GetSubscription)
    .output(CurrentSubscription.nullable())
    .use(inOrganization("member"))
    .query(({ ctx }) => getSubscription(ctx)),
};
