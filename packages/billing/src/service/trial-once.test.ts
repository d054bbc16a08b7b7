import type { Person } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CheckoutRequest } from "../ports.ts";
import { openCheckoutPage, payCheckout } from "../sandbox/checkouts.ts";
import { goodCard } from "../testing/sandbox-fake.ts";

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

const business = { planId: "local_business", variantId: "local_business_monthly" };

/** Starts a checkout. Returns the request to the provider, and the provider's page. */
async function start(offer = business) {
  const requests: CheckoutRequest[] = [];
  const createCheckout = (request: CheckoutRequest) => {
    requests.push(request);
    return scene.fake.provider.createCheckout(request);
  };
  scene.intercept({ createCheckout });
  const url = await scene.purser.as(owner).billing.checkout({ teamId, ...offer });
  const reference = url.split("/").at(-1)!;
  const page = await openCheckoutPage(scene.purser.platform, reference);
  return { reference, page, isTrialUsed: requests[0]!.isTrialUsed };
}

async function pay(reference: string) {
  const { subscriptionId, events } = await scene.fake.complete(reference);
  for (const event of events) await scene.deliver(event);
  await scene.purser.drain();
  return subscriptionId;
}

const subscription = () => scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });

async function end(subscriptionId: string) {
  for (const event of await scene.fake.end(subscriptionId)) await scene.deliver(event);
  await scene.purser.drain();
  expect(await subscription()).toMatchObject({ status: "CANCELED" });
}

describe("billing.checkout of a plan with a trial", () => {
  it("offers the trial to an organization that has had no subscription", async () => {
    const { reference, page, isTrialUsed } = await start();
    expect({ isTrialUsed, trialDays: page?.trialDays }).toEqual({ isTrialUsed: false, trialDays: 14 });
    await pay(reference);
    expect(await subscription()).toMatchObject({ status: "ACTIVE", isTrial: true, isTrialEligible: false });
  });

  it("offers no trial after another one, even one that was canceled before anything was paid", async () => {
    const first = await start();
    await end(await pay(first.reference));
    expect(await subscription()).toMatchObject({ isTrialEligible: false });
    const second = await start();
    expect({ isTrialUsed: second.isTrialUsed, trialDays: second.page?.trialDays }).toEqual({
      isTrialUsed: true,
      trialDays: 0,
    });
    await pay(second.reference);
    expect(await subscription()).toMatchObject({ status: "ACTIVE", isTrial: false });
  });

  it("still offers the trial after a subscription whose first payment was never made", async () => {
    const first = await start({ planId: "local_team", variantId: "local_team_monthly" });
    await payCheckout(scene.purser.platform, first.reference, { ...goodCard, number: "4000 0025 0000 3155" });
    await scene.purser.drain();
    expect(await subscription()).toMatchObject({ status: "INCOMPLETE", isTrialEligible: true });
    const second = await start();
    expect({ isTrialUsed: second.isTrialUsed, trialDays: second.page?.trialDays }).toEqual({
      isTrialUsed: false,
      trialDays: 14,
    });
  });
});
