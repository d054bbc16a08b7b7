import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openShop, unknownId } from "./fake/shop.ts";

const clock = testClock();
let shop: Awaited<ReturnType<typeof openShop>>;
let fake: typeof shop.fake;
/** Each test has its own organization and buyer. */
let request: Awaited<ReturnType<typeof shop.newRequest>>;
beforeAll(async () => {
  shop = await openShop(clock);
  ({ fake } = shop);
});
beforeEach(async () => (request = await shop.newRequest()));
afterAll(async () => fake.stop());

const subscriptionOf = (id: string) => fake.state.subscriptions.get(id)!;

describe("paddlePayments.subscription", () => {
  it.each([unknownId("sub"), "sub_1", "in_1", "../prices", ""])("returns null for %j", async (id) => {
    expect(await fake.provider.subscription(id)).toBeNull();
  });

  it("recognizes Paddle's subscription ids by their form", () => {
    const ids = [unknownId("sub"), "sub_1MowQVLkdIwHu7ixeRlqHVzs", "sub_local_1", unknownId("txn")];
    expect(ids.filter(fake.provider.recognizes)).toEqual([unknownId("sub")]);
  });

  it("follows a subscription through renewals, a failed payment and a cancellation", async () => {
    const id = await shop.buy(request);
    const summary = async () => {
      const { status, currentPeriodEnd, cancelAtPeriodEnd } = (await fake.provider.subscription(id))!;
      return [status, currentPeriodEnd.toISOString().slice(0, 10), cancelAtPeriodEnd];
    };
    expect(await summary()).toEqual(["ACTIVE", "2026-04-02", false]);
    fake.renew(id);
    expect(await summary()).toEqual(["ACTIVE", "2026-05-02", false]);
    fake.failPayment(id);
    expect(await summary()).toEqual(["PAST_DUE", "2026-06-02", false]);
    fake.renew(id);
    expect(await summary()).toEqual(["ACTIVE", "2026-06-02", false]);
    fake.cancelAtPeriodEnd(id);
    expect(await summary()).toEqual(["ACTIVE", "2026-06-02", true]);
    fake.end(id);
    expect(await summary()).toEqual(["CANCELED", "2026-03-02", false]);
  });
});

describe("paddlePayments.cancel", () => {
  const refusal = (status: number, code: string) => ({
    status,
    body: { error: { type: status === 400 ? "request_error" : "api_error", code, detail: "No" } },
  });
  const locked = refusal(400, "subscription_locked_pending_changes");
  const down = refusal(503, "service_unavailable");

  /** A paused subscription that continues later by itself. */
  async function resumingLater() {
    const id = await shop.buy(request);
    fake.pause(id);
    const change = { action: "resume", effective_at: "2026-05-01T00:00:00.000Z", resume_at: null } as const;
    fake.put(id, { scheduled_change: change });
    return { id, change };
  }

  it("cancels at the end of the period, in one request, and only once", async () => {
    const id = await shop.buy(request);
    expect(await shop.requestsDuring(() => fake.provider.cancel(id))).toEqual([
      "POST /subscriptions/:id/cancel",
    ]);
    const planned = subscriptionOf(id).scheduled_change;
    expect(planned).toMatchObject({ action: "cancel", effective_at: "2026-04-02T09:00:00.000456Z" });
    const again = await shop.requestsDuring(() => fake.provider.cancel(id));
    expect(again).toEqual(["POST /subscriptions/:id/cancel", "GET /subscriptions/:id"]);
    expect(subscriptionOf(id)).toMatchObject({ status: "active", scheduled_change: planned });
  });

  it("replaces a scheduled pause", async () => {
    const id = await shop.buy(request);
    fake.planPause(id);
    await fake.provider.cancel(id);
    expect(subscriptionOf(id).scheduled_change).toMatchObject({ action: "cancel" });
  });

  it("schedules a pause again if the cancellation that replaces it fails", async () => {
    const id = await shop.buy(request);
    fake.planPause(id);
    const pause = { ...subscriptionOf(id).scheduled_change!, resume_at: "2026-06-01T00:00:00.000Z" };
    fake.put(id, { scheduled_change: pause });
    fake.fail(`POST /subscriptions/${id}/cancel`, locked, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage" });
    expect(subscriptionOf(id).scheduled_change).toEqual(pause);
    // The pause is removed, but the answer gets lost.
    fake.fail(`PATCH /subscriptions/${id}`, "lost");
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage" });
    expect(subscriptionOf(id).scheduled_change).toEqual(pause);
    // The cancellation takes effect, but the answer gets lost.
    fake.fail(`POST /subscriptions/${id}/cancel`, locked, "lost");
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage" });
    expect(subscriptionOf(id).scheduled_change).toMatchObject({ action: "cancel" });
  });

  it("schedules a resumption again if the cancellation that replaces it fails", async () => {
    const { id, change } = await resumingLater();
    fake.fail(`POST /subscriptions/${id}/cancel`, locked, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: false });
    expect(subscriptionOf(id)).toMatchObject({ status: "paused", scheduled_change: change });
  });

  it("says so if it has removed a scheduled change, fails then, and cannot schedule it again", async () => {
    const { id } = await resumingLater();
    fake.fail(`POST /subscriptions/${id}/cancel`, locked, down);
    fake.fail(`POST /subscriptions/${id}/resume`, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: true });
    expect(subscriptionOf(id)).toMatchObject({ status: "paused", scheduled_change: null });
    fake.fail(`POST /subscriptions/${id}/cancel`, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: false });
  });

  it("says so if the answer to the removal got lost, unless Paddle still has the change", async () => {
    const { id, change } = await resumingLater();
    // Nothing is removed, and so Paddle refuses to schedule it again.
    fake.fail(`PATCH /subscriptions/${id}`, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: false });
    expect(subscriptionOf(id).scheduled_change).toEqual(change);
    fake.fail(`PATCH /subscriptions/${id}`, locked);
    fake.fail(`POST /subscriptions/${id}/resume`, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({
      kind: "refused",
      hasRemovedChange: false,
    });
    fake.fail(`PATCH /subscriptions/${id}`, "lost");
    fake.fail(`POST /subscriptions/${id}/resume`, down);
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: true });
    expect(subscriptionOf(id)).toMatchObject({ status: "paused", scheduled_change: null });
  });

  it.each([null, { action: "resume", effective_at: "2026-05-01T00:00:00Z", resume_at: null } as const])(
    "ends a paused subscription, which has no period, at once: scheduled change %j",
    async (scheduled_change) => {
      const id = await shop.buy(request);
      fake.pause(id);
      fake.put(id, { scheduled_change });
      await fake.provider.cancel(id);
      expect(subscriptionOf(id).status).toBe("canceled");
    },
  );

  it("throws refused for any other reason that Paddle gives", async () => {
    const id = await shop.buy(request);
    const error = { type: "request_error", code: "subscription_not_today", detail: "No." };
    fake.fail(`POST /subscriptions/${id}/cancel`, { status: 400, body: { error } });
    await expect(fake.provider.cancel(id)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("paddlePayments.resume", () => {
  it("withdraws a cancellation, and changes nothing without one", async () => {
    const id = await shop.buy(request);
    await fake.provider.cancel(id);
    expect(await shop.requestsDuring(() => fake.provider.resume(id))).toEqual(["PATCH /subscriptions/:id"]);
    const resumed = structuredClone(subscriptionOf(id));
    expect(resumed).toMatchObject({ scheduled_change: null, next_billed_at: "2026-04-02T09:00:00.000456Z" });
    await fake.provider.resume(id);
    expect(subscriptionOf(id)).toEqual(resumed);
  });

  it("throws refused while a payment is overdue", async () => {
    const id = await shop.buy(request);
    await fake.provider.cancel(id);
    fake.put(id, { status: "past_due" });
    await expect(fake.provider.resume(id)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe.each(["cancel", "resume"] as const)("paddlePayments.%s", (act) => {
  it("throws ended for an ended subscription", async () => {
    const id = await shop.buy(request);
    fake.end(id);
    await expect(fake.provider[act](id)).rejects.toMatchObject({ kind: "ended" });
  });

  it.each([unknownId("sub"), "../prices"])("throws not_found for %s", async (id) => {
    await expect(fake.provider[act](id)).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("paddlePayments.subscriptionsSince", () => {
  it("lists subscriptions created since then in any status, newest first", async () => {
    await shop.buy(request);
    clock.advance(60_000);
    const since = clock.now();
    const ids = [await shop.buy(request), await shop.buy(request)];
    fake.end(ids[0]!);
    fake.put(ids[1]!, { custom_data: null });
    expect(await fake.provider.subscriptionsSince(since)).toEqual([
      { subscriptionId: ids[1], organizationId: null },
      { subscriptionId: ids[0], organizationId: request.organizationId, checkoutId: expect.any(String) },
    ]);
    fake.state.mostPerPage = 1;
    const calls = await shop.requestsDuring(() => fake.provider.subscriptionsSince(since));
    // The third one is too old, so it is the last one read.
    expect(calls).toEqual(["GET /subscriptions", "GET /subscriptions", "GET /subscriptions"]);
    fake.state.mostPerPage = 200;
  });

  it("lists at most 1,000, each page within a timeout of its own", async () => {
    const model = subscriptionOf(await shop.buy(request));
    const many = Array.from({ length: 1_000 }, () => ({ ...model, id: fake.state.newId("sub") }));
    for (const one of many) fake.state.subscriptions.set(one.id, one);
    let present = performance.now();
    const time = vi.spyOn(performance, "now").mockImplementation(() => (present += 2_000));
    const calls = await shop.requestsDuring(async () => {
      const pointers = await fake.provider.subscriptionsSince(new Date(0));
      expect(pointers.map(({ subscriptionId }) => subscriptionId)).toEqual(
        many.map(({ id }) => id).toReversed(),
      );
    });
    expect(calls).toHaveLength(5);
    time.mockRestore();
    for (const { id } of many) fake.state.subscriptions.delete(id);
  });
});
