import { WebUrl } from "@purser/core";
import { z } from "zod";
import type { SubscriptionState, SubscriptionStatus } from "@purser/billing/ports";

/** Ids are texts of digits, and numbers where one thing names another. */
export const LemonSqueezyId = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^[1-9]\d{0,14}$/));
const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const isLemonSqueezyId = (text: string): boolean => LemonSqueezyId.safeParse(text).success;

export const lemonSqueezyIntervals = ["day", "week", "month", "year"] as const;
type Interval = (typeof lemonSqueezyIntervals)[number];

/** A list, page by page. */
export const LemonSqueezyPage = z.object({ meta: z.object({ page: z.object({ lastPage: z.int() }) }) });
export type LemonSqueezyPage = z.infer<typeof LemonSqueezyPage>;

export const CheckoutAnswer = z.object({
  data: z.object({
    id: z.string().min(1).max(255),
    attributes: z.object({ url: WebUrl, expires_at: Time.nullish() }),
  }),
});

const Subscription = z.object({
  id: LemonSqueezyId,
  attributes: z.object({
    store_id: LemonSqueezyId,
    customer_id: LemonSqueezyId,
    product_id: LemonSqueezyId,
    variant_id: LemonSqueezyId,
    status: z.string().max(255),
    pause: z.object({ mode: z.string() }).nullish(),
    cancelled: z.boolean(),
    renews_at: Time.nullish(),
    ends_at: Time.nullish(),
    created_at: Time,
    updated_at: Time,
    urls: z.object({ customer_portal: WebUrl }).nullish().catch(undefined),
  }),
});
type Subscription = z.infer<typeof Subscription>;

/** Of many at once only which they are. */
export const Subscriptions = LemonSqueezyPage.extend({
  data: z.array(z.object({ id: LemonSqueezyId, attributes: z.object({ created_at: Time }) })),
});

/** Something else that came with an answer because it was asked to be included. */
export const IncludedResources = z.array(
  z.object({ type: z.string(), id: LemonSqueezyId, attributes: z.unknown() }),
);

/** A subscription; its variant comes with it where that was asked for. */
export const SubscriptionAnswer = z.object({ data: Subscription, included: IncludedResources.optional() });
export type SubscriptionAnswer = z.infer<typeof SubscriptionAnswer>;

type Attributes = Subscription["attributes"];

/** Ours for theirs, and what else must be so where the word alone does not decide. */
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

/** The status of a subscription, or null where it is not known here. */
export function lemonSqueezyStatus({ attributes }: Subscription, now: Date): SubscriptionStatus | null {
  const isSo = statuses.find(
    ({ theirs, when }) => theirs === attributes.status && (when === undefined || when(attributes, now)),
  );
  return isSo?.ours ?? null;
}

/** A subscription as it stands. Its team is not told with it, only with its webhooks. */
export function lemonSqueezySubscriptionState(answer: SubscriptionAnswer, now: Date): SubscriptionState {
  const { id, attributes } = answer.data;
  const { customer_id: customerId, product_id: planId, variant_id: variantId, cancelled } = attributes;
  const status = lemonSqueezyStatus(answer.data, now);
  return {
    id,
    customerId,
    organizationId: null,
    status,
    rawStatus: attributes.status,
    planId,
    variantId,
    ...periodOf(answer),
    canceledAt: cancelled ? canceledAt(attributes) : null,
    cancelAtPeriodEnd: cancelled && status !== "CANCELED",
  };
}

/** When it was cancelled is not told: it was the last change, unless that was its end. */
function canceledAt({ updated_at: at, ends_at: endsAt }: Attributes): Date {
  return endsAt && endsAt < at ? endsAt : at;
}

/** As variants still tell it beside their prices, which would take another request. */
const Renewal = z.object({
  interval: z.enum(lemonSqueezyIntervals),
  interval_count: z.int().min(1).max(1000),
});

/** Where a period begins is not told: one interval before its end, and no earlier than the subscription itself. */
function periodOf({ data, included = [] }: SubscriptionAnswer) {
  const { created_at: createdAt, renews_at: renewsAt, ends_at: endsAt, status, variant_id } = data.attributes;
  // Of a subscription that neither renews nor ends no period is known: it counts as over.
  const end = renewsAt ?? endsAt ?? createdAt;
  const variant = included.find(({ type, id }) => type === "variants" && id === variant_id);
  const renewal = Renewal.safeParse(variant?.attributes).data;
  // A trial is as long as it was made, whatever the interval.
  const start = status === "on_trial" || !renewal ? createdAt : earlier(end, renewal);
  const earliest = Math.max(start.getTime(), createdAt.getTime());
  return { currentPeriodStart: new Date(Math.min(earliest, end.getTime())), currentPeriodEnd: end };
}

const days: Readonly<Partial<Record<Interval, number>>> = { day: 1, week: 7 };

/** An interval before an instant; in a month without its day on the last one. */
function earlier(instant: Date, { interval, interval_count: count }: z.infer<typeof Renewal>): Date {
  const start = new Date(instant);
  const daysBack = days[interval];
  if (daysBack !== undefined) {
    start.setUTCDate(start.getUTCDate() - daysBack * count);
    return start;
  }
  start.setUTCMonth(start.getUTCMonth() - (interval === "year" ? 12 : 1) * count);
  // February has no 31st: the date ran over into the next month, whose day zero is the last of this one.
  if (start.getUTCDate() !== instant.getUTCDate()) start.setUTCDate(0);
  return start;
}
