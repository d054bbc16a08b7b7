import { Problem, invalidField } from "@purser/core";
import { actOf, audit, transactAfterProviderCall } from "@purser/platform";
import type { z } from "zod";
import type { BillingContext } from "../../context.ts";
import { callPaymentProvider } from "../../providers.ts";
import { type SubscriptionRequest, synchronizeSubscription } from "../../service/synchronize.ts";
import { findSubscription, listSubscriptionRows } from "../../store.ts";
import { replaceSandboxCard as replaceCardAtProvider } from "../payments.ts";
import { advanceSandboxSubscription } from "../subscriptions.ts";
import type { Advance, ReplaceCard } from "./contract.ts";

const clockErrors = {
  too_early: "Must not be before the subscription's present time",
  too_late: "Must be within five years",
};

export function advanceSubscriptionClock(ctx: BillingContext, input: z.output<typeof Advance>) {
  return control(ctx, input, async () => {
    const result = await advanceSandboxSubscription(ctx, input.subscriptionId, input.to);
    if (result === null) throw new Problem("SUBSCRIPTION_NOT_FOUND");
    if (result === "advanced") return;
    throw invalidField("to", clockErrors[result]);
  });
}

export function replaceSubscriptionCard(ctx: BillingContext, input: z.output<typeof ReplaceCard>) {
  return control(ctx, input, () => replaceCardAtProvider(ctx, input.subscriptionId, input.card));
}

/**
 * Changes a subscription at the built-in provider, synchronizes it as after a webhook, and writes an audit entry. The
 * change is idempotent, so it can be repeated after a crash.
 */
function control(ctx: BillingContext, input: { subscriptionId: string }, act: () => Promise<void>) {
  const { subscriptionId, ...details } = input;
  const organizationId = ctx.organization.id;
  const request: SubscriptionRequest = {
    act: actOf(ctx),
    change: () => act().then(() => "changed" as const),
  };
  return transactAfterProviderCall(
    ctx,
    organizationId,
    input,
    async () => {
      const { provider } = (await findSubscription(ctx.db, subscriptionId)) ?? subscriptionNotFound();
      if (provider !== "local") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
      await callPaymentProvider(ctx, provider, () =>
        synchronizeSubscription(ctx, provider, { subscriptionId, organizationId }, request),
      );
    },
    async (transaction) => {
      audit(ctx, transaction, { organizationId, subject: subscriptionId, details });
      const own = await listSubscriptionRows(transaction, organizationId);
      return own.find(({ id }) => id === subscriptionId) ?? subscriptionNotFound();
    },
  );
}

function subscriptionNotFound(): never {
  throw new Problem("SUBSCRIPTION_NOT_FOUND");
}
