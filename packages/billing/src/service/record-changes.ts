import type { Transaction } from "@purser/db";
import type { BillingPlatform } from "../context.ts";
import { listOwners } from "@purser/organizations";
import { recordAudit } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { findOpenCheckout } from "../checkouts/store.ts";
import { listCatalogues, type SubscriptionRow } from "../store.ts";
import { type NotifiedChange, isTold, mailOf } from "../subscriptions/mail.ts";
import { changesOf, isLive } from "../subscriptions/rules.ts";
import { closeOpenCheckout } from "./close-checkout.ts";

/** Who has changed a subscription: a procedure's caller, or the service by itself. */
export interface Cause {
  actor: { id: string; name: string } | null;
  /** The procedure's name, or the job's. */
  action: string;
}

/**
 * Puts on record what a change of a subscription means for its team, and tells the owners of it by mail: in the
 * transaction that stores it, so that both happen exactly once.
 */
export async function recordChanges(
  platform: BillingPlatform,
  transaction: Transaction,
  cause: Cause,
  { before, after }: { before: SubscriptionRow | undefined; after: SubscriptionRow },
): Promise<void> {
  const { organizationId, id: subject, status, planId, variantId, provider } = after;
  const at = platform.clock.now();
  const changes = changesOf(before, after);
  for (const change of changes) {
    const details = { change, status, provider, planId, variantId };
    await recordAudit(transaction, { organizationId, subject, at, ...cause, details });
  }
  if (isLive(after.status) && !(before && isLive(before.status)))
    await completeCheckout(platform, transaction, after);
  const told = changes.filter(isTold);
  if (told.length > 0) await notifyOwners(platform, transaction, after, told);
}

/** A team that has its subscription needs no checkout any more; another one that is open must not sell a second. */
async function completeCheckout(
  platform: BillingPlatform,
  transaction: Transaction,
  { organizationId, provider, planId }: SubscriptionRow,
): Promise<void> {
  const open = await findOpenCheckout(transaction, organizationId);
  if (open === undefined) return;
  const isThis = open.provider === provider && open.planId === planId;
  // It also ends at the provider where it looks like the one that was paid at: that may have been an earlier one.
  await closeOpenCheckout(platform, transaction, open, isThis ? "COMPLETED" : "SUPERSEDED");
}

async function notifyOwners(
  { outbox, settings: { appUrl } }: BillingPlatform,
  transaction: Transaction,
  after: SubscriptionRow,
  changes: NotifiedChange[],
): Promise<void> {
  const { organizationId, currentPeriodEnd } = after;
  const planName = await nameOfPlan(transaction, after);
  for (const { email: to, organizationName } of await listOwners(transaction, organizationId)) {
    for (const change of changes) {
      const mail = mailOf(change, { organizationName, planName, currentPeriodEnd, appUrl });
      await outbox.enqueue(transaction, platformJobs.sendMail, { to, ...mail });
    }
  }
}

async function nameOfPlan(transaction: Transaction, { provider, planId }: SubscriptionRow): Promise<string> {
  const catalogues = provider === null ? [] : await listCatalogues(transaction, [provider]);
  return catalogues.flatMap(({ plans }) => plans).find(({ id }) => id === planId)?.name ?? "Your plan";
}
