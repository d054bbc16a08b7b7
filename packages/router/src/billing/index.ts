import {
  OpenPortal,
  ResumedSubscription,
  StartCheckout,
  SyncSubscription,
  TheSubscription,
  cancelSubscription,
  checkout,
  isPlanOffered,
  openPortal,
  resumeSubscription,
  syncSubscription,
} from "@purser/billing";
import { explained } from "@purser/core";
import { z } from "zod";
import { type NamedResource, naming, ofSubscription } from "../resource.ts";
import { asAdministrator, checkRedirect, inOrganization, userProcedure } from "../trpc.ts";

const thePlan: NamedResource<z.output<typeof StartCheckout>> = {
  missing: "PLAN_NOT_FOUND",
  isVisible: (_db, _organizationId, input, ctx) => isPlanOffered(ctx, input),
};

const page = {
  checkout: explained("The address of the payment page.", "https://pay.demo.example/c/7hQ2xLkd"),
  portal: explained("The address of the customer portal.", "https://pay.demo.example/portal/R7nQx2Lk"),
};

export const billing = {
  checkout: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/checkout" },
      summary:
        "Starts a checkout and returns the URL of the provider's payment page. The same request returns the same page while it is open. Afterwards the provider returns the browser to `redirectUrl`, with `checkout` (`completed` or `open`) and `checkoutId`. The subscription appears when the provider has reported the payment, usually within seconds: wait for the event `subscription.created`, or read `organizations.subscription.get` again.",
      access: "owner",
      returns: "The address of the provider's payment page, as a JSON string. Redirect the browser to it.",
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
    .output(z.string().meta(page.checkout))
    .use(checkRedirect)
    .use(inOrganization("owner", naming(thePlan)))
    .mutation(({ ctx, input }) => checkout(ctx, input)),

  portal: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/portal" },
      summary: "Returns the URL of the provider's customer portal for a subscription.",
      access: "owner",
      returns:
        "The address of the customer portal, as a JSON string. It lets its bearer in, so treat it as a secret.",
      errors: [
        "SUBSCRIPTION_NOT_FOUND",
        "FORBIDDEN",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(OpenPortal)
    .output(z.string().meta(page.portal))
    .use(checkRedirect)
    .use(inOrganization("owner", ofSubscription("subscriptionId")))
    .mutation(({ ctx, input }) => openPortal(ctx, input)),

  cancel: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/cancel" },
      summary:
        "Cancels a subscription at the end of its current period or trial. It keeps its status until `currentPeriodEnd`, which `organizations.subscription.get` returns, and is CANCELED afterwards. One that is paused, or whose first payment is due, may end at once.",
      access: "owner",
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
    .use(inOrganization("owner", ofSubscription("id")))
    .mutation(({ ctx, input }) => cancelSubscription(ctx, input)),

  resume: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/resume" },
      summary: "Withdraws a cancellation before the end of the period.",
      access: "owner",
      returns: "The subscription's status after the change.",
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
    .use(inOrganization("owner", ofSubscription("id")))
    .mutation(({ ctx, input }) => resumeSubscription(ctx, input)),

  sync: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/sync" },
      summary:
        "Stores a subscription that an administrator enters. If a payment provider knows the id, its state overrides the entry at the next synchronization; otherwise the subscription is manual.",
      access: "administrator",
      errors: ["FORBIDDEN", "ORGANIZATION_NOT_FOUND", "SUBSCRIPTION_OF_ANOTHER_TEAM", "PROVIDER_ERROR"],
    })
    .input(SyncSubscription)
    .output(z.void())
    .use(asAdministrator)
    .mutation(({ ctx, input }) => syncSubscription(ctx, input)),
};
