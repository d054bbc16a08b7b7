import { addMs, errorText, paymentProviderNames } from "@purser/core";
import { perPool } from "@purser/platform";
import { listOpenCheckouts, setCheckoutCheckedAt } from "../checkouts/store.ts";
import type { BillingPlatform } from "../context.ts";
import { billingJobs } from "../job-definitions.ts";
import type { PaymentProviderName, SubscriptionPointer } from "../ports.ts";
import {
  filterStored,
  listEndedManual,
  listStaleSubscriptions,
  listStaleUnattributed,
  findSubscriptionForUpdate,
  purgeUnattributed,
  putSubscription,
  setCheckedAt,
} from "../store.ts";
import { closeOpenCheckout } from "./close-checkout.ts";
import { resolveCheckout } from "./resolve-checkout.ts";
import { recordManualEnd } from "./record-changes.ts";

const hourMs = 60 * 60 * 1000;
/** A subscription that was checked within this time is not stale. */
const trustedMs = 24 * hourMs;
/** How far back each run looks for subscriptions that no webhook announced. */
const lookBackMs = 3 * 24 * hourMs;
/** How far back it looks after a longer time without a listing. */
const longestLookBackMs = 30 * 24 * hourMs;
/** Customers usually return from the payment page within this time. */
const pendingMs = 15 * 60 * 1000;
/** The limit of each step in one run, per provider. The next run continues. */
const batchSize = 500;
/** No checkout is asked about after this time of a run, which must end within five minutes. */
const resolvingMs = 3 * 60 * 1000;

/** Finds what no webhook announced: changed, new and expired subscriptions, and open checkouts. */
export async function reconcileSubscriptions(platform: BillingPlatform): Promise<void> {
  await endManualSubscriptions(platform);
  await refreshStale(platform);
  await discoverSubscriptions(platform);
  await resolveOpenCheckouts(platform);
}

/** No provider ends a manual subscription, so we do. */
async function endManualSubscriptions(platform: BillingPlatform): Promise<void> {
  for (const key of await listEndedManual(platform.db, platform.clock.now(), batchSize)) {
    await platform.db.transaction(async (transaction) => {
      const stored = await findSubscriptionForUpdate(transaction, key);
      if (stored === undefined) return;
      const present = await recordManualEnd(platform, transaction, stored);
      if (present.status !== stored.status) await putSubscription(transaction, present);
    });
  }
}

async function refreshStale(platform: BillingPlatform): Promise<void> {
  const now = platform.clock.now();
  const ago = (milliseconds: number) => addMs(now, -milliseconds);
  const checkedBefore = ago(trustedMs);
  for (const provider of platform.payments.configured) {
    const staleness = { provider, now, checkedBefore, overdueBefore: ago(hourMs) };
    const stale = await listStaleSubscriptions(platform.db, staleness, batchSize);
    const unattributed = await listStaleUnattributed(platform.db, staleness, batchSize);
    await enqueueFetches(platform, provider, [
      ...stale.map(({ id: subscriptionId, organizationId }) => ({ subscriptionId, organizationId })),
      ...unattributed.map((subscriptionId) => ({ subscriptionId, organizationId: null })),
    ]);
  }
  await purgeUnattributed(platform.db, checkedBefore);
}

/** When this process last listed the new subscriptions of each provider, in milliseconds. */
const lastListings = perPool(() => new Map<PaymentProviderName, number>());

/**
 * After days without a listing, such as an outage of ours, this looks back to the last one. A process that has just started
 * knows of none, and looks back as far as it may, once.
 */
async function discoverSubscriptions(platform: BillingPlatform): Promise<void> {
  const now = platform.clock.now().getTime();
  const lastListing = lastListings(platform.db);
  for (const name of platform.payments.configured) {
    try {
      const provider = await platform.payments.at(name);
      const recent = await provider.subscriptionsSince(new Date(now - lookBackMs));
      await enqueueNew(platform, name, recent);
      // Lists may lag behind, so they overlap. The short one comes first: a provider may not answer a long one in time.
      const missedSince = Math.max((lastListing.get(name) ?? 0) - hourMs, now - longestLookBackMs);
      if (missedSince < now - lookBackMs) {
        const known = new Set(recent.map(({ subscriptionId }) => subscriptionId));
        const all = await provider.subscriptionsSince(new Date(missedSince));
        const older = all.filter(({ subscriptionId }) => !known.has(subscriptionId));
        await enqueueNew(platform, name, older);
      }
      lastListing.set(name, now);
    } catch (error) {
      // The next run retries. An outage of one provider must not block the others.
      platform.logger.warn({ provider: name, reason: errorText(error) }, "Listing new subscriptions failed");
    }
  }
}

/** Enqueues the listed subscriptions that are not stored. */
async function enqueueNew(
  platform: BillingPlatform,
  name: PaymentProviderName,
  listed: SubscriptionPointer[],
): Promise<void> {
  const ids = listed.map(({ subscriptionId }) => subscriptionId);
  const stored = await filterStored(platform.db, name, ids);
  const isNew = ({ subscriptionId }: SubscriptionPointer) => !stored.has(subscriptionId);
  await enqueueFetches(platform, name, listed.filter(isNew));
}

/**
 * Enqueues one job per subscription, so that each is retried independently. Each counts as checked from now on, even if
 * the job fails: an outage must not pile up jobs for the same subscription.
 */
async function enqueueFetches(
  { db, outbox, clock }: BillingPlatform,
  provider: PaymentProviderName,
  pointers: SubscriptionPointer[],
): Promise<void> {
  if (pointers.length === 0) return;
  await db.transaction(async (transaction) => {
    await setCheckedAt(transaction, { provider, pointers, checkedAt: clock.now() });
    const jobs = pointers.map((pointer) => ({ provider, ...pointer }));
    await outbox.enqueueAll(transaction, billingJobs.synchronize, jobs);
  });
}

/** Checkouts of a provider that is not configured any more only expire. A slow provider does not delay the others. */
async function resolveOpenCheckouts(platform: BillingPlatform): Promise<void> {
  await Promise.all(paymentProviderNames.map((provider) => resolveCheckoutsAt(platform, provider)));
}

async function resolveCheckoutsAt(platform: BillingPlatform, provider: PaymentProviderName): Promise<void> {
  const { db, clock, logger } = platform;
  const now = clock.now();
  const startedBefore = addMs(now, -pendingMs);
  const endsAt = addMs(now, resolvingMs);
  for (const checkout of await listOpenCheckouts(db, { provider, startedBefore }, batchSize)) {
    if (clock.now() >= endsAt) return;
    // Before the request, so that a checkout that always fails does not hold up the others in every run.
    await setCheckoutCheckedAt(db, checkout, now);
    let isProcessing: boolean;
    try {
      ({ isProcessing } = await resolveCheckout(platform, checkout));
    } catch (error) {
      // The next run retries. Until the provider answers, a checkout may have been paid, so none expires.
      logger.warn({ provider, reason: errorText(error) }, "Resolving a checkout failed");
      return;
    }
    const expiresAt = checkout.expiresAt ?? addMs(checkout.createdAt, trustedMs);
    // Without an open checkout, the team could pay for another one.
    const closesAt = expiresAt.getTime() + (isProcessing ? trustedMs : 0);
    // A page may accept payments for longer than its checkout is open here.
    if (closesAt <= now.getTime())
      await db.transaction((transaction) => closeOpenCheckout(platform, transaction, checkout, "EXPIRED"));
  }
}
