import { minute } from "@purser/core/testing";
import { receiveWebhook } from "@purser/platform/inbox";
import { type TestPurser, createTestPurser, handlerOf, problemOf, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { BillingError, type Payments, type Plan } from "../ports.ts";
import { sandboxPayments } from "../sandbox/payments.ts";
import { refreshCatalog } from "../service/catalogs.ts";

let purser: TestPurser;
/** The catalog of a second provider. */
let onSale: () => Promise<Plan[]>;
let readings = 0;

const down = () => Promise.reject(new BillingError("outage", "No answer"));

beforeAll(async () => {
  purser = await createTestPurser({ payments });
});
afterAll(() => purser.close());

const payments: Payments = {
  configured: ["lemonsqueezy", "local"],
  async at(name) {
    const local = sandboxPayments(purser.platform);
    if (name === "local") return local;
    const plans = () => {
      readings += 1;
      return onSale();
    };
    const webhooks: typeof local.webhooks = { ...local.webhooks, read: () => ({ kind: "catalog" }) };
    return { ...local, name, plans, webhooks };
  },
};

const plan = (name: string): Plan => ({
  id: name.toLowerCase(),
  name,
  description: null,
  storeId: "1",
  variants: [{ id: `${name}-monthly`, price: 500, currency: "EUR", interval: "month", interval_count: 3 }],
});

const list = (input: { limit?: number; after?: string } = {}) => purser.as(null).billing.plans.list(input);
const names = async () => (await list()).map(({ name }) => name);
const refresh = () =>
  handlerOf(purser.handlers, billingJobs.refresh)(null, { id: "refresh", attempt: 1, last: true });
const builtIn = ["Starter", "Team", "Business"];

describe("billing.plans.list", () => {
  it("lists the plans of other providers while one that was never read does not answer", async () => {
    onSale = down;
    expect(await names()).toEqual(builtIn);
    const owner = await purser.person();
    const teamId = await purser.organization(owner);
    const { billing } = purser.as(owner);
    // The failing provider may sell the requested plan.
    const call = billing.checkout({ teamId, planId: "coffee", variantId: "Coffee-monthly" });
    const refusal: unknown = await call.catch(problemOf);
    expect(refusal).toMatchObject({ code: "PROVIDER_ERROR", retryable: true });
  });

  it("says to a member that only owners buy, even if a catalog cannot be read", async () => {
    onSale = () => Promise.reject(new Error("Unreadable"));
    const [owner, member] = [await purser.person(), await purser.person()];
    const teamId = await purser.organization(owner, { members: [member] });
    const call = purser
      .as(member)
      .billing.checkout({ teamId, planId: "coffee", variantId: "Coffee-monthly" });
    expect(await refusalOf(call)).toBe("FORBIDDEN");
  });

  it("lists the plans of all providers without sign-in, in order, with the documented fields", async () => {
    const coffee = plan("Coffee");
    const response = Promise.withResolvers<Plan[]>();
    onSale = () => response.promise;
    readings = 0;
    const lists = Array.from({ length: 5 }, () => list());
    await expect.poll(() => readings).toBe(1);
    response.resolve([{ ...coffee, secret: "not for sale" } as Plan, plan("Tea")]);
    const [all, ...others] = await Promise.all(lists);
    // Concurrent visitors share one read.
    expect(readings).toBeLessThan(5);
    for (const other of others) expect(other).toEqual(all);
    expect(all!.map(({ name }) => name)).toEqual(["Coffee", "Tea", ...builtIn]);
    const [variant] = coffee.variants;
    expect(all![0]).toEqual({ ...coffee, variants: [{ ...variant, trial: null, setupFee: 0 }] });
    const due = { trial: null, setupFee: 0 };
    const monthly = { price: 2900, currency: "GBP", interval: "month", interval_count: 1, ...due };
    expect(all![3]).toEqual({
      id: "local_team",
      name: "Team",
      description: expect.stringContaining("Cards"),
      storeId: null,
      variants: [
        { id: "local_team_monthly", ...monthly },
        { id: "local_team_yearly", ...monthly, price: 29_000, interval: "year" },
      ],
    });
  });

  it("says what is free at first, and what is due once", async () => {
    const trial = { interval: "week", interval_count: 2 } as const;
    const [variant] = plan("Coffee").variants;
    onSale = async () => [{ ...plan("Coffee"), variants: [{ ...variant!, trial, setupFee: 1500 }] }];
    await refresh();
    const all = await list();
    expect(all[0]?.variants).toEqual([{ ...variant, trial, setupFee: 1500 }]);
    expect(all.at(-1)?.variants).toMatchObject(
      [1, 2].map(() => ({ trial: { interval: "day", interval_count: 14 }, setupFee: 0 })),
    );
    onSale = async () => [plan("Coffee"), plan("Tea")];
    await refresh();
  });

  it("continues after the last item", async () => {
    const seen: string[] = [];
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const page = await list({ limit: 2, ...(after && { after }) });
      seen.push(...page.map(({ id }) => id));
      if (page.length < 2) break;
    }
    expect(seen).toEqual(["coffee", "tea", "local_starter", "local_team", "local_business"]);
    expect(await refusalOf(list({ after: "unheard of" }))).toBe("VALIDATION_FAILED");
  });

  it("returns the last stored catalog during an outage", async () => {
    onSale = down;
    await refresh();
    expect(await names()).toEqual(["Coffee", "Tea", ...builtIn]);
  });

  it("refreshes on a schedule and after a webhook", async () => {
    onSale = async () => [plan("Cocoa")];
    expect(await names()).toEqual(["Coffee", "Tea", ...builtIn]);
    await refresh();
    expect(await names()).toEqual(["Cocoa", ...builtIn]);
    onSale = async () => [plan("Water")];
    const receiver = purser.receivers.find(({ provider }) => provider === "lemonsqueezy")!;
    const verify = () => ({ outcome: "verified", eventId: "evt-1", type: "plan.changed" }) as const;
    await receiveWebhook(purser.platform, { ...receiver, verify }, Buffer.from("{}"), new Headers());
    await purser.drain();
    expect(await names()).toEqual(["Water", ...builtIn]);
  });

  it("is read once for events that arrived before the reading began", async () => {
    const receiver = purser.receivers.find(({ provider }) => provider === "lemonsqueezy")!;
    const receive = async (eventId: string) => {
      const verify = () => ({ outcome: "verified", eventId, type: "plan.changed" }) as const;
      await receiveWebhook(purser.platform, { ...receiver, verify }, Buffer.from("{}"), new Headers());
    };
    for (let count = 0; count < 30; count += 1) await receive(`evt-many-${count}`);
    purser.clock.advance(minute);
    onSale = async () => [plan("Last")];
    readings = 0;
    await purser.drain();
    expect(await names()).toEqual(["Last", ...builtIn]);
    // Ten run at a time, and each may begin to read before another one has read.
    expect(readings).toBeLessThanOrEqual(10);
    // An event at the very instant of a reading may be about a later change.
    onSale = async () => [plan("Later")];
    await receive("evt-later");
    await purser.drain();
    expect(await names()).toEqual(["Later", ...builtIn]);
  });

  it("never replaces a later read with an earlier one", async () => {
    const response = Promise.withResolvers<Plan[]>();
    const requested = Promise.withResolvers<void>();
    onSale = () => {
      requested.resolve();
      return response.promise;
    };
    const slow = refreshCatalog(purser.platform, "lemonsqueezy");
    await requested.promise;
    purser.clock.advance(minute);
    onSale = async () => [plan("New")];
    await refresh();
    response.resolve([plan("Old")]);
    await slow;
    expect(await names()).toEqual(["New", ...builtIn]);
  });
});
