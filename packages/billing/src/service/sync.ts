import { Problem } from "@purser/core";
import type { Executor } from "@purser/db";
import { findOrganization, lockOrganization } from "@purser/organizations";
import { type CallerContext, actOf, audit, transactAfterProviderCall } from "@purser/platform";
import type { z } from "zod";
import type { BillingPlatform } from "../context.ts";
import type { SyncSubscription } from "../contract.ts";
import type { PaymentProviderName } from "../ports.ts";
import { callPaymentProvider } from "../providers.ts";
import {
  deleteUnattributed,
  findSubscription,
  findSubscriptionForUpdate,
  lockSubscriptionId,
  putSubscription,
} from "../store.ts";
import { lastPaidPeriodStart, paidPeriodAtProvider, subscriptionAt } from "../subscriptions/rules.ts";
import { recordChanges, recordManualEnd } from "./record-changes.ts";

type Context = CallerContext & BillingPlatform;
type Input = z.output<typeof SyncSubscription>;

/**
 * Stores a subscription that an administrator enters. A provider that knows the id overrides it at the next
 * synchronization. A subscription that no provider knows is manual.
 */
export async function syncSubscription(ctx: Context, input: Input): Promise<void> {
  const { teamId: organizationId, ...fields } = input;
  await transactAfterProviderCall(
    ctx,
    // It also changes the unattributed webhooks, which belong to no organization.
    null,
    input,
    async () => {
      if ((await findOrganization(ctx.db, organizationId)) === undefined)
        throw new Problem("ORGANIZATION_NOT_FOUND");
      const known = await findOfTeam(ctx.db, input);
      // A provider may know a subscription by now that was manual before.
      return known?.provider ?? findProvider(ctx, input.id);
    },
    async (transaction, provider) => {
      if ((await lockOrganization(transaction, organizationId)) === undefined)
        throw new Problem("ORGANIZATION_NOT_FOUND");
      await lockSubscriptionId(transaction, input.id);
      await findOfTeam(transaction, input);
      const stored = await findSubscriptionForUpdate(transaction, { organizationId, id: input.id });
      // Everything else reads it as ended already, so a checkout may be open.
      const before = stored && (await recordManualEnd(ctx, transaction, stored));
      const providerName = before?.provider ?? provider;
      // Only a provider tells which period of its subscription is paid.
      const paidBefore = before === undefined ? null : paidPeriodAtProvider(before);
      const entered = {
        ...fields,
        organizationId,
        provider: providerName,
        rawStatus: before?.rawStatus ?? null,
        isTrial: before?.isTrial ?? false,
        paidPeriodStart: providerName === null ? lastPaidPeriodStart(before, fields) : paidBefore,
        // Null makes the next reconciliation fetch it from its provider.
        checkedAt: null,
      };
      // A canceled period that is over starts nothing.
      const after = subscriptionAt(entered, ctx.clock.now());
      if (!(await putSubscription(transaction, after))) throw new Problem("SUBSCRIPTION_OF_ANOTHER_TEAM");
      if (provider !== null) await deleteUnattributed(transaction, { provider, id: input.id });
      const { status, planId, variantId } = fields;
      const details = { status, planId, variantId };
      audit(ctx, transaction, { organizationId, subject: input.id, details });
      await recordChanges(ctx, transaction, actOf(ctx), { before, after });
    },
  );
}

/** Finds the stored subscription. Throws SUBSCRIPTION_OF_ANOTHER_TEAM. */
async function findOfTeam(db: Executor, { id, teamId }: Pick<Input, "id" | "teamId">) {
  const known = await findSubscription(db, id);
  if (known !== undefined && known.organizationId !== teamId)
    throw new Problem("SUBSCRIPTION_OF_ANOTHER_TEAM");
  return known;
}

/** Returns the provider that has a subscription with this id, or null. */
async function findProvider(ctx: Context, id: string): Promise<PaymentProviderName | null> {
  for (const name of ctx.payments.configured) {
    const state = await callPaymentProvider(ctx, name, async (provider) =>
      provider.recognizes(id) ? provider.subscription(id) : null,
    );
    // An id that is written in another way than the provider writes it would never be updated.
    if (state?.id === id) return name;
  }
  return null;
}
