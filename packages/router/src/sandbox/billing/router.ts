import type { ProblemCode } from "@purser/core";
import { Subscription } from "../../billing/subscriptions/contract.ts";
import { inOrganization, userProcedure } from "../../trpc.ts";
import { Advance, ReplaceCard } from "./contract.ts";
import { ofSubscription } from "./resource.ts";
import { advance, replaceCard } from "./service.ts";

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
    .mutation(({ ctx, input }) => advance(ctx, input)),

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
    .mutation(({ ctx, input }) => replaceCard(ctx, input)),
};
