import {
  Advance,
  ReplaceCard,
  advanceSubscriptionClock,
  replaceSubscriptionCard,
} from "@purser/billing/sandbox";
import { Subscription } from "@purser/billing/subscriptions";
import type { ProblemCode } from "@purser/core";
import { ofSubscription } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

/** The errors of every control. Controls are for owners, and for subscriptions of the built-in provider. */
const refusals: ProblemCode[] = [
  "FORBIDDEN",
  "SUBSCRIPTION_NOT_FOUND",
  "PROVIDER_NOT_CONFIGURED",
  "NOT_SUPPORTED_BY_PROVIDER",
];

export const billing = {
  advance: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/billing/advance" },
      summary:
        "Moves the clock of one subscription forward. Trials end, periods renew, and failed payments are retried. Returns the resulting subscription.",
      access: "owner",
      returns: "The subscription after the change.",
      errors: refusals,
    })
    .input(Advance)
    .output(Subscription)
    .use(inOrganization("owner", ofSubscription("subscriptionId")))
    .mutation(({ ctx, input }) => advanceSubscriptionClock(ctx, input)),

  replaceCard: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/billing/replace-card" },
      summary:
        "Replaces the test card of a subscription. A card that succeeds pays an open invoice at once. A card that fails is declined at every renewal.",
      access: "owner",
      returns: "The subscription after the change.",
      errors: [...refusals, "SUBSCRIPTION_ENDED"],
    })
    .input(ReplaceCard)
    .output(Subscription)
    .use(inOrganization("owner", ofSubscription("subscriptionId")))
    .mutation(({ ctx, input }) => replaceSubscriptionCard(ctx, input)),
};
