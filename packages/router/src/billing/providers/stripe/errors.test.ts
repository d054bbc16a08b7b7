import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testClock } from "../../../testing/clock.ts";
import { BillingError, type BillingErrorKind } from "../../ports.ts";
import { stripeError } from "./errors.ts";
import type { Fault } from "./fake/server.ts";
import { type StripeFake, startStripeFake } from "./fake/stripe.ts";
import type { StripeConfig } from "./stripe.ts";

const clock = testClock();
let stripe: StripeFake;
beforeAll(async () => {
  stripe = await startStripeFake({ clock });
});
afterAll(async () => stripe.stop());

/** What opening the portal fails with when Stripe answers so. */
async function failure(fault: Fault, config: Partial<StripeConfig> = {}): Promise<unknown> {
  stripe.fail("POST /v1/billing_portal/sessions", fault);
  return opened(config);
}

function opened(config: Partial<StripeConfig>): Promise<unknown> {
  const subscription = { id: "sub_1", customerId: "cus_1", returnUrl: "https://purser.example/" };
  return stripe
    .providerWith(config)
    .createPortal(subscription)
    .catch((error: unknown) => error);
}

const error = (type: string, fields: object = {}) => ({ type, message: "Words for people.", ...fields });

describe("an error of Stripe's", () => {
  it.each<[BillingErrorKind, number, object]>([
    ["refused", 400, error("invalid_request_error")],
    ["refused", 400, error("invalid_request_error", { code: "parameter_invalid_empty", param: "customer" })],
    ["refused", 400, error("idempotency_error")],
    ["refused", 402, error("card_error", { code: "card_declined" })],
    ["not_found", 404, error("invalid_request_error", { code: "resource_missing" })],
    ["not_found", 400, error("invalid_request_error", { code: "resource_missing" })],
    ["rate_limited", 429, error("invalid_request_error", { code: "rate_limit" })],
    ["rate_limited", 400, error("invalid_request_error", { code: "rate_limit" })],
    ["rate_limited", 429, error("invalid_request_error", { code: "lock_timeout" })],
    ["outage", 401, error("invalid_request_error")],
    ["outage", 403, error("invalid_request_error")],
    ["outage", 409, error("idempotency_error", { code: "idempotency_key_in_use" })],
    ["outage", 500, error("api_error")],
    ["outage", 503, error("api_error")],
    ["outage", 418, error("error_of_tomorrow")],
  ])("is %s for %i %j, and is not asked about again", async (kind, status, answered) => {
    const before = stripe.requests;
    const caught = await failure({ status, error: answered });
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind });
    expect(stripe.requests - before).toBe(1);
  });

  it("is an outage for a wrong key", async () => {
    expect(await opened({ apiKey: "sk_test_wrong" })).toMatchObject({ kind: "outage" });
  });

  it.each([
    ["30", 30],
    [" 5 ", 5],
    ["Mon, 02 Mar 2026 09:00:20 GMT", 20],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
  ])("tells to try again after %j", async (header, retryAfterSeconds) => {
    const headers = { "retry-after": header };
    const caught = await failure({ status: 429, error: error("invalid_request_error"), headers });
    expect(caught).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names what was asked, Stripe's codes and its id of the request", async () => {
    const answered = error("invalid_request_error", { code: "parameter_unknown", param: "metadata[memo]" });
    expect(((await failure({ status: 400, error: answered })) as Error).message).toMatch(
      /^Stripe, billingPortal.sessions.create: 400 invalid_request_error parameter_unknown \(metadata\[memo\]\), request req_fake\d+: Words for people\.$/,
    );
  });

  it("says nothing that Stripe's codes might not be", async () => {
    const answered = { type: "4000009990000013", code: "CVC 123", param: "number 4000 0099 9000 0013" };
    const { message } = (await failure({ status: 400, error: answered })) as Error;
    expect(message).toMatch(/^Stripe, billingPortal.sessions.create: 400, request req_fake\d+$/);
  });

  it("carries neither our key, nor numbers or addresses of people, nor the SDK's error", async () => {
    const message =
      "Card 4000 0099 9000 0013 (4000009990000013) of ada@example.com, key sk_test_51PurserPurser";
    const caught = await failure({ status: 400, error: error("invalid_request_error", { message }) });
    const told = `${inspect(caught, { depth: 9, showHidden: true })} ${JSON.stringify(caught)}`;
    expect(told).toContain("Card ####");
    expect(told).not.toMatch(/4000|9000|0013|ada@|sk_test_51/);
    expect(caught).toHaveProperty("cause", undefined);
  });
});

describe("what is no answer of Stripe's", () => {
  it.each<[string, Fault]>([
    ["a broken connection", "lost"],
    ["an answer that breaks off", "break"],
    ["a proxy's page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["a page in place of the data", { status: 200, text: "<html>4000009990000013</html>" }],
    ["an empty answer", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    ["a thing of the wrong form", { status: 200, text: '{"url":4000009990000013}' }],
    ["a redirect", { status: 307, text: "{}", headers: { location: "/v1/customers" } }],
  ])("is an outage: %s", async (_what, fault) => {
    const before = stripe.requests;
    const caught = await failure(fault);
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind: "outage" });
    expect(inspect(caught, { depth: 9 })).not.toContain("4000009990000013");
    expect(stripe.requests - before).toBe(1);
  });

  it.each(["hang", "stall"] as const)("is an outage when the time is up: %s", async (fault) => {
    expect(await failure(fault, { timeoutMs: 20 })).toMatchObject({ kind: "outage" });
  });

  it("is an outage when nobody listens", async () => {
    expect(await opened({ baseUrl: "http://127.0.0.1:9" })).toMatchObject({ kind: "outage" });
  });

  it("is an outage whatever is thrown, of which only the name is told", () => {
    const names = [new SyntaxError("4000009990000013"), "4000009990000013"].map(
      (thrown) => stripeError("customers.create", thrown, clock).message,
    );
    expect(names).toEqual([
      "Stripe, customers.create: no answer (SyntaxError)",
      "Stripe, customers.create: no answer (string)",
    ]);
  });
});
