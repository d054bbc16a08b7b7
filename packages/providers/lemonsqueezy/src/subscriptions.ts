import {
  BillingError,
  type PortalRequest,
  type SubscriptionPointer,
  type SubscriptionState,
  type SubscriptionStatus,
  nullIfNotFound,
} from "@purser/billing/ports";
import { WebUrl, billingIntervals } from "@purser/core";
import { z } from "zod";
import {
  IncludedResources,
  type LemonSqueezyCall,
  LemonSqueezyId,
  LemonSqueezyPage,
  LemonSqueezyTime,
  isLemonSqueezyId,
  listLemonSqueezyPages,
} from "./client.ts";
import type { LemonSqueezyConfig } from "./settings.ts";

const Subscription = z.object({
  id: LemonSqueezyId,
  attributes: z.object({
    store_id: LemonSqueezyId,
    customer_id: LemonSqueezyId,
    user_email: z.string(),
    product_id: LemonSqueezyId,
    variant_id: LemonSqueezyId,
    status: z.string().max(255),
    pause: z.object({ mode: z.string() }).nullish(),
    cancelled: z.boolean(),
    first_subscription_item: z.unknown(),
    renews_at: LemonSqueezyTime.nullish(),
    ends_at: LemonSqueezyTime.nullish(),
    created_at: LemonSqueezyTime,
    updated_at: LemonSqueezyTime,
    urls: z.object({ customer_portal: WebUrl }).nullish().catch(undefined),
  }),
});
type Subscription = z.infer<typeof Subscription>;
type Attributes = Subscription["attributes"];

const SubscriptionResponse = z.object({ data: Subscription, included: IncludedResources.optional() });
type SubscriptionResponse = z.infer<typeof SubscriptionResponse>;

/** Fetches a subscription; null when the store has none with this id. */
export async function findLemonSqueezySubscription(
  call: LemonSqueezyCall,
  { storeId, clock }: Pick<LemonSqueezyConfig, "storeId" | "clock">,
  id: string,
): Promise<SubscriptionState | null> {
  const response = await findInStore(call, storeId, id);
  return response && subscriptionState(response, clock.now());
}

/** An API key reaches every store of the account, so subscriptions of other stores are skipped. */
async function findInStore(
  call: LemonSqueezyCall,
  storeId: string,
  id: string,
): Promise<SubscriptionResponse | null> {
  if (!isLemonSqueezyId(id)) return null;
  const response = await nullIfNotFound(
    call("subscriptions.retrieve", SubscriptionResponse, (sdk) =>
      sdk.getSubscription(id, { include: ["variant"] }),
    ),
  );
  return response?.data.attributes.store_id === storeId ? response : null;
}

/** Maps a subscription to the port's type. Only webhooks name its organization. */
function subscriptionState(response: SubscriptionResponse, now: Date): SubscriptionState {
  const { id, attributes } = response.data;
  const { customer_id: customerId, product_id: planId, variant_id: variantId, cancelled } = attributes;
  const status = statusOf(response.data, now);
  const period = periodOf(response);
  const cancelAtPeriodEnd = cancelled && status !== "CANCELED";
  return {
    id,
    customerId,
    organizationId: null,
    status,
    rawStatus: attributes.status,
    planId,
    variantId,
    ...period,
    isPeriodEstimated: isRetried(attributes),
    isPeriodStartEstimated: true,
    // Nothing is charged after a cancellation, also not what was overdue, nor in a pause, although the status reads as paid.
    isPeriodPaid: !cancelled && attributes.status !== "paused",
    isTrial: isTrial(attributes),
    canceledAt: cancelled ? canceledAt(attributes) : null,
    isCanceledAtEstimated: true,
    cancelAtPeriodEnd,
    cancelAt: cancelAtPeriodEnd ? (attributes.ends_at ?? period.currentPeriodEnd) : null,
  };
}

/** Maps a status, with a condition where the word alone does not decide. */
const statuses: readonly {
  theirs: string;
  when?: (attributes: Attributes, now: Date) => boolean;
  ours: SubscriptionStatus;
}[] = [
  { theirs: "on_trial", ours: "ACTIVE" },
  { theirs: "active", ours: "ACTIVE" },
  { theirs: "cancelled", when: ({ ends_at: end }, now) => !!end && end > now, ours: "ACTIVE" },
  { theirs: "cancelled", when: ({ ends_at: end }, now) => !!end && end <= now, ours: "CANCELED" },
  { theirs: "paused", when: ({ pause }) => pause?.mode === "free", ours: "ACTIVE" },
  { theirs: "paused", when: ({ pause }) => pause?.mode === "void", ours: "UNPAID" },
  { theirs: "past_due", ours: "PAST_DUE" },
  { theirs: "unpaid", ours: "UNPAID" },
  { theirs: "expired", ours: "CANCELED" },
];

function statusOf({ attributes }: Subscription, now: Date): SubscriptionStatus | null {
  const match = statuses.find(
    ({ theirs, when }) => theirs === attributes.status && (when === undefined || when(attributes, now)),
  );
  return match?.ours ?? null;
}

/** Lemon Squeezy does not report when a cancellation was requested: it was the last change, or before the end. */
function canceledAt({ updated_at: at, ends_at: endsAt }: Attributes): Date {
  return endsAt && endsAt < at ? endsAt : at;
}

/** A variant repeats the interval of its price, so no second request is needed. */
const Renewal = z.object({ interval: z.enum(billingIntervals), interval_count: z.int().min(1).max(1000) });

/** A canceled trial is `cancelled`. The first item comes with the first payment. */
function isTrial({ status, cancelled, first_subscription_item: item }: Attributes): boolean {
  return status === "on_trial" || (cancelled && item === null);
}

/** `renews_at` is the next attempt to charge then, so nothing tells the period. */
const isRetried = ({ status }: Attributes): boolean => status === "past_due" || status === "unpaid";

/** The start of a period is not reported: it is one interval before its end, or the subscription's creation. */
function periodOf({ data, included = [] }: SubscriptionResponse) {
  const { created_at: createdAt, renews_at: renewsAt, ends_at: endsAt, variant_id } = data.attributes;
  // A subscription that neither renews nor ends has no period and counts as over.
  const end = renewsAt ?? endsAt ?? createdAt;
  const variant = included.find(({ type, id }) => type === "variants" && id === variant_id);
  const renewal = Renewal.safeParse(variant?.attributes).data;
  // The length of a trial is independent of the interval.
  const start = isTrial(data.attributes) || !renewal ? createdAt : oneIntervalBefore(end, renewal);
  const earliest = Math.max(start.getTime(), createdAt.getTime());
  return { currentPeriodStart: new Date(Math.min(earliest, end.getTime())), currentPeriodEnd: end };
}

const intervalDays: Readonly<Record<string, number>> = { day: 1, week: 7 };

function oneIntervalBefore(
  instant: Date,
  { interval, interval_count: count }: z.infer<typeof Renewal>,
): Date {
  const start = new Date(instant);
  const days = intervalDays[interval];
  if (days !== undefined) {
    start.setUTCDate(start.getUTCDate() - days * count);
    return start;
  }
  start.setUTCMonth(start.getUTCMonth() - (interval === "year" ? 12 : 1) * count);
  // 31 March minus a month overflows into March. Day zero is the last day of February.
  if (start.getUTCDate() !== instant.getUTCDate()) start.setUTCDate(0);
  return start;
}

/** Cancels at the end of the period. Throws `ended`. */
export async function cancelLemonSqueezySubscription(
  call: LemonSqueezyCall,
  config: LemonSqueezyConfig,
  id: string,
): Promise<void> {
  const { cancelled } = await requireNotEnded(call, config, id);
  if (cancelled) return;
  await call("subscriptions.cancel", SubscriptionResponse, (sdk) => sdk.cancelSubscription(id));
}

/** Withdraws a cancellation. Throws `ended`. */
export async function resumeLemonSqueezySubscription(
  call: LemonSqueezyCall,
  config: LemonSqueezyConfig,
  id: string,
): Promise<void> {
  const { cancelled } = await requireNotEnded(call, config, id);
  if (!cancelled) return;
  await call("subscriptions.update", SubscriptionResponse, (sdk) =>
    sdk.updateSubscription(id, { cancelled: false }),
  );
}

/** The API does not document what happens to an ended subscription, so it is never changed. */
async function requireNotEnded(
  call: LemonSqueezyCall,
  { storeId, clock }: LemonSqueezyConfig,
  id: string,
): Promise<Attributes> {
  const subscription = await requireInStore(call, storeId, id);
  if (statusOf(subscription, clock.now()) === "CANCELED")
    throw new BillingError("ended", "The subscription has ended at Lemon Squeezy");
  return subscription.attributes;
}

async function requireInStore(call: LemonSqueezyCall, storeId: string, id: string): Promise<Subscription> {
  const response = await findInStore(call, storeId, id);
  if (response === null) throw new BillingError("not_found", "Lemon Squeezy has no such subscription");
  return response.data;
}

/**
 * Returns the URL of the customer portal, which Lemon Squeezy adds to a subscription. The portal shows everything that an
 * e-mail address bought in the store. If another organization shares the address, the URL is not signed: Lemon Squeezy then
 * requires access to its mailbox.
 */
export async function lemonSqueezyPortal(
  call: LemonSqueezyCall,
  { storeId }: LemonSqueezyConfig,
  { id, organizationSubscriptionIds }: PortalRequest,
): Promise<string> {
  const { attributes } = await requireInStore(call, storeId, id);
  if (!attributes.urls)
    throw new BillingError("refused", "Lemon Squeezy: the subscription has no customer portal");
  const url = new URL(attributes.urls.customer_portal);
  const filter = { storeId, userEmail: attributes.user_email };
  const bought = await listSubscriptionIds(call, filter);
  if (!bought.every((one) => organizationSubscriptionIds.includes(one)))
    for (const parameter of ["expires", "user", "signature"]) url.searchParams.delete(parameter);
  return url.href;
}

async function listSubscriptionIds(
  call: LemonSqueezyCall,
  filter: { storeId: string; userEmail: string },
): Promise<string[]> {
  const ids: string[] = [];
  const pages = listLemonSqueezyPages(call, "subscriptions.list", SubscriptionList, (sdk, page) =>
    sdk.listSubscriptions({ filter, page }),
  );
  for await (const { data } of pages) ids.push(...data.map(({ id }) => id));
  return ids;
}

const SubscriptionList = LemonSqueezyPage.extend({
  data: z.array(z.object({ id: LemonSqueezyId, attributes: z.object({ created_at: LemonSqueezyTime }) })),
});

/** Lists the subscriptions created since an instant, newest first; at most 1,000. Their organizations are unknown. */
export async function listLemonSqueezySubscriptionsSince(
  call: LemonSqueezyCall,
  { storeId }: LemonSqueezyConfig,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const found: SubscriptionPointer[] = [];
  const pages = listLemonSqueezyPages(call, "subscriptions.list", SubscriptionList, (sdk, page) =>
    sdk.listSubscriptions({ filter: { storeId }, page }),
  );
  for await (const { data } of pages) {
    const recent = data.filter(({ attributes }) => attributes.created_at >= since);
    found.push(...recent.map(({ id }) => ({ subscriptionId: id, organizationId: null })));
    // Lemon Squeezy lists the newest first. No timeout ends a list whose pages are empty.
    if (data.length === 0 || recent.length < data.length || found.length >= 1000) break;
  }
  return found.slice(0, 1000);
}
