import { Problem } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import {
  actOf,
  audit,
  changeOrganization,
  consumeAttempt,
  findAuditActor,
  transactAfterProviderCall,
  userOf,
} from "@purser/platform";
import type { z } from "zod";
import type { BillingContext } from "../context.ts";
import type { TheSubscription } from "../contract.ts";
import {
  BillingError,
  type PaymentProvider,
  type PaymentProviderName,
  type SubscriptionState,
} from "../ports.ts";
import { callPaymentProvider } from "../providers.ts";
import {
  type SubscriptionRow,
  findSubscription,
  findSubscriptionForUpdate,
  putSubscription,
} from "../store.ts";
import { subscriptionAt } from "../subscriptions/rules.ts";
import { lockForOwnerOfSubscription } from "./access.ts";
import { recordChanges } from "./record-changes.ts";
import { type SubscriptionRequest, synchronizeSubscription } from "./synchronize.ts";

type Input = z.output<typeof TheSubscription>;

/** Cancels a subscription at the end of its period, or at once if none is running. Idempotent. Throws SUBSCRIPTION_ENDED. */
export async function cancelSubscription(ctx: BillingContext, input: Input): Promise<void> {
  await setCancelAtPeriodEnd(ctx, input, true, () => undefined);
}

/** Withdraws a cancellation that is not yet in force. Idempotent. Throws SUBSCRIPTION_ENDED. */
export function resumeSubscription(ctx: BillingContext, input: Input) {
  return setCancelAtPeriodEnd(ctx, input, false, (status) => ({ status }));
}

/**
 * Each request for a change at the provider is several requests to it, which limits those of all organizations together. Each
 * cancellation is a mail to every owner. A manual subscription that stays as it is causes neither.
 */
const changeLimit = { limit: 20, windowSeconds: 60 };

/** Counts a change of the user, who may own any number of organizations. Throws RATE_LIMITED. */
const countChange = (ctx: BillingContext, db: Executor) =>
  consumeAttempt({ ...ctx, db }, `subscription-change:${userOf(ctx.caller).userId}`, changeLimit);

/** Changes the provider's subscription first and reads it back. A manual subscription changes in our database alone. */
async function setCancelAtPeriodEnd<Output>(
  ctx: BillingContext,
  input: Input,
  cancelsAtPeriodEnd: boolean,
  // The output is stored for the idempotency key, so it must be the procedure's.
  outputOf: (status: SubscriptionRow["status"]) => Output,
): Promise<Output> {
  const known = await findSubscription(ctx.db, input.id);
  // The change of a manual one is counted in its transaction, and the counts belong to no organization.
  const changesOrganizationAlone = known !== undefined && known.provider !== null;
  return transactAfterProviderCall(
    ctx,
    changesOrganizationAlone ? ctx.organization.id : null,
    input,
    async () => {
      const { organizationId, provider } =
        (await findSubscription(ctx.db, input.id)) ?? subscriptionNotFound();
      await changeOrganization(ctx, ctx.organization.id, (transaction) =>
        lockForOwnerOfSubscription(ctx, transaction),
      );
      if (provider !== null) {
        await countChange(ctx, ctx.db);
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
  const request: SubscriptionRequest = {
    act: actOf(ctx),
    change: (provider, current, transaction) =>
      callCancelOrResume(ctx, transaction, provider, { current, cancelsAtPeriodEnd }),
  };
  const effect = await callPaymentProvider(ctx, name, () =>
    synchronizeSubscription(ctx, name, pointer, request),
  );
  // The provider does not know its subscription any more.
  if (effect === "IGNORED") throw new Problem("PROVIDER_ERROR");
}

/** Decides on the provider's present state, because our row may be stale. */
async function callCancelOrResume(
  ctx: BillingContext,
  transaction: Transaction,
  provider: PaymentProvider,
  { current, cancelsAtPeriodEnd }: { current: SubscriptionState; cancelsAtPeriodEnd: boolean },
): Promise<"changed" | "already_changed" | "not_needed"> {
  const { id, status, cancelAt, replaceableChange: replaced } = current;
  if (status === "CANCELED") throw new BillingError("ended", "The subscription has ended");
  const entry = { organizationId: ctx.organization.id, subject: id };
  if (current.cancelAtPeriodEnd === cancelsAtPeriodEnd) {
    const row = await findSubscription(transaction, id);
    if (row === undefined || row.cancelAtPeriodEnd === cancelsAtPeriodEnd) return "not_needed";
    const { checkedAt } = row;
    const request = { ...entry, action: ctx.procedure };
    // Without a time, an administrator entered it, and a recorded request may be older than that.
    const recorded = checkedAt === null ? undefined : await findAuditActor(transaction, request, checkedAt);
    // The provider's answer to the earlier request may have got lost, and with it the audit entry.
    if (recorded === undefined) audit(ctx, transaction, entry);
    return "already_changed";
  }
  if (!cancelsAtPeriodEnd && !provider.capabilities.resume) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  // The provider reports neither which member made the change, nor the scheduled end or pause that it replaced. An operator
  // may have set that date.
  const details = {
    ...(cancelAt !== null && { replacedCancelAt: cancelAt.toISOString() }),
    ...(replaced && { replacedChange: { ...replaced, at: replaced.at?.toISOString() ?? null } }),
  };
  const record = () => audit(ctx, transaction, { ...entry, details });
  try {
    await (cancelsAtPeriodEnd ? provider.cancel(id) : provider.resume(id));
  } catch (error) {
    if (BillingError.is(error) && error.hasRemovedChange) record();
    throw error;
  }
  record();
  return "changed";
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
  await countChange(ctx, transaction);
  audit(ctx, transaction, { organizationId: before.organizationId, subject: before.id });
  const changed = { ...before, cancelAtPeriodEnd: cancelsAtPeriodEnd, canceledAt };
  // Its period may be over, and then it ends now.
  const after = subscriptionAt(changed, ctx.clock.now());
  await putSubscription(transaction, after);
  await recordChanges(ctx, transaction, actOf(ctx), { before, after });
}
