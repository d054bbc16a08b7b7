import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { z } from "zod";
import { audit } from "@purser/platform";
import { transactAfterProviderCall } from "@purser/platform";
import type { BillingContext } from "../context.ts";
import type { TheSubscription } from "../contract.ts";
import type { PaymentProvider, PaymentProviderName } from "../ports.ts";
import { type SubscriptionRow, findSubscription, lockSubscription, putSubscription } from "../store.ts";
import { subscriptionAt } from "../subscriptions/status.ts";
import { recordChanges } from "./record-changes.ts";
import { callPaymentProvider } from "../providers.ts";
import { withSubscriptionLock, synchronizeSubscription } from "./synchronize.ts";

type Input = z.output<typeof TheSubscription>;

/** Lets a subscription end with its period. One that does already stays as it is. Throws SUBSCRIPTION_ENDED. */
export async function cancelSubscription(ctx: BillingContext, input: Input): Promise<void> {
  await setCancelAtPeriodEnd(ctx, input, true);
}

/** Takes a cancellation back, while it has not come into force. Throws SUBSCRIPTION_ENDED. */
export async function resumeSubscription(ctx: BillingContext, input: Input) {
  const { status } = await setCancelAtPeriodEnd(ctx, input, false);
  return { status };
}

/** A provider is asked for its own first; a record that no provider knows changes by itself. */
function setCancelAtPeriodEnd(
  ctx: BillingContext,
  input: Input,
  isEnding: boolean,
): Promise<{ status: SubscriptionRow["status"] }> {
  return transactAfterProviderCall(
    ctx,
    input,
    async () => {
      const { provider } = (await findSubscription(ctx.db, input.id)) ?? missing();
      if (provider !== null) await tellProvider(ctx, provider, input.id, isEnding);
      return provider;
    },
    async (transaction, provider) => {
      const row = (await lockSubscription(transaction, input.id)) ?? missing();
      const { status } = subscriptionAt(row, ctx.clock.now());
      // Its provider has told of it just now, and it is not manual any more.
      if (row.provider !== provider) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      if (provider !== null) return { status };
      if (status === "CANCELED") throw new Problem("SUBSCRIPTION_ENDED");
      if (row.cancelAtPeriodEnd !== isEnding) await setManual(ctx, transaction, row, isEnding);
      return { status };
    },
  );
}

function missing(): never {
  throw new Problem("SUBSCRIPTION_NOT_FOUND");
}

/** Tells the provider, and reads what has come of it like everything that providers tell. */
async function tellProvider(
  ctx: BillingContext,
  name: PaymentProviderName,
  id: string,
  isEnding: boolean,
): Promise<void> {
  const pointer = { subscriptionId: id, organizationId: ctx.organization.id };
  const read = () => callPaymentProvider(ctx, name, () => synchronizeSubscription(ctx, name, pointer));
  try {
    await callPaymentProvider(ctx, name, (provider) =>
      withSubscriptionLock(ctx, name, id, (transaction) => act(ctx, transaction, provider, { id, isEnding })),
    );
  } catch (error) {
    if (error instanceof Problem && error.code === "SUBSCRIPTION_ENDED") await read();
    throw error;
  }
  await read();
}

/**
 * Asks for the present state before, because what we have on record may be old: what has ended is refused, and what
 * is as it should be stays untouched.
 */
async function act(
  ctx: BillingContext,
  transaction: Transaction,
  provider: PaymentProvider,
  { id, isEnding }: { id: string; isEnding: boolean },
): Promise<void> {
  const state = await provider.subscription(id);
  if (state === null) throw new Problem("PROVIDER_ERROR");
  if (state.status === "CANCELED") throw new Problem("SUBSCRIPTION_ENDED");
  if (state.cancelAtPeriodEnd === isEnding) return;
  if (!isEnding && !provider.capabilities.resume) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  await (isEnding ? provider.cancel(id) : provider.resume(id));
  // The provider tells what happened, but not who of the team it was.
  await audit(ctx, transaction, { organizationId: ctx.organization.id, subject: id });
}

async function setManual(
  ctx: BillingContext,
  transaction: Transaction,
  before: SubscriptionRow,
  isEnding: boolean,
): Promise<void> {
  await audit(ctx, transaction, { organizationId: before.organizationId, subject: before.id });
  const after = { ...before, cancelAtPeriodEnd: isEnding, canceledAt: isEnding ? ctx.clock.now() : null };
  await putSubscription(transaction, after);
  const { userId: id, name } = ctx.caller;
  await recordChanges(ctx, transaction, { actor: { id, name }, action: ctx.procedure }, { before, after });
}
