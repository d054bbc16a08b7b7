import { Problem } from "@purser/core";
import type { z } from "zod";
import { lockOrganization } from "@purser/organizations";
import { audit } from "@purser/platform";
import { transactAfterProviderCall } from "@purser/platform";
import type { UserContext } from "@purser/platform";
import type { BillingPlatform } from "../context.ts";
import type { SyncSubscription } from "../contract.ts";
import type { PaymentProviderName } from "../ports.ts";
import { findSubscription, lockSubscription, putSubscription } from "../store.ts";
import { recordChanges } from "./record-changes.ts";
import { callPaymentProvider } from "../providers.ts";

type Context = UserContext & BillingPlatform;
type Input = z.output<typeof SyncSubscription>;

/**
 * Stores a subscription as an administrator gives it. A provider that knows it will have the last word; one that no
 * provider knows is manual.
 */
export async function syncSubscription(ctx: Context, input: Input): Promise<void> {
  const { teamId: organizationId, ...facts } = input;
  await transactAfterProviderCall(
    ctx,
    input,
    // One that was manual may be known to somebody by now.
    async () => (await findSubscription(ctx.db, input.id))?.provider ?? whoKnows(ctx, input.id),
    async (transaction, provider) => {
      if ((await lockOrganization(transaction, organizationId)) === undefined)
        throw new Problem("ORGANIZATION_NOT_FOUND");
      const before = await lockSubscription(transaction, input.id);
      const kept = { provider: before?.provider ?? provider, rawStatus: before?.rawStatus ?? null };
      // Never asked: whoever knows it is asked for it soon.
      const after = { ...facts, organizationId, ...kept, checkedAt: null };
      if (!(await putSubscription(transaction, after))) throw new Problem("SUBSCRIPTION_OF_ANOTHER_TEAM");
      const { status, planId, variantId } = facts;
      await audit(ctx, transaction, {
        organizationId,
        subject: input.id,
        details: { status, planId, variantId },
      });
      const { userId: id, name } = ctx.caller;
      await recordChanges(
        ctx,
        transaction,
        { actor: { id, name }, action: ctx.procedure },
        { before, after },
      );
    },
  );
}

/** The provider that has a subscription of this id; null where none has. */
async function whoKnows(ctx: Context, id: string): Promise<PaymentProviderName | null> {
  for (const name of ctx.payments.configured) {
    const known = await callPaymentProvider(ctx, name, async (provider) =>
      provider.recognizes(id) ? provider.subscription(id) : null,
    );
    if (known !== null) return name;
  }
  return null;
}
