import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { actorOf, audit, confirmLock, hasAuditEntry, transactAfterProviderCall } from "@purser/platform";
import type { z } from "zod";
import type { BillingContext } from "../context.ts";
import type { TheSubscription } from "../contract.ts";
import type { PaymentProvider, PaymentProviderName } from "../ports.ts";
import { callPaymentProvider } from "../providers.ts";
import {
  type SubscriptionRow,
  findSubscription,
  findSubscriptionForUpdate,
  putSubscription,
} from "../store.ts";
import { subscriptionAt } from "../subscriptions/rules.ts";
import { lockForOwnerOfSubscription } from "./owner.ts";
import { recordChanges, synchronizeSubscription, withSubscriptionLock } from "./synchronize.ts";

type Input = z.output<typeof TheSubscription>;

/** Cancels a subscription at the end of its period. Idempotent. Throws SUBSCRIPTION_ENDED. */
export async function cancelSubscription(ctx: BillingContext, input: Input): Promise<void> {
  await setCancelAtPeriodEnd(ctx, input, true, () => undefined);
}

/** Withdraws a cancellation that is not yet in force. Idempotent. Throws SUBSCRIPTION_ENDED. */
export function resumeSubscription(ctx: BillingContext, input: Input) {
  return setCancelAtPeriodEnd(ctx, input, false, (status) => ({ status }));
}

/** Changes the provider's subscription first and reads it back. A manual subscription changes in our database alone. */
function setCancelAtPeriodEnd<Output>(
  ctx: BillingContext,
  input: Input,
  cancelsAtPeriodEnd: boolean,
  // The output is stored for the idempotency key, so it must be the procedure's.
  outputOf: (status: SubscriptionRow["status"]) => Output,
): Promise<Output> {
  return transactAfterProviderCall(
    ctx,
    input,
    async () => {
      const { organizationId, provider } =
        (await findSubscription(ctx.db, input.id)) ?? subscriptionNotFound();
      if (provider !== null) {
        await ctx.db.transaction((transaction) => lockForOwnerOfSubscription(ctx, transaction));
        await changeAtProvider(ctx, provider, input.id, cancelsAtPeriodEnd);
      }
      return { organizationId, provider };
    },
    async (transaction, { organizationId, provider }) => {
      await lockForOwnerOfSubscription(ctx, transaction);
      const key = { organizationId, id: input.id };
      const row = (await findSubscriptionForUpdate(transaction, key)) ?? subscriptionNotFound();
      const { status } = subscriptionAt(row, ctx.clock.now());
      // A webhook turned the manual subscription into a provider's one in the meantime: the retry calls the provider.
      if (row.provider !== provider) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      if (provider !== null) return outputOf(status);
      if (status === "CANCELED") throw new Problem("SUBSCRIPTION_ENDED");
      await changeManual(ctx, transaction, row, cancelsAtPeriodEnd);
      return outputOf(status);
    },
  );
}

function subscriptionNotFound(): never {
  throw new Problem("SUBSCRIPTION_NOT_FOUND");
}

async function changeAtProvider(
  ctx: BillingContext,
  name: PaymentProviderName,
  id: string,
  cancelsAtPeriodEnd: boolean,
): Promise<void> {
  const pointer = { subscriptionId: id, organizationId: ctx.organization.id };
  const readBack = () => callPaymentProvider(ctx, name, () => synchronizeSubscription(ctx, name, pointer));
  try {
    await callPaymentProvider(ctx, name, (provider) =>
      withSubscriptionLock(ctx, name, id, (transaction) =>
        callCancelOrResume(ctx, transaction, provider, { id, cancelsAtPeriodEnd }),
      ),
    );
  } catch (error) {
    if (error instanceof Problem && error.code === "SUBSCRIPTION_ENDED") await readBack();
    throw error;
  }
  await readBack();
}

/** Decides on the provider's current state, because our row may be stale. */
async function callCancelOrResume(
  ctx: BillingContext,
  transaction: Transaction,
  provider: PaymentProvider,
  { id, cancelsAtPeriodEnd }: { id: string; cancelsAtPeriodEnd: boolean },
): Promise<void> {
  const state = await provider.subscription(id);
  if (state === null) throw new Problem("PROVIDER_ERROR");
  if (state.status === "CANCELED") throw new Problem("SUBSCRIPTION_ENDED");
  const entry = { organizationId: ctx.organization.id, subject: id };
  if (state.cancelAtPeriodEnd === cancelsAtPeriodEnd) {
    if (await isUnrecorded(ctx, transaction, entry, cancelsAtPeriodEnd)) audit(ctx, transaction, entry);
    return;
  }
  if (!cancelsAtPeriodEnd && !provider.capabilities.resume) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  await confirmLock(transaction);
  await (cancelsAtPeriodEnd ? provider.cancel(id) : provider.resume(id));
  // The provider reports neither which member made the change, nor the scheduled end or pause that it replaced. An operator
  // may have set that date.
  const { cancelAt, replaceableChange: replaced } = state;
  const details = {
    ...(cancelAt !== null && { replacedCancelAt: cancelAt.toISOString() }),
    ...(replaced && { replacedChange: { action: replaced.action, at: replaced.at.toISOString() } }),
  };
  audit(ctx, transaction, { ...entry, details });
}

/** Whether the provider's answer to an earlier request got lost, and with it the audit entry. */
async function isUnrecorded(
  { procedure: action }: BillingContext,
  transaction: Transaction,
  { organizationId, subject }: { organizationId: string; subject: string },
  cancelsAtPeriodEnd: boolean,
): Promise<boolean> {
  const row = await findSubscription(transaction, subject);
  if (row === undefined || row.cancelAtPeriodEnd === cancelsAtPeriodEnd) return false;
  // With an entry, the change was made since the row was read, and is being read back.
  const readAt = row.checkedAt ?? new Date(0);
  return !(await hasAuditEntry(transaction, { organizationId, subject, action }, readAt));
}

async function changeManual(
  ctx: BillingContext,
  transaction: Transaction,
  before: SubscriptionRow,
  cancelsAtPeriodEnd: boolean,
): Promise<void> {
  const canceledAt = cancelsAtPeriodEnd ? (before.canceledAt ?? ctx.clock.now()) : null;
  // An administrator may have entered a flag and a time that do not agree.
  if (before.cancelAtPeriodEnd === cancelsAtPeriodEnd && before.canceledAt === canceledAt) return;
  audit(ctx, transaction, { organizationId: before.organizationId, subject: before.id });
  const after = { ...before, cancelAtPeriodEnd: cancelsAtPeriodEnd, canceledAt };
  await putSubscription(transaction, after);
  await recordChanges(ctx, transaction, actorOf(ctx), { before, after });
}
