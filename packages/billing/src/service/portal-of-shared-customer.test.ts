import { refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { synchronizeSubscription } from "./synchronize.ts";

/** This provider has one customer per e-mail address. */
const start = () => billingScene("lemonsqueezy");
let scene: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  scene = await start();
});
afterAll(() => scene.close());

it("admits nobody to what its buyer bought for another organization", async () => {
  const { purser, fake } = scene;
  const [ada, bob] = [await purser.person(), await purser.person()];
  const [plan] = await purser.as(null).billing.plans.list();
  const buy = async (teamId: string) => {
    const { billing } = purser.as(ada);
    const url = await billing.checkout({ teamId, planId: plan!.id, variantId: plan!.variants[0]!.id });
    const { subscriptionId } = fake.complete(new URL(url).pathname.split("/").at(-1)!);
    await synchronizeSubscription(purser.platform, "lemonsqueezy", {
      subscriptionId,
      organizationId: teamId,
    });
    return subscriptionId;
  };
  const shared = await buy(await purser.organization(ada, { owners: [bob] }));
  const open = () => purser.as(bob).billing.portal({ subscriptionId: shared });
  expect(await open()).toContain("signature=");
  await buy(await purser.organization(ada));
  expect(await open()).toBe("https://purser.lemonsqueezy.com/billing");
});

/** Opens a portal, and again after another organization's subscription has become one of the same customer. */
async function openBeforeAndAfter(
  provider: BillingScene,
  move: (subscriptionId: string, toCustomerOf: string) => void,
) {
  const [team, other] = [await provider.subscriber(), await provider.subscriber()];
  const open = () => provider.purser.as(team.owner).billing.portal({ subscriptionId: team.subscriptionId });
  const before = await open();
  move(other.subscriptionId, team.subscriptionId);
  return { before, refusal: await refusalOf(open()) };
}

const refused = { before: expect.stringMatching(/^https:/) as string, refusal: "NOT_SUPPORTED_BY_PROVIDER" };

it("opens no portal at Stripe whose customer has a subscription of another organization", async () => {
  const stripe = await billingScene("stripe");
  onTestFinished(() => stripe.close());
  const opened = await openBeforeAndAfter(stripe, (id, of) => {
    const { customer } = stripe.fake.state.subscriptions.get(of)!;
    stripe.fake.put(id, { customer });
  });
  expect(opened).toEqual(refused);
});

it("opens no portal at Polar whose customer has a subscription of another organization", async () => {
  const polar = await billingScene("polar");
  onTestFinished(() => polar.close());
  const opened = await openBeforeAndAfter(polar, (id, of) => {
    const { customer_id } = polar.fake.state.subscriptions.find((one) => one.id === of)!;
    polar.fake.put(id, { customer_id });
  });
  expect(opened).toEqual(refused);
});
