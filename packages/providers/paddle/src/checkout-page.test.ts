import { day } from "@purser/core/testing";
import { billingCheckouts } from "@purser/db";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPaddleCheckout } from "./checkout-page.ts";

let scene: BillingScene;

beforeAll(async () => {
  scene = await billingScene("local");
});
afterAll(() => scene.close());

describe("the page that opens Paddle's checkout", () => {
  const paddle = { clientToken: "live_token", environment: "production" as const };
  const find = (reference: string) => findPaddleCheckout(scene.purser.platform, paddle, reference);

  it("opens a transaction until its checkout is closed", async () => {
    const { owner, teamId } = await scene.team();
    const plan = { planId: "local_team", variantId: "local_team_monthly" };
    await scene.purser.as(owner).billing.checkout({ teamId, ...plan });
    const its = eq(billingCheckouts.organizationId, teamId);
    const [row] = await scene.purser.db.select({ id: billingCheckouts.id }).from(billingCheckouts).where(its);
    const put = (change: Partial<typeof billingCheckouts.$inferInsert>) =>
      scene.purser.db.update(billingCheckouts).set(change).where(its);
    await put({ provider: "paddle", reference: "txn_1" });
    const returnUrl = `http://localhost:3000/billing/checkouts/${row!.id}/return`;
    expect(await find("txn_1")).toEqual({ ...paddle, returnUrl, isPaid: false });
    // Paddle also sends customers here to update their payment method.
    const returnsTo = { ...paddle, returnUrl: "http://localhost:3000", isPaid: false };
    expect(await find("txn_2")).toEqual(returnsTo);
    for (const other of ["sub_1", "txn_\0", "txn_", `txn_${"t".repeat(61)}`, ""])
      expect(await find(other)).toBeNull();
    scene.purser.clock.advance(day);
    expect(await find("txn_1")).toBeNull();
    await put({ expiresAt: new Date(scene.purser.clock.now().getTime() + day), status: "SUPERSEDED" });
    expect(await find("txn_1")).toBeNull();
    await put({ status: "COMPLETED" });
    expect(await find("txn_1")).toEqual({ ...paddle, returnUrl, isPaid: true });
  });
});
