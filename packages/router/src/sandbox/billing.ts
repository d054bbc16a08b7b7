import { findSubscription } from "@purser/billing";
import {
  Advance,
  ReplaceCard,
  advanceSubscriptionClock,
  replaceSubscriptionCard,
} from "@purser/billing/sandbox";
import { Subscription } from "@purser/billing/subscriptions";
import type { ProblemCode } from "@purser/core";
import type { Resource } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

/** The organization of the subscription that the input names. */
const ofSubscription: Resource<{ subscriptionId: string }> = {
  missing: "SUBSCRIPTION_NOT_FOUND",
  async organizationOf(db, { subscriptionId }) {
    return (await findSubscription(db, subscriptionId))?.organizationId ?? null;
  },
};

/** What every control refuses: only an owner has them, and only for subscriptions of the built-in provider. */
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
        "Moves the clock of one subscription: trials end, periods are renewed, payments fail and are tried again. It answers with the subscription as it is then.",
      errors: refusals,
    })
    .input(Advance)
    .output(Subscription)
    .use(inOrganization("owner", ofSubscription))
    .mutation(({ ctx, input }) => advanceSubscriptionClock(ctx, input)),

  replaceCard: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/billing/replace-card" },
      summary:
        "Pays with another test card from now on. One that succeeds pays at once what is owed; one that fails does so at every renewal.",
      errors: [...refusals, "SUBSCRIPTION_ENDED"],
    })
    .input(ReplaceCard)
    .output(Subscription)
    .use(inOrganization("owner", ofSubscription))
    .mutation(({ ctx, input }) => replaceSubscriptionCard(ctx, input)),
};
