import { newId } from "@purser/core";
import { day, hour } from "@purser/core/testing";
import { sandboxInvoices, sandboxSubscriptions, subscriptions, inboxEvents } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BillingError, PaymentProvider } from "../ports.ts";
import { boughtSubscription } from "../testing/fake.ts";
import { goodCard } from "../testing/sandbox-fake.ts";
import { leaveCheckout, openCheckoutPage, payCheckout } from "./checkouts.ts";
import { purgeSandboxBillingPages, sandboxPayments } from "./payments.ts";
import { advanceSandboxSubscription, tickSandboxSubscriptions } from "./subscriptions.ts";

let purser: TestPurser;
let local: PaymentProvider;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  local = sandboxPayments(purser.platform);
  organizationId = await purser.organization(await purser.person());
});
afterAll(() => purser.close());

const returnUrl = "https://app.example.com/back?a=1";
const paid = { outcome: "paid", location: returnUrl };

/** Yearly by default, so that nothing becomes due during a test. */
function createCheckout(variantId = "local_team_yearly", checkoutId = newId("chk", purser.clock.now())) {
  const planId = variantId.replace(/_(monthly|yearly)$/, "");
  const team = { organizationId, name: "Acme", email: "owner@example.com", customerId: null };
  return local.createCheckout({ ...team, checkoutId, planId, variantId, returnUrl });
}

const pay = (reference: string, change: Partial<typeof goodCard> = {}) =>
  payCheckout(purser.platform, reference, { ...goodCard, ...change });

const page = (reference: string) => openCheckoutPage(purser.platform, reference);

/** Buys a subscription and returns its id. */
async function buy(variantId?: string, number?: string): Promise<string> {
  const { reference } = await createCheckout(variantId);
  expect(await pay(reference, number ? { number } : {})).toEqual(paid);
  return boughtSubscription(local, reference);
}

const invoicesOf = (id: string) =>
  purser.db.select().from(sandboxInvoices).where(eq(sandboxInvoices.subscriptionId, id));

/** The received events of a subscription. */
async function receivedEvents(): Promise<string[]> {
  await purser.drain();
  const events = await purser.db.select().from(inboxEvents).where(eq(inboxEvents.provider, "local"));
  return events.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1)).map(({ type }) => type);
}

async function newEvents(act: () => Promise<unknown>): Promise<string[]> {
  const before = await receivedEvents();
  await act();
  return (await receivedEvents()).slice(before.length);
}

const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: BillingError) => error.kind,
  );

describe("a checkout of the built-in provider", () => {
  it("is created once per id, with an unguessable URL", async () => {
    const id = newId("chk", purser.clock.now());
    const [one, again, other] = [
      await createCheckout(undefined, id),
      await createCheckout(undefined, id),
      await createCheckout(),
    ];
    expect(again).toEqual(one);
    expect(other.reference).not.toBe(one.reference);
    expect(one).toEqual({
      reference: expect.stringMatching(/^cs_local_[0-9a-f]{48}$/),
      url: `http://localhost:3000/local/checkout/${one.reference}`,
      expiresAt: new Date(purser.clock.now().getTime() + day),
    });
  });

  it("is created for offers on sale only", async () => {
    for (const variantId of ["local_gold_monthly", "local_team_weekly"])
      expect(await kindOf(createCheckout(variantId))).toBe("not_found");
    const plans = await local.plans();
    expect(plans.map(({ id }) => id)).toEqual(["local_starter", "local_team", "local_business"]);
    expect(plans[2]).not.toHaveProperty("trialDays");
  });

  it("shows plan and buyer until it expires", async () => {
    const { reference, expiresAt } = await createCheckout("local_business_yearly");
    const shown = {
      organizationName: "Acme",
      email: "owner@example.com",
      trialDays: 14,
      expiresAt,
      returnUrl,
    };
    expect(await page(reference)).toMatchObject({
      ...shown,
      plan: { id: "local_business", name: "Business" },
      variant: { price: 99_000, currency: "GBP", interval: "year" },
      status: "open",
    });
    expect(await leaveCheckout(purser.platform, reference)).toBe(returnUrl);
    purser.clock.advance(day);
    expect(await page(reference)).toMatchObject({ status: "expired" });
    expect(await pay(reference)).toBeNull();
  });

  it("produces one subscription for concurrent payments, and redirects all of them", async () => {
    const { reference } = await createCheckout();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => pay(reference)));
    for (const outcome of outcomes) expect(outcome).toEqual(paid);
    expect(await pay(reference, { number: "" })).toEqual(paid);
    expect(await page(reference)).toMatchObject({ status: "completed" });
    const id = await boughtSubscription(local, reference);
    const made = await local.subscriptionsSince(purser.clock.now());
    expect(made).toEqual([{ subscriptionId: id, organizationId }]);
    expect(await invoicesOf(id)).toMatchObject([{ number: 1, status: "paid", amount: 29_000 }]);
  });

  it("stays open after a declined or invalid card", async () => {
    const { reference } = await createCheckout();
    expect(await pay(reference, { number: "4000000000000002" })).toMatchObject({ outcome: "declined" });
    expect(await pay(reference, { cvc: "" })).toMatchObject({ outcome: "invalid", field: "cvc" });
    expect(await page(reference)).toMatchObject({ status: "open" });
    expect(await local.checkoutResult(reference)).toEqual({ status: "unpaid" });
    expect(await pay(reference)).toEqual(paid);
  });

  it("can be expired before a purchase, but not after it", async () => {
    const [open, done] = [await createCheckout(), await createCheckout()];
    await pay(done.reference);
    for (const { reference } of [open, open, done]) await local.expireCheckout(reference);
    expect(await page(open.reference)).toMatchObject({ status: "expired" });
    expect(await page(done.reference)).toMatchObject({ status: "completed" });
  });

  it.each(["", "cs_local_\0", `cs_local_${"0".repeat(48)}`])("does not find %j", async (reference) => {
    expect(await page(reference)).toBeNull();
    expect(await pay(reference)).toBeNull();
    expect(await leaveCheckout(purser.platform, reference)).toBeNull();
    expect(await kindOf(local.checkoutResult(reference))).toBe("not_found");
    expect(await kindOf(local.expireCheckout(reference))).toBe("not_found");
  });

  it("leaves no card number in the database", async () => {
    await buy(undefined, goodCard.number);
    const [row] = await purser.db.execute<{ dump: string }>(sql`
      SELECT (SELECT json_agg(s)::text FROM local_subscriptions s)
        || (SELECT json_agg(c)::text FROM local_checkouts c) AS dump`);
    expect(row!.dump).toContain('"card_last_four":"4242"');
    expect(row!.dump.replaceAll(/[\s-]/g, "")).not.toContain("4242".repeat(4));
  });
});

describe("a subscription of the built-in provider", () => {
  it("emits signed events, each received once, and is stored", async () => {
    const { reference } = await createCheckout();
    const events = await newEvents(() => pay(reference));
    expect(events).toEqual(["checkout.completed", "subscription.created", "invoice.paid"]);
    const id = await boughtSubscription(local, reference);
    const { rawStatus, cancelAt, ...fields } = (await local.subscription(id))!;
    expect({ rawStatus, cancelAt, ...fields }).toEqual({
      id,
      organizationId,
      customerId: await local.createCustomer({ organizationId, name: "Acme", email: "", checkoutId: "" }),
      status: "ACTIVE",
      rawStatus: "active",
      planId: "local_team",
      variantId: "local_team_yearly",
      currentPeriodStart: new Date("2026-03-03T09:00:00.000Z"),
      currentPeriodEnd: new Date("2027-03-03T09:00:00.000Z"),
      isTrial: false,
      canceledAt: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
    const [row] = await purser.db.select().from(subscriptions).where(eq(subscriptions.id, id));
    expect(row).toMatchObject({ ...fields, rawStatus, provider: "local" });
  });

  it("shows due events before they are stored, and the tick emits them once", async () => {
    const id = await buy("local_team_monthly", "4000 0000 0000 0341");
    await purser.drain();
    purser.clock.advance(32 * day);
    const state = await local.subscription(id);
    expect(state).toMatchObject({ status: "PAST_DUE", rawStatus: "past_due" });
    expect(await invoicesOf(id)).toHaveLength(1);
    const events = await newEvents(() =>
      Promise.all([1, 2, 3].map(() => tickSandboxSubscriptions(purser.platform))),
    );
    expect(events).toEqual(["invoice.payment_failed", "subscription.updated"]);
    expect(await local.subscription(id)).toEqual(state);
    expect(await invoicesOf(id)).toMatchObject([
      { number: 1, status: "paid" },
      { number: 2, status: "open", attempts: 1 },
    ]);
    expect(await newEvents(() => tickSandboxSubscriptions(purser.platform))).toEqual([]);
  });

  it("advances over many periods, and emits their events", async () => {
    const id = await buy("local_team_monthly");
    const to = new Date(purser.clock.now().getTime() + 95 * day);
    const events = await newEvents(() => advanceSandboxSubscription(purser.platform, id, to));
    expect(events).toEqual(Array.from({ length: 3 }, () => ["invoice.paid", "subscription.updated"]).flat());
    expect(await invoicesOf(id)).toHaveLength(4);
    const advance = (instant: Date | number) =>
      advanceSandboxSubscription(purser.platform, id, new Date(instant));
    expect(await advance(to)).toBe("advanced");
    expect(await advance(to.getTime() - 1)).toBe("too_early");
    expect(await advance(to.getTime() + 6 * 365 * day)).toBe("too_late");
    expect(await advanceSandboxSubscription(purser.platform, purser.unknownId("sub"), to)).toBeNull();
    purser.clock.advance(40 * day);
    await tickSandboxSubscriptions(purser.platform);
    expect(await invoicesOf(id)).toHaveLength(4);
  });

  it("is charged once per period under concurrent advances", async () => {
    const id = await buy("local_team_monthly");
    const to = new Date(purser.clock.now().getTime() + 32 * day);
    const move = () => Array.from({ length: 6 }, () => advanceSandboxSubscription(purser.platform, id, to));
    expect(await newEvents(() => Promise.all(move()))).toEqual(["invoice.paid", "subscription.updated"]);
    expect(await invoicesOf(id)).toHaveLength(2);
  });

  it("can be canceled and resumed repeatedly until it has ended", async () => {
    // The first subscription of an organization has the trial.
    organizationId = await purser.organization(await purser.person());
    const id = await buy("local_business_monthly");
    const change = async (what: "cancel" | "resume") => {
      await local[what](id);
      return local.subscription(id);
    };
    const canceledAt = purser.clock.now();
    expect(await change("cancel")).toMatchObject({ cancelAtPeriodEnd: true, canceledAt, status: "ACTIVE" });
    purser.clock.advance(hour);
    expect(await change("cancel")).toMatchObject({ canceledAt });
    for (let time = 1; time <= 2; time += 1)
      expect(await change("resume")).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
    await local.cancel(id);
    purser.clock.advance(14 * day);
    expect(await local.subscription(id)).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    expect(await Promise.all([local.cancel(id), local.resume(id)].map(kindOf))).toEqual(["ended", "ended"]);
  });

  it("is recognized by id, and null when unknown", async () => {
    const unknown = purser.unknownId("sub");
    expect([local.recognizes(unknown), local.recognizes("sub_1Abc")]).toEqual([true, false]);
    for (const id of [unknown, "sub_1Abc", "\0"]) {
      expect(await local.subscription(id)).toBeNull();
      expect(await kindOf(local.cancel(id))).toBe("not_found");
    }
  });
});

describe("the upkeep of the built-in provider", () => {
  it("continues after one subscription fails, and reports the failure", async () => {
    const [broken, sound] = [await buy("local_team_monthly"), await buy("local_team_monthly")];
    const spoil = (planId: string) =>
      purser.db.update(sandboxSubscriptions).set({ planId }).where(eq(sandboxSubscriptions.id, broken));
    await spoil("local_gone");
    purser.clock.advance(32 * day);
    await expect(tickSandboxSubscriptions(purser.platform)).rejects.toThrow("not listed");
    expect([(await invoicesOf(broken)).length, (await invoicesOf(sound)).length]).toEqual([1, 2]);
    await spoil("local_team");
    await tickSandboxSubscriptions(purser.platform);
    expect(await invoicesOf(broken)).toHaveLength(2);
  });

  it("deletes expired checkouts without a payment", async () => {
    const [unused, used] = [await createCheckout(), await createCheckout()];
    await pay(used.reference);
    await purgeSandboxBillingPages(purser.platform, unused.expiresAt);
    expect(await page(unused.reference)).not.toBeNull();
    await purgeSandboxBillingPages(purser.platform, new Date(unused.expiresAt.getTime() + 1));
    expect(await page(unused.reference)).toBeNull();
    expect(await page(used.reference)).toMatchObject({ status: "completed" });
  });
});
