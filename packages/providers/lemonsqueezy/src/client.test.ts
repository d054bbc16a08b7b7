import { getStore, lemonSqueezySetup } from "@lemonsqueezy/lemonsqueezy.js";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type LemonSqueezyFake, startLemonSqueezyFake } from "./fake/index.ts";

let fake: LemonSqueezyFake;
beforeAll(async () => (fake = await startLemonSqueezyFake({ clock: testClock() })));
afterAll(async () => fake.stop());

describe("lemonSqueezyClient", () => {
  it("restores the global fetch, even while the SDK waits for a response", async () => {
    const { fetch } = globalThis;
    const plans = fake.provider.plans();
    expect(globalThis.fetch).toBe(fetch);
    await plans;
    expect(globalThis.fetch).toBe(fetch);
  });

  it("sends through the current global fetch, so that instrumentation sees the request", async () => {
    const seen = vi.spyOn(globalThis, "fetch");
    await fake.provider.subscription("999999");
    expect(seen).toHaveBeenCalledOnce();
    seen.mockRestore();
  });

  it("uses its own key during a concurrent call with another key, and leaves no key in the SDK", async () => {
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

  it("ignores a key that other code in the process set", async () => {
    lemonSqueezySetup({ apiKey: "of another account" });
    expect(await fake.provider.plans()).toHaveLength(2);
  });

  it("does not retry", async () => {
    const before = fake.requests;
    fake.fail("GET /v1/subscriptions", { status: 500, body: {} });
    await expect(fake.provider.subscriptionsSince(new Date())).rejects.toMatchObject({ kind: "outage" });
    expect(fake.requests - before).toBe(1);
  });

  it("gives each page of a large catalog a timeout of its own", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const before = fake.requests;
    await fake.provider.plans();
    // One store, one page of products and one of variants.
    expect([timeout.mock.calls.length, fake.requests - before]).toEqual([3, 3]);
    timeout.mockRestore();
  });

  it("shares one timeout among all requests of a call", async () => {
    const { reference } = await fake.provider.createCheckout({
      checkoutId: "chk_1",
      organizationId: "org_1",
      name: "Acme",
      email: "ada@example.com",
      customerId: null,
      planId: "102",
      variantId: "1004",
      returnUrl: "https://app.example.com/",
    });
    const { subscriptionId: id } = fake.complete(reference);
    // Each page arrives at once, but there are more of them than the timeout allows.
    const endless = { status: 200, body: { meta: { page: { lastPage: 1_000_000 } }, data: [] } };
    fake.fail("GET /v1/subscriptions", ...Array.from({ length: 10_000 }, () => endless));
    const portal = fake.providerWith({ timeoutMs: 200 }).createPortal({
      id,
      customerId: "300001",
      returnUrl: "https://app.example.com/",
      organizationSubscriptionIds: [id],
    });
    await expect(portal).rejects.toMatchObject({
      kind: "outage",
      message: "Lemon Squeezy: no response to subscriptions.list (TimeoutError)",
    });
  });
});
