import { billingCheckouts } from "@purser/db";
import { problemOf } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BillingError } from "./ports.ts";
import { synchronizeSubscription } from "./service/synchronize.ts";

describe("organizations.delete of an organization with an open checkout", () => {
  const start = () => billingScene("paddle");
  let scene: Awaited<ReturnType<typeof start>>;
  let buyer: Awaited<ReturnType<typeof scene.buyer>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());
  beforeEach(async () => {
    scene.intercept(null);
    buyer = await scene.buyer();
  });

  const remove = () =>
    scene.purser
      .as(buyer.owner)
      .organizations.delete({ id: buyer.teamId })
      .then(() => null, problemOf);
  const ofTeam = () => eq(billingCheckouts.organizationId, buyer.teamId);
  const statuses = async () => {
    const rows = await scene.purser.db.select().from(billingCheckouts).where(ofTeam());
    return rows.map(({ status }) => status);
  };

  it("closes the checkout", async () => {
    expect(await remove()).toBeNull();
    expect(await statuses()).toEqual(["SUPERSEDED"]);
  });

  it("is refused once it is paid, although no webhook said so", async () => {
    const { subscriptionId } = scene.fake.complete(buyer.reference);
    expect(await remove()).toMatchObject({ code: "ORGANIZATION_IN_USE" });
    expect(await statuses()).toEqual(["COMPLETED"]);
    const read = { organizationId: buyer.teamId };
    const subscription = await scene.purser.as(buyer.owner).organizations.subscription.get(read);
    expect(subscription).toMatchObject({ id: subscriptionId, status: "ACTIVE" });
  });

  it("is refused if it is paid right after the provider's answer that it is not", async () => {
    const { provider } = scene.fake;
    let answers = 0;
    scene.intercept({
      async checkoutResult(reference) {
        const result = await provider.checkoutResult(reference);
        if ((answers += 1) === 1) scene.fake.complete(reference);
        return result;
      },
    });
    expect(await remove()).toMatchObject({ code: "ORGANIZATION_IN_USE" });
    expect(await statuses()).toEqual(["COMPLETED"]);
  });

  it("is refused while its page cannot be expired", async () => {
    scene.intercept({ expireCheckout: () => Promise.reject(new BillingError("refused", "Forbidden")) });
    expect(await remove()).toMatchObject({ code: "PROVIDER_ERROR", retryable: true });
  });

  describe.each([
    ["past its end", "OPEN", true],
    ["before its end, and past it", "SUPERSEDED", false],
  ])("tried twice %s", (_when, status, hasEnded) => {
    const end = () =>
      scene.purser.db.update(billingCheckouts).set({ expiresAt: scene.purser.clock.now() }).where(ofTeam());
    const expectRefusedTwice = async () => {
      if (hasEnded) await end();
      const refused = { code: "PROVIDER_ERROR", retryable: true };
      expect(await remove()).toMatchObject(refused);
      expect(await statuses()).toEqual([status]);
      await end();
      expect(await remove()).toMatchObject(refused);
    };

    it("is refused both times while its page cannot be expired", async () => {
      scene.intercept({ expireCheckout: () => Promise.reject(new BillingError("refused", "Forbidden")) });
      await expectRefusedTwice();
    });

    it("is refused both times while a payment is processed that began right after the first answer", async () => {
      const { provider } = scene.fake;
      let answers = 0;
      scene.intercept({
        async checkoutResult(reference) {
          const result = await provider.checkoutResult(reference);
          if ((answers += 1) === 1) scene.fake.capture(reference);
          return result;
        },
      });
      await expectRefusedTwice();
    });
  });

  it("is refused while its payment is processed, and without an answer of the provider", async () => {
    scene.fake.fail(`GET /transactions/${buyer.reference}`, { status: 503, text: "Down" });
    expect(await remove()).toMatchObject({ code: "PROVIDER_ERROR" });
    scene.fake.capture(buyer.reference);
    expect(await remove()).toMatchObject({ code: "PROVIDER_ERROR", retryable: true, retryAfterSeconds: 10 });
    expect(await statuses()).toEqual(["OPEN"]);
  });

  it("is refused while the provider does not return the subscription that was paid", async () => {
    scene.fake.complete(buyer.reference);
    scene.intercept({ subscription: async () => null });
    expect(await remove()).toMatchObject({ code: "PROVIDER_ERROR", retryable: true });
    expect(await statuses()).toEqual(["OPEN"]);
  });

  it("is refused while the provider refuses to tell", async () => {
    scene.intercept({ checkoutResult: () => Promise.reject(new BillingError("refused", "Forbidden")) });
    expect(await remove()).toMatchObject({ code: "PROVIDER_ERROR", retryable: true });
    expect(await statuses()).toEqual(["OPEN"]);
  });

  it("names a reason of ours without asking the provider", async () => {
    const { subscriptionId } = scene.fake.complete(buyer.reference);
    const pointer = { subscriptionId, organizationId: buyer.teamId };
    await synchronizeSubscription(scene.purser.platform, "paddle", pointer);
    await scene.purser.db.update(billingCheckouts).set({ status: "OPEN" }).where(ofTeam());
    scene.intercept({ checkoutResult: () => Promise.reject(new BillingError("outage", "No answer")) });
    const { requests } = scene.fake;
    expect(await remove()).toMatchObject({ code: "ORGANIZATION_IN_USE" });
    expect(scene.fake.requests).toBe(requests);
  });

  it("asks the provider at most ten times a minute", async () => {
    scene.fake.capture(buyer.reference);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await remove()).toMatchObject({ code: "PROVIDER_ERROR" });
    expect(await remove()).toMatchObject({ code: "RATE_LIMITED" });
  });
});
