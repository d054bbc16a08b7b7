import { day } from "@purser/core/testing";
import { billingCheckouts } from "@purser/db";
import { type Person, handlerOf, problemOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { resolveCheckoutReturn } from "../service/resolve-checkout.ts";

const rowsOf = (scene: Pick<BillingScene, "purser">, teamId: string) =>
  scene.purser.db
    .select()
    .from(billingCheckouts)
    .where(eq(billingCheckouts.organizationId, teamId))
    .orderBy(asc(billingCheckouts.id));

describe("a superseded checkout at a provider that can neither expire it nor tell its subscription", () => {
  const start = () => billingScene("lemonsqueezy");
  let scene: Awaited<ReturnType<typeof start>>;
  let owner: Person;
  let teamId: string;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());
  beforeEach(async () => {
    ({ owner, teamId } = await scene.team());
  });
  const rows = () => rowsOf(scene, teamId);

  it.each(["another plan", "the same plan"])(
    "is the completed one if it is paid, and the one for %s is closed",
    async (what) => {
      const plans = await scene.purser.as(null).billing.plans.list();
      const [plan, other] = what === "another plan" ? plans : [plans[0], plans[0]];
      const { billing } = scene.purser.as(owner);
      const offer = (of = plan!) => ({ teamId, planId: of.id, variantId: of.variants[0]!.id });
      await billing.checkout(offer());
      await billing.checkout({ ...offer(other), redirectUrl: "http://localhost:3000/elsewhere" });
      const [first] = await rows();
      const { events } = scene.fake.complete(first!.reference!);
      for (const event of events) await scene.deliver(event);
      await scene.purser.drain();
      expect((await rows()).map(({ status }) => status)).toEqual(["COMPLETED", "SUPERSEDED"]);
      const back = await resolveCheckoutReturn(scene.purser.platform, first!.id);
      expect(back).toContain("?checkout=completed");
    },
  );
});

describe("a superseded checkout at a provider that cannot expire it", () => {
  const start = () => billingScene("polar");
  let scene: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());

  it("keeps its organization from being deleted once it is paid, although no webhook said so", async () => {
    const { owner, teamId, reference } = await scene.buyer();
    const [, plan] = await scene.purser.as(null).billing.plans.list();
    await scene.purser
      .as(owner)
      .billing.checkout({ teamId, planId: plan!.id, variantId: plan!.variants[0]!.id });
    await scene.fake.complete(reference);
    const remove = scene.purser.as(owner).organizations.delete({ id: teamId });
    expect(await remove.catch(problemOf)).toMatchObject({ code: "ORGANIZATION_IN_USE" });
    expect((await rowsOf(scene, teamId))[0]).toMatchObject({ reference, status: "COMPLETED" });
  });
});

describe("a closed checkout at a provider that cannot expire it before the buyer has begun to pay", () => {
  const start = () => billingScene("paddle");
  let scene: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());

  /** The buyer, who has the page open, begins to pay. Returns the state of the page afterwards. */
  async function begin(reference: string) {
    for (const event of scene.fake.fillIn(reference)) await scene.deliver(event);
    await scene.purser.drain();
    return scene.fake.state.transactions.get(reference)?.status;
  }

  it("accepts no payment once another one has superseded it", async () => {
    const { owner, teamId, reference } = await scene.buyer();
    const [plan] = await scene.purser.as(null).billing.plans.list();
    const variantId = plan!.variants[1]!.id;
    await scene.purser.as(owner).billing.checkout({ teamId, planId: plan!.id, variantId });
    await scene.purser.drain();
    expect(scene.fake.state.transactions.get(reference)?.status).toBe("draft");
    expect(await begin(reference)).toBe("canceled");
    const open = (await rowsOf(scene, teamId)).at(-1)!;
    expect(await begin(open.reference!)).toBe("ready");
  });

  it("is not superseded while its payment is being processed", async () => {
    const { owner, teamId, reference } = await scene.buyer();
    const [plan] = await scene.purser.as(null).billing.plans.list();
    const offer = { teamId, planId: plan!.id, variantId: plan!.variants[1]!.id };
    const checkout = () =>
      scene.purser
        .as(owner)
        .billing.checkout(offer)
        .then(() => null, problemOf);
    scene.fake.capture(reference);
    expect(await checkout()).toMatchObject({
      code: "PROVIDER_ERROR",
      retryable: true,
      retryAfterSeconds: 10,
      message: expect.stringContaining("processing a payment") as string,
    });
    expect((await rowsOf(scene, teamId)).map(({ status }) => status)).toEqual(["OPEN"]);
    scene.fake.complete(reference);
    scene.intercept({ subscription: async () => null });
    expect(await checkout()).toMatchObject({ code: "PROVIDER_ERROR", retryable: true });
    scene.intercept(null);
    expect(await checkout()).toMatchObject({ code: "ALREADY_SUBSCRIBED" });
    expect((await rowsOf(scene, teamId)).map(({ status }) => status)).toEqual(["COMPLETED"]);
  });

  it.each([
    ["its payment is being processed", "capture"],
    ["the subscription that was paid is not returned", "complete"],
  ] as const)("stays open while %s, also beyond its time", async (_what, pay) => {
    const { teamId, reference } = await scene.buyer();
    scene.fake[pay](reference);
    scene.intercept({ subscription: async () => null });
    const reconcile = () =>
      handlerOf(scene.purser.handlers, billingJobs.reconcile)(null, { id: "job", attempt: 1, last: true });
    const statuses = async () => (await rowsOf(scene, teamId)).map(({ status }) => status);
    scene.purser.clock.advance(day);
    await reconcile();
    expect(await statuses()).toEqual(["OPEN"]);
    scene.purser.clock.advance(day);
    await reconcile();
    expect(await statuses()).toEqual(["EXPIRED"]);
    scene.intercept(null);
  });

  it("accepts no payment once it has expired", async () => {
    const [before, after] = [await scene.buyer(), await scene.buyer()];
    expect(await begin(before.reference)).toBe("ready");
    scene.purser.clock.advance(day);
    expect(await begin(after.reference)).toBe("canceled");
    await handlerOf(scene.purser.handlers, billingJobs.reconcile)(null, {
      id: "job",
      attempt: 1,
      last: true,
    });
    await scene.purser.drain();
    expect((await rowsOf(scene, before.teamId)).map(({ status }) => status)).toEqual(["EXPIRED"]);
    expect(scene.fake.state.transactions.get(before.reference)?.status).toBe("canceled");
  });
});
