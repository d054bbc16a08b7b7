import { billingCheckouts } from "@purser/db";
import type { Person } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resolveCheckoutReturn } from "../service/resolve-checkout.ts";

/** This provider can neither expire a checkout nor tell its subscription. */
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

const rows = () =>
  scene.purser.db
    .select()
    .from(billingCheckouts)
    .where(eq(billingCheckouts.organizationId, teamId))
    .orderBy(asc(billingCheckouts.id));

describe("a superseded checkout that its provider could not expire", () => {
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
