import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe.each(["paddle", "polar"] as const)("a pause that is scheduled at %s", (name) => {
  const start = () => billingScene(name);
  let scene: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());

  it("gives way to billing.cancel, which records it", async () => {
    const { owner, teamId, subscriptionId } = await scene.subscriber();
    scene.fake.planPause(subscriptionId);
    const { id, currentPeriodEnd } = (await scene.purser
      .as(owner)
      .organizations.subscription.get({ organizationId: teamId }))!;
    await scene.purser.as(owner).billing.cancel({ id });
    await scene.purser.as(owner).billing.resume({ id });
    const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
    const requests = entries.filter(({ details }) => details["change"] === undefined);
    const detailsOf = (wanted: string) => requests.find(({ action }) => action === wanted)?.details;
    expect(detailsOf("billing.cancel")).toEqual({
      replacedChange: { action: "pause", at: currentPeriodEnd.toISOString() },
    });
    expect(detailsOf("billing.resume")).toEqual({ replacedCancelAt: currentPeriodEnd.toISOString() });
  });
});
