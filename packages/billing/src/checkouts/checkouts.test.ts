import { minute } from "@purser/core/testing";
import { billingCheckouts } from "@purser/db";
import { type Person, outcomeOf, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { asc, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BillingError } from "../ports.ts";
import { openCheckoutPage } from "../sandbox/checkouts.ts";
import { resolveCheckoutReturn } from "../service/resolve-checkout.ts";
import { synchronizeSubscription } from "../service/synchronize.ts";

let scene: BillingScene;
let owner: Person;
let teamId: string;

beforeAll(async () => {
  scene = await billingScene("local");
});
afterAll(() => scene.close());
beforeEach(async () => {
  ({ owner, teamId } = await scene.team());
});
afterEach(() => scene.intercept(null));

const team = { planId: "local_team", variantId: "local_team_monthly" };
const starter = { planId: "local_starter", variantId: "local_starter_yearly" };

const checkout = (offer: Partial<typeof team> & { redirectUrl?: string } = {}) =>
  scene.purser.as(owner).billing.checkout({ teamId, ...team, ...offer });

const rows = () =>
  scene.purser.db
    .select()
    .from(billingCheckouts)
    .where(eq(billingCheckouts.organizationId, teamId))
    .orderBy(asc(billingCheckouts.id));
const statuses = async () => (await rows()).map(({ status }) => status);

const referenceIn = (url: string) => url.split("/").at(-1)!;
const pageAt = async (url: string) =>
  (await openCheckoutPage(scene.purser.platform, referenceIn(url)))?.status;
const outage = () => Promise.reject(new BillingError("outage", "No answer"));

describe("a paid checkout", () => {
  const { promise: never } = Promise.withResolvers<never>();

  const shown = () => scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });
  const back = async (id?: string) => {
    const checkoutId = id ?? (await rows()).at(-1)!.id;
    return resolveCheckoutReturn(scene.purser.platform, checkoutId);
  };
  /** The recorded changes of the team's subscription. */
  const changes = async () => {
    const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
    const synchronizations = entries.filter(({ action }) => action === "billing.synchronize");
    return synchronizations.map(({ details: { change } }) => change);
  };

  it("is completed by the returning browser without a webhook, and only once", async () => {
    const url = await checkout({ redirectUrl: "http://localhost:3000/welcome?from=mail#top" });
    const id = (await rows())[0]!.id;
    const { subscriptionId, events } = await scene.fake.complete(referenceIn(url));
    expect(await shown()).toBeNull();
    const target = `http://localhost:3000/welcome?from=mail&checkout=completed&checkoutId=${id}#top`;
    expect(await Promise.all([back(id), back(id), back(id)])).toEqual([target, target, target]);
    expect(await shown()).toMatchObject({
      id: subscriptionId,
      organizationId: teamId,
      customerId: expect.stringMatching(/^cus_/),
      status: "ACTIVE",
      ...team,
      currentPeriodStart: scene.purser.clock.now(),
      currentPeriodEnd: expect.any(Date),
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
    await scene.deliver(events[0]!);
    await scene.purser.drain();
    expect(await statuses()).toEqual(["COMPLETED"]);
    expect(await changes()).toEqual(["started"]);
    expect(await refusalOf(checkout())).toBe("ALREADY_SUBSCRIBED");
  });

  it("is completed by a webhook, before the browser returns", async () => {
    const { events } = await scene.fake.complete(referenceIn(await checkout()));
    await scene.deliver(events[0]!);
    await scene.purser.drain();
    expect([await statuses(), await changes()]).toEqual([["COMPLETED"], ["started"]]);
    scene.intercept({ checkoutResult: () => never, subscription: () => never });
    expect(await back()).toContain("/billing/done?checkout=completed");
  });

  it("stays open before a payment, and while the provider does not answer", async () => {
    const url = await checkout();
    expect(await back()).toContain("?checkout=open");
    await scene.fake.complete(referenceIn(url));
    scene.intercept({ checkoutResult: outage });
    expect(await back()).toContain("?checkout=open");
    scene.intercept({ subscription: outage });
    expect(await back()).toContain("?checkout=open");
    scene.intercept({ capabilities: { ...scene.fake.provider.capabilities, resolvesCheckouts: false } });
    expect(await back()).toContain("?checkout=open");
    scene.intercept(null);
    expect(await back()).toContain("?checkout=completed");
  });

  it.each([
    ["for another plan", starter],
    ["for the same", { ...team, redirectUrl: "http://localhost:3000/elsewhere" }],
  ])("counts although another one %s superseded it, which is then closed", async (_, offer) => {
    const first = await checkout();
    const second = await checkout(offer);
    const { subscriptionId } = await scene.fake.complete(referenceIn(first));
    // The webhook arrives first.
    await synchronizeSubscription(scene.purser.platform, "local", { subscriptionId, organizationId: teamId });
    expect(await back((await rows())[0]!.id)).toContain("?checkout=completed");
    expect(await shown()).toMatchObject({ id: subscriptionId, status: "ACTIVE" });
    await scene.purser.drain();
    expect([await pageAt(first), await pageAt(second)]).toEqual(["completed", "expired"]);
  });

  it.each([
    ["another plan", starter],
    ["another address", { redirectUrl: "http://localhost:3000/elsewhere" }],
  ])("is found by a checkout for %s, which does not supersede it", async (_, offer) => {
    const { subscriptionId } = await scene.fake.complete(referenceIn(await checkout()));
    scene.intercept({ checkoutResult: outage });
    expect(await refusalOf(checkout(offer))).toBe("PROVIDER_ERROR");
    expect(await statuses()).toEqual(["OPEN"]);
    scene.intercept(null);
    expect(await refusalOf(checkout(offer))).toBe("ALREADY_SUBSCRIBED");
    expect(await statuses()).toEqual(["COMPLETED"]);
    expect(await shown()).toMatchObject({ id: subscriptionId, status: "ACTIVE" });
  });

  it("leaves no concurrent checkout open", async () => {
    for (let round = 0; round < 3; round += 1) {
      ({ owner, teamId } = await scene.team());
      const { subscriptionId } = await scene.fake.complete(referenceIn(await checkout()));
      const pointer = { subscriptionId, organizationId: teamId };
      const [, outcome] = await Promise.all([
        synchronizeSubscription(scene.purser.platform, "local", pointer),
        outcomeOf(checkout(starter)),
      ]);
      expect(["ok", "ALREADY_SUBSCRIBED"]).toContain(outcome);
      expect(await statuses()).toContain("COMPLETED");
      expect(await statuses()).not.toContain("OPEN");
    }
  });

  it("asks the provider at most ten times a minute, however often the page is loaded", async () => {
    const { provider } = scene.fake;
    let calls = 0;
    scene.intercept({
      checkoutResult: (reference) => ((calls += 1), provider.checkoutResult(reference)),
    });
    const url = await checkout();
    for (let load = 0; load < 12; load += 1) expect(await back()).toContain("?checkout=open");
    expect(calls).toBe(10);
    await scene.fake.complete(referenceIn(url));
    scene.purser.clock.advance(minute);
    expect(await back()).toContain("?checkout=completed");
  });

  it("is not found for an unknown id", async () => {
    for (const id of [scene.purser.unknownId("chk"), scene.purser.unknownId("sub"), "\0", ""])
      expect(await refusalOf(back(id))).toBe("CHECKOUT_NOT_FOUND");
  });
});
