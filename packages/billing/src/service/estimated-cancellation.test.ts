import { day } from "@purser/core/testing";
import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { synchronizeSubscription } from "./synchronize.ts";

describe.each(["paddle", "lemonsqueezy"] as const)("the estimated time of a cancellation at %s", (name) => {
  const start = () => billingScene(name);
  let scene: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());

  /** A team whose owner has just canceled. */
  async function canceled() {
    const { owner, teamId: organizationId, subscriptionId } = await scene.subscriber();
    const { billing, organizations, events } = scene.purser.as(owner);
    await billing.cancel({ id: subscriptionId });
    return {
      id: subscriptionId,
      requestedAt: scene.purser.clock.now(),
      synchronize: () =>
        synchronizeSubscription(scene.purser.platform, name, { subscriptionId, organizationId }),
      read: async () => (await organizations.subscription.get({ organizationId }))!,
      events: async () => (await events.list({ organizationId })).map(({ type }) => type).toReversed(),
    };
  }

  it("stays while something else changes, without an event", async () => {
    const { id, requestedAt, synchronize, read, events } = await canceled();
    scene.purser.clock.advance(day);
    scene.fake.put(id, {});
    await synchronize();
    expect(await read()).toMatchObject({ cancelAtPeriodEnd: true, canceledAt: requestedAt });
    expect(await events()).toEqual(["subscription.created", "subscription.updated"]);
  });

  it("stays when the subscription ends, and afterwards", async () => {
    const { id, requestedAt, synchronize, read, events } = await canceled();
    scene.purser.clock.advance(31 * day);
    scene.fake.end(id);
    await synchronize();
    const reported = await events();
    scene.purser.clock.advance(day);
    scene.fake.put(id, {});
    await synchronize();
    expect(await read()).toMatchObject({ status: "CANCELED", canceledAt: requestedAt });
    expect(await events()).toEqual(reported);
  });

  it("is that of another cancellation once the first one was withdrawn", async () => {
    const { id, synchronize, read } = await canceled();
    scene.purser.clock.advance(day);
    await scene.fake.provider.resume(id);
    await synchronize();
    expect(await read()).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
    await scene.fake.provider.cancel(id);
    await synchronize();
    expect(await read()).toMatchObject({ canceledAt: scene.purser.clock.now() });
  });
});
