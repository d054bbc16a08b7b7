import { getStore, lemonSqueezySetup } from "@lemonsqueezy/lemonsqueezy.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { testClock } from "@purser/core/testing";
import { type LemonSqueezyFake, startLemonSqueezyFake } from "./fake/index.ts";

let fake: LemonSqueezyFake;
beforeAll(async () => (fake = await startLemonSqueezyFake({ clock: testClock() })));
afterAll(async () => fake.stop());

describe("lemonSqueezyClient", () => {
  it("leaves the process its fetch, also while the SDK waits for an answer", async () => {
    const { fetch } = globalThis;
    const plans = fake.provider.plans();
    expect(globalThis.fetch).toBe(fetch);
    await plans;
    expect(globalThis.fetch).toBe(fetch);
  });

  it("sends by the fetch that it finds, so that whatever observes that one sees it", async () => {
    const seen = vi.spyOn(globalThis, "fetch");
    await fake.provider.subscription("999999");
    expect(seen).toHaveBeenCalledOnce();
    seen.mockRestore();
  });

  it("asks with its own key, whatever other is in use at the same time, and leaves none behind", async () => {
    const other = fake.providerWith({ apiKey: "of another account" });
    const [own, refused, again] = await Promise.allSettled([
      fake.provider.plans(),
      other.plans(),
      fake.provider.plans(),
    ]);
    expect([own.status, refused.status, again.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const { requests } = fake;
    expect((await getStore("4841")).error?.cause).toBe("Missing API key");
    expect(fake.requests).toBe(requests);
  });

  it("does not take the key of somebody else in the process", async () => {
    lemonSqueezySetup({ apiKey: "of somebody else" });
    expect(await fake.provider.plans()).toHaveLength(2);
  });

  it("does not ask by itself again", async () => {
    const before = fake.requests;
    fake.fail("GET /v1/subscriptions", { status: 500, body: {} });
    await expect(fake.provider.subscriptionsSince(new Date())).rejects.toMatchObject({ kind: "outage" });
    expect(fake.requests - before).toBe(1);
  });

  it("has one time limit for all that a call asks", async () => {
    // As many pages as no time is enough for; each comes at once.
    const endless = { status: 200, body: { meta: { page: { lastPage: 1_000_000 } }, data: [] } };
    fake.fail("GET /v1/subscriptions", ...Array.from({ length: 10_000 }, () => endless));
    const list = fake.providerWith({ timeoutMs: 30 }).subscriptionsSince(new Date(0));
    await expect(list).rejects.toMatchObject({
      kind: "outage",
      message: "Lemon Squeezy, subscriptions.list: no answer (TimeoutError)",
    });
  });
});
