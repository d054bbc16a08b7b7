import { refusalOf } from "@purser/testing";
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

describe("a resumption that is scheduled at paddle", () => {
  const start = () => billingScene("paddle");
  let scene: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());

  it("is recorded if a cancellation removes it, fails then, and cannot schedule it again", async () => {
    const { owner, teamId, subscriptionId: id } = await scene.subscriber();
    const at = "2026-05-01T00:00:00.000Z";
    scene.fake.pause(id);
    scene.fake.put(id, { scheduled_change: { action: "resume", effective_at: at, resume_at: null } });
    const refusal = (status: number, code: string) => ({
      status,
      body: { error: { type: status === 400 ? "request_error" : "api_error", code, detail: "No" } },
    });
    const down = refusal(503, "service_unavailable");
    const locked = refusal(400, "subscription_locked_pending_changes");
    scene.fake.fail(`POST /subscriptions/${id}/cancel`, locked, down);
    scene.fake.fail(`POST /subscriptions/${id}/resume`, down);
    expect(await refusalOf(scene.purser.as(owner).billing.cancel({ id }))).toBe("PROVIDER_ERROR");
    expect(scene.fake.state.subscriptions.get(id)).toMatchObject({
      status: "paused",
      scheduled_change: null,
    });
    const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
    const entry = entries.find(({ action }) => action === "billing.cancel");
    expect(entry?.details).toEqual({ replacedChange: { action: "resume", at } });
  });
});
