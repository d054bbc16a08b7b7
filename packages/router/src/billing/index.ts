import {
  OpenPortal,
  ResumedSubscription,
  StartCheckout,
  SyncSubscription,
  TheSubscription,
  cancelSubscription,
  checkout,
  findSubscription,
  openPortal,
  resumeSubscription,
  syncSubscription,
} from "@purser/billing";
import { z } from "zod";
import type { Resource } from "../resource.ts";
import { asAdministrator, inOrganization, userProcedure } from "../trpc.ts";

/** The subscription that the input names as `id` or `subscriptionId`. */
const theSubscription: Resource<{ id: string } | { subscriptionId: string }> = {
  missing: "SUBSCRIPTION_NOT_FOUND",
  async organizationOf(db, input) {
    const id = "id" in input ? input.id : input.subscriptionId;
    return (await findSubscription(db, id))?.organizationId ?? null;
  },
};

export const billing = {
  checkout: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/checkout" },
      summary:
        "Begins a checkout, and gives the address of the provider's page on which the team pays. Begun again for the same, it is the same page.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "PLAN_NOT_FOUND",
        "ALREADY_SUBSCRIBED",
        "CHECKOUT_SUPERSEDED",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(StartCheckout)
    .output(z.string())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => checkout(ctx, input)),

  portal: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/portal" },
      summary: "Gives the address of the provider's page on which the customer sees to a subscription.",
      errors: [
        "SUBSCRIPTION_NOT_FOUND",
        "FORBIDDEN",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(OpenPortal)
    .output(z.string())
    .use(inOrganization("owner", theSubscription))
    .mutation(({ ctx, input }) => openPortal(ctx, input)),

  cancel: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/cancel" },
      summary: "Lets a subscription end with its period; until then it stays as it is.",
      errors: [
        "SUBSCRIPTION_NOT_FOUND",
        "FORBIDDEN",
        "SUBSCRIPTION_ENDED",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(TheSubscription)
    .output(z.void())
    .use(inOrganization("owner", theSubscription))
    .mutation(({ ctx, input }) => cancelSubscription(ctx, input)),

  resume: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/resume" },
      summary: "Takes a cancellation back that has not come into force yet.",
      errors: [
        "SUBSCRIPTION_NOT_FOUND",
        "FORBIDDEN",
        "SUBSCRIPTION_ENDED",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(TheSubscription)
    .output(ResumedSubscription)
    .use(inOrganization("owner", theSubscription))
    .mutation(({ ctx, input }) => resumeSubscription(ctx, input)),

  sync: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/sync" },
      summary:
        "Stores a subscription as an administrator gives it. What its provider says next wins; one that no provider knows is manual.",
      errors: ["FORBIDDEN", "ORGANIZATION_NOT_FOUND", "SUBSCRIPTION_OF_ANOTHER_TEAM", "PROVIDER_ERROR"],
    })
    .input(SyncSubscription)
    .output(z.void())
    .use(asAdministrator)
    .mutation(({ ctx, input }) => syncSubscription(ctx, input)),
};
