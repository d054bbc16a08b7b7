import { inspect } from "node:util";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { paddleError } from "./errors.ts";
import { type PaddleFake, startPaddleFake } from "./fake/index.ts";
import type { PaddleFault } from "./fake/server.ts";

let fake: PaddleFake;
beforeAll(async () => (fake = await startPaddleFake({ clock: testClock() })));
afterAll(async () => fake.stop());

const id = `sub_${"1".repeat(26)}`;

/** Returns the error of `cancel` when Paddle responds like this. */
async function failure(fault: PaddleFault, provider = fake.provider): Promise<unknown> {
  fake.fail(`PATCH /subscriptions/${id}`, fault);
  return provider.resume(id).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const answer = (status: number, error: object, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: { error: { type: "request_error", detail: "Words for people.", ...error } },
});

describe("an error response", () => {
  it.each<[BillingErrorKind, number, object]>([
    ["refused", 400, { code: "invalid_field" }],
    ["refused", 400, { code: "subscription_update_when_past_due" }],
    ["refused", 409, { code: "code_of_tomorrow" }],
    ["not_found", 404, { code: "not_found" }],
    ["not_found", 400, { code: "transaction_price_not_found" }],
    ["not_found", 400, { code: "transaction_product_not_found" }],
    ["ended", 400, { code: "subscription_update_when_canceled" }],
    ["ended", 400, { code: "subscription_is_canceled_action_invalid" }],
    ["rate_limited", 429, { code: "too_many_requests", type: "api_error" }],
    ["outage", 403, { code: "authentication_missing" }],
    ["outage", 403, { code: "authentication_malformed" }],
    ["outage", 403, { code: "invalid_token" }],
    ["outage", 403, { code: "forbidden" }],
    ["outage", 403, { code: "paddle_billing_not_enabled" }],
    ["outage", 400, { code: "transaction_checkout_not_enabled" }],
    ["outage", 400, { code: "transaction_default_checkout_url_not_set" }],
    ["outage", 400, { code: "transaction_checkout_url_domain_is_not_approved" }],
    ["outage", 400, { code: "transaction_immutable_while_processing_payment" }],
    ["outage", 409, { code: "conflict" }],
    ["outage", 409, { code: "concurrent_modification" }],
    ["outage", 409, { code: "subscription_locked_renewal" }],
    ["outage", 409, { code: "subscription_locked_processing" }],
    ["outage", 500, { code: "internal_error", type: "api_error" }],
    ["outage", 418, { code: "constructor", type: "type_of_tomorrow" }],
    ["outage", 400, { code: 7, type: null, detail: null, errors: "all" }],
  ])("is %s for %i %j", async (kind, status, error) => {
    const caught = await failure(answer(status, error));
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind });
  });

  it("is an outage for a wrong API key", async () => {
    const plans = fake.providerWith({ apiKey: "pdl_sdbx_apikey_01wrong" }).plans();
    await expect(plans).rejects.toMatchObject({
      kind: "outage",
      message: expect.not.stringContaining("01wrong") as string,
    });
  });

  it.each([
    ["30", 30],
    ["0", 0],
    ["Mon, 02 Mar 2026 09:00:20 GMT", undefined],
    ["soon", undefined],
    ["-1", undefined],
  ])("reads the retry delay from %j", async (header, retryAfterSeconds) => {
    const fault = answer(429, { code: "too_many_requests" }, { "retry-after": header });
    expect(await failure(fault)).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names the operation, and Paddle's codes and fields", async () => {
    const errors = [{ field: "items[0].price_id", message: "secret" }, { field: "Ada Lovelace" }, null];
    const caught = (await failure(answer(400, { code: "invalid_field", errors }))) as Error;
    expect(caught.message).toBe(
      "Paddle, subscriptions.update: request_error invalid_field (items[#].price_id): Words for people.",
    );
  });

  it("contains no API key, card number, address or SDK error", async () => {
    const detail = "Card 4000 0027 6000 3184 (4000002760003184) of ada@example.com, see /x?token=pga_abc";
    const caught = await failure(answer(400, { code: "4000002760003184", type: "Card 123", detail }));
    const inspected = inspect(caught, { depth: 9, showHidden: true });
    // The stack names test files by the time of the run, in which any digits can occur.
    const printed = `${inspected.replaceAll(/file:\S+/g, "")} ${JSON.stringify(caught)}`;
    expect(printed).toContain("Card ####");
    expect(printed).not.toMatch(/4000|3184|123|ada@|pga_|pdl_/);
    expect(caught).toHaveProperty("cause", undefined);
  });
});

describe("a missing or unreadable response", () => {
  it.each<[string, PaddleFault]>([
    ["a broken connection", "lost"],
    ["a truncated response", "break"],
    ["a proxy's error page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["an HTML page instead of the data", { status: 200, text: "<html>4000002760003184</html>" }],
    ["an empty response", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    ["data of another type", { status: 200, text: '{"data":{"id":"4000002760003184","items":[]}}' }],
    ["an error in another form", { status: 500, text: '{"error":"4000002760003184"}' }],
  ])("is an outage: %s", async (_what, fault) => {
    const caught = await failure(fault);
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind: "outage" });
    expect(inspect(caught, { depth: 9 })).not.toContain("4000002760003184");
  });

  it("names the missing field", async () => {
    fake.fail("POST /customers", { status: 201, body: { data: { email: "ada@example.com" } } });
    const made = fake.provider.createCustomer({
      organizationId: "o",
      name: "n",
      email: "ada@example.com",
      checkoutId: "c",
    });
    await expect(made).rejects.toThrow(/^Paddle: cannot parse customers\.create \( invalid_union\)$/);
  });

  it("is answered, and says so, if the SDK cannot make its objects of it", async () => {
    fake.fail(`GET /subscriptions/${id}`, { status: 200, body: { data: { id } } });
    const answered = fake.provider.subscription(id);
    await expect(answered).rejects.toMatchObject({ kind: "outage", isStoredAtProvider: true });
    await expect(answered).rejects.toThrow(
      "Paddle: the SDK cannot parse subscriptions.get (TypeError, reading interval)",
    );
  });

  it.each(["hang", "stall"] as const)("is an outage after the timeout: %s", async (fault) => {
    const caught = await failure(fault, fake.providerWith({ timeoutMs: 20 }));
    expect(caught).toMatchObject({ kind: "outage", message: expect.stringContaining("TimedOut") as string });
  });

  it("sends no further request after the timeout", async () => {
    const fetch = vi.spyOn(globalThis, "fetch");
    await expect(fake.providerWith({ timeoutMs: 0 }).plans()).rejects.toMatchObject({ kind: "outage" });
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });

  it("is an outage if the connection is refused", async () => {
    // Nothing listens there. `fetch` refuses some ports by itself, such as 9.
    const plans = fake.providerWith({ baseUrl: "http://127.0.0.1:2/" }).plans();
    await expect(plans).rejects.toMatchObject({ kind: "outage" });
  });

  it("is an outage for any thrown value, and contains only its name", () => {
    const { message } = paddleError("prices.get", "4000002760003184");
    expect(message).toBe("Paddle: no response to prices.get (string)");
  });
});
