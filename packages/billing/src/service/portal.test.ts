import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, expect, it } from "vitest";
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
