import { errorText } from "@purser/core";
import type { BillingPlatform } from "../context.ts";
import { closeCheckout, listOpenCheckouts } from "../checkouts/store.ts";
import { type SubscriptionPlace, billingJobs } from "../job-definitions.ts";
import type { PaymentProviderName, SubscriptionPointer } from "../ports.ts";
import { findSubscription, listStale, listEndedManual, lockSubscription, putSubscription } from "../store.ts";
import { resolveCheckout } from "./resolve-checkout.ts";
import { organizationExists } from "@purser/organizations";
import { recordChanges } from "./record-changes.ts";

const hour = 60 * 60 * 1000;
/** How long a provider's word is believed without another one. */
const trustedMs = 24 * hour;
/** How far back providers are asked for subscriptions that no webhook told of. */
const lookBackMs = 3 * 24 * hour;
/** Whoever pays usually comes back by then. */
const pendingMs = 15 * 60 * 1000;
/** How many of a kind are looked at in one run; the next one goes on. */
const most = 500;

/** Finds what no webhook told: what may have changed in silence, what is new, and what has run out. */
export async function reconcile(platform: BillingPlatform): Promise<void> {
  await endManual(platform);
  await refreshStale(platform);
  await askForNew(platform);
  await traceCheckouts(platform);
}

/** Nobody else ends a subscription that no provider knows. */
async function endManual(platform: BillingPlatform): Promise<void> {
  for (const { id } of await listEndedManual(platform.db, platform.clock.now(), most)) {
    await platform.db.transaction(async (transaction) => {
      const before = await lockSubscription(transaction, id);
      const now = platform.clock.now();
      const hasEnded =
        before?.provider === null && before.cancelAtPeriodEnd && before.currentPeriodEnd <= now;
      if (!hasEnded || before.status === "CANCELED") return;
      const after = { ...before, status: "CANCELED" as const };
      await putSubscription(transaction, after);
      await recordChanges(
        platform,
        transaction,
        { actor: null, action: "billing.reconcile" },
        { before, after },
      );
    });
  }
}

async function refreshStale(platform: BillingPlatform): Promise<void> {
  const now = platform.clock.now();
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const providers = platform.payments.configured;
  const doubt = { providers, now, askedBefore: ago(trustedMs), overdueBefore: ago(hour) };
  for (const { id: subscriptionId, organizationId, provider } of await listStale(platform.db, doubt, most))
    await enqueue(platform, { provider, subscriptionId, organizationId });
}

async function askForNew(platform: BillingPlatform): Promise<void> {
  const since = new Date(platform.clock.now().getTime() - lookBackMs);
  for (const name of platform.payments.configured) {
    try {
      const provider = await platform.payments.at(name);
      for (const pointer of await provider.subscriptionsSince(since))
        if (await isNewHere(platform.db, pointer)) await enqueue(platform, { provider: name, ...pointer });
    } catch (error) {
      // The next run asks again; meanwhile the other providers are not to wait for this one.
      platform.logger.warn(
        { provider: name, reason: errorText(error) },
        "New subscriptions could not be read",
      );
    }
  }
}

/** What an account at a provider sells to others than our teams, or for another service, would be ignored each time. */
async function isNewHere(db: BillingPlatform["db"], pointer: SubscriptionPointer): Promise<boolean> {
  const { subscriptionId, organizationId } = pointer;
  if (organizationId === null || !(await organizationExists(db, organizationId))) return false;
  return (await findSubscription(db, subscriptionId)) === undefined;
}

/** Each in a job of its own, which is tried again where its provider does not answer. */
function enqueue({ db, outbox }: BillingPlatform, place: SubscriptionPlace): Promise<void> {
  return db.transaction((transaction) => outbox.enqueue(transaction, billingJobs.synchronise, place));
}

async function traceCheckouts(platform: BillingPlatform): Promise<void> {
  const now = platform.clock.now();
  const silent = new Set<PaymentProviderName>();
  for (const checkout of await listOpenCheckouts(platform.db, new Date(now.getTime() - pendingMs), most)) {
    const { provider } = checkout;
    // Of a provider that does not answer nothing more is asked in this run, nor is anything of its taken for over.
    if (silent.has(provider)) continue;
    try {
      await resolveCheckout(platform, checkout);
    } catch (error) {
      silent.add(provider);
      platform.logger.warn({ provider, reason: errorText(error) }, "A checkout could not be traced");
      continue;
    }
    const until = checkout.expiresAt ?? new Date(checkout.createdAt.getTime() + trustedMs);
    if (until <= now) await closeCheckout(platform.db, checkout, "EXPIRED");
  }
}
