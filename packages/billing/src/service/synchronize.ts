import type { Transaction } from "@purser/db";
import type { BillingPlatform } from "../context.ts";
import { findCheckout } from "../checkouts/store.ts";
import { billingMetrics } from "../metrics.ts";
import type { PaymentProviderName, SubscriptionPointer, SubscriptionState, TeamClaim } from "../ports.ts";
import {
  type SubscriptionRow,
  acquireSubscriptionLock,
  findSubscription,
  lockSubscription,
  putSubscription,
  setCheckedAt,
} from "../store.ts";
import { lockExistingOrganization } from "@purser/organizations";
import { recordChanges } from "./record-changes.ts";

/**
 * Brings our record of a subscription to what its provider has now: the one way in which a provider's word becomes
 * ours, whatever was the reason to ask. IGNORED where it is nobody's here.
 *
 * One at a time: of two that asked at the same time, the slower one would write what it was told first over what the
 * other was told last. So asking and writing happen under one lock, which all processes share; its connection is one
 * of a few that are kept for this, so that nobody else waits while a provider takes its time.
 */
export async function synchronizeSubscription(
  platform: BillingPlatform,
  provider: PaymentProviderName,
  pointer: SubscriptionPointer,
): Promise<"APPLIED" | "IGNORED"> {
  const { subscriptionId } = pointer;
  const adapter = await platform.payments.at(provider);
  const measured = platform.meter.time(billingMetrics.synchroniseDuration);
  const synchronised = withSubscriptionLock(platform, provider, subscriptionId, async (transaction) => {
    const state = await adapter.subscription(subscriptionId);
    if (state === null) {
      platform.logger.warn({ provider, subscriptionId }, "A payment provider does not know a subscription");
      await setCheckedAt(transaction, { id: subscriptionId, provider, checkedAt: platform.clock.now() });
      return "IGNORED";
    }
    const organizationId = await teamOf(transaction, state.organizationId === null ? pointer : state);
    return apply(platform, transaction, provider, { ...state, organizationId });
  });
  synchronised.then(
    (status) => measured({ provider, outcome: status.toLowerCase() }),
    () => measured({ provider, outcome: "failed" }),
  );
  return synchronised;
}

/** Does something about a subscription while nobody else does, in any process. */
export function withSubscriptionLock<Result>(
  { lockDb }: BillingPlatform,
  provider: PaymentProviderName,
  subscriptionId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return lockDb.transaction(async (transaction) => {
    await acquireSubscriptionLock(transaction, `subscription ${provider} ${subscriptionId}`);
    return work(transaction);
  });
}

/** Whose it is. What customers could have written is believed only where we have begun that checkout for that team. */
async function teamOf(
  transaction: Transaction,
  { organizationId, checkoutId }: TeamClaim,
): Promise<string | null> {
  if (checkoutId === undefined) return organizationId;
  const checkout = await findCheckout(transaction, checkoutId);
  return checkout?.organizationId === organizationId ? organizationId : null;
}

async function apply(
  platform: BillingPlatform,
  transaction: Transaction,
  provider: PaymentProviderName,
  state: SubscriptionState,
): Promise<"APPLIED" | "IGNORED"> {
  // A subscription stays with the team that it was stored for.
  const { organizationId } = (await findSubscription(transaction, state.id)) ?? state;
  // The team before what it has, in the order in which everybody locks them: a checkout that begins at this moment
  // sees the subscription, or is seen here.
  if (organizationId === null || !(await lockExistingOrganization(transaction, organizationId)))
    return "IGNORED";
  const before = await lockSubscription(transaction, state.id);
  if (before !== undefined && before.provider !== null && before.provider !== provider) {
    platform.logger.error(
      { provider, other: before.provider, subscriptionId: state.id },
      "Two payment providers have a subscription of the same id; the second one's is not kept",
    );
    return "IGNORED";
  }
  if (state.status === null) {
    platform.meter.count(billingMetrics.unknownStatuses, { provider });
    platform.logger.error(
      { provider, subscriptionId: state.id, rawStatus: state.rawStatus },
      "A payment provider says a status that is not known; the last one stays",
    );
  }
  const after = rowOf(state, { provider, organizationId, before, checkedAt: platform.clock.now() });
  if (!(await putSubscription(transaction, after)))
    throw new Error("The subscription was stored for another team meanwhile");
  const cause = { actor: null, action: "billing.synchronise" };
  await recordChanges(platform, transaction, cause, { before, after });
  return "APPLIED";
}

interface Place {
  provider: PaymentProviderName;
  organizationId: string;
  before: SubscriptionRow | undefined;
  checkedAt: Date;
}

function rowOf(
  state: SubscriptionState,
  { provider, organizationId, before, checkedAt }: Place,
): SubscriptionRow {
  const { status, organizationId: _team, checkoutId: _checkout, ...facts } = state;
  return { ...facts, organizationId, provider, status: status ?? before?.status ?? "INCOMPLETE", checkedAt };
}
