import { type Person, refusalOf } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { synchronizeSubscription } from "./synchronize.ts";

const start = () => billingScene("stripe");
let scene: Awaited<ReturnType<typeof start>>;
let team: { owner: Person; teamId: string };
beforeAll(async () => {
  scene = await start();
});
afterAll(() => scene.close());
beforeEach(async () => {
  team = await scene.team();
});

const call = "POST /v1/checkout/sessions";

async function checkout(redirectUrl?: string): Promise<string> {
  const [plan] = await scene.purser.as(null).billing.plans.list();
  const input = { planId: plan!.id, variantId: plan!.variants[0]!.id, teamId: team.teamId, redirectUrl };
  return scene.purser.as(team.owner).billing.checkout(input);
}

const keys = (of = call) =>
  scene.fake.log.filter((request) => request.call === of).map((one) => one.idempotencyKey);

describe("billing.checkout after a failure", () => {
  it.each([
    ["an error of the provider", { status: 500, error: { type: "api_error" } }],
    ["a refusal", { status: 402, error: { type: "card_error" } }],
    ["an unreadable answer", { status: 200, text: "{}" }],
  ])("uses another idempotency key after %s, which the provider would repeat", async (_what, fault) => {
    scene.fake.fail(call, fault);
    await refusalOf(checkout());
    expect(await checkout()).toMatch(/^https:/);
    const [first, second] = keys().slice(-2);
    expect(first).not.toBe(second);
  });

  it.each([
    ["no answer", "lost" as const],
    ["a request that was not executed", { status: 429, error: { type: "rate_limit_error" } }],
    ["a concurrent request with the key", { status: 409, error: { type: "idempotency_error" } }],
  ])("uses the same idempotency key after %s", async (_what, fault) => {
    scene.fake.fail(call, fault);
    expect(await refusalOf(checkout())).toBe("PROVIDER_ERROR");
    expect(await checkout()).toMatch(/^https:/);
    const [first, second] = keys().slice(-2);
    expect(first).toBe(second);
  });

  it("creates the customer under another idempotency key after an error, which the provider would repeat", async () => {
    const customers = "POST /v1/customers";
    scene.fake.fail(customers, { status: 500, error: { type: "api_error" } });
    expect(await refusalOf(checkout())).toBe("PROVIDER_ERROR");
    expect(await checkout()).toMatch(/^https:/);
    const [first, second] = keys(customers).slice(-2);
    expect(first).not.toBe(second);
  });
});

describe("billing.checkout after a purchase whose customer had been deleted at the provider", () => {
  it("names the customer of that purchase", async () => {
    const sessions = () => scene.fake.log.filter((request) => request.call === call);
    const reference = () => [...scene.fake.state.sessions.keys()].at(-1)!;
    await checkout("http://localhost:3000/first");
    const deleted = sessions().at(-1)!.fields["customer"]!;
    scene.fake.state.customers.delete(deleted);
    await checkout("http://localhost:3000/second");
    const { subscriptionId } = scene.fake.complete(reference());
    const pointer = { subscriptionId, organizationId: team.teamId };
    await synchronizeSubscription(scene.purser.platform, "stripe", pointer);
    scene.fake.end(subscriptionId);
    await synchronizeSubscription(scene.purser.platform, "stripe", pointer);
    const before = sessions().length;
    await checkout();
    const { customer } = scene.fake.state.subscriptions.get(subscriptionId)!;
    expect(customer).not.toBe(deleted);
    expect(sessions().slice(before)).toMatchObject([{ fields: { customer } }]);
  });
});
