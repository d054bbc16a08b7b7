import { inspect } from "node:util";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { polarError } from "./errors.ts";
import { type PolarFault, type PolarFake, startPolarFake } from "./fake/index.ts";

let polar: PolarFake;
let planId: string;
let variantId: string;
beforeAll(async () => {
  polar = await startPolarFake({ clock: testClock() });
  const [plan] = await polar.provider.plans();
  planId = plan!.id;
  variantId = plan!.variants[0]!.id;
});
afterAll(() => polar.stop());

const customer = { organizationId: "org_1", name: "Acme", email: "ada@example.com" };
const returnUrl = "https://app.example.com/back";

/** Returns the error of `createCheckout` when Polar responds like this. */
async function failure(fault: PolarFault): Promise<unknown> {
  polar.fail("POST /v1/checkouts/", fault);
  return polar.provider
    .createCheckout({ ...customer, checkoutId: "chk_1", customerId: null, planId, variantId, returnUrl })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

const named = (error: string) => ({ error, detail: "Words for people." });

describe("an error response", () => {
  it.each<[BillingErrorKind, number, object]>([
    ["refused", 400, named("BadRequest")],
    ["refused", 402, named("PaymentFailed")],
    ["refused", 403, named("AlreadyCanceledSubscription")],
    ["refused", 403, named("InactiveSubscription")],
    ["refused", 403, named("AlreadyActiveSubscriptionError")],
    ["refused", 409, named("SubscriptionNotScheduledToCancel")],
    ["refused", 410, named("ResourceUnavailable")],
    ["refused", 422, { detail: [] }],
    ["not_found", 404, named("ResourceNotFound")],
    // Polar responds like this for an API version that it no longer serves.
    ["outage", 404, { detail: "Not Found" }],
    ["rate_limited", 429, named("TooManyRequests")],
    ["outage", 401, { error: "invalid_token", error_description: "Words for people." }],
    ["outage", 403, { error: "insufficient_scope" }],
    ["outage", 403, named("NotPermitted")],
    ["outage", 403, named("PaymentNotReady")],
    ["outage", 408, {}],
    ["outage", 409, named("SubscriptionLocked")],
    ["outage", 500, named("InternalServerError")],
    ["outage", 503, {}],
  ])("is %s for %i %j", async (kind, status, body) => {
    const caught = await failure({ status, body });
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind });
    expect((caught as Error).message).toContain(`Polar, checkouts.create: ${status}`);
  });

  it("is an outage for a wrong token", async () => {
    const provider = polar.providerWith({ accessToken: "polar_oat_wrong" });
    await expect(provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });

  it.each([
    ["30", 30],
    ["0", 0],
    ["-1", undefined],
    ["soon", undefined],
    ["Mon, 02 Mar 2026 09:00:20 GMT", undefined],
  ])("reads the retry delay from %j", async (header, retryAfterSeconds) => {
    const caught = await failure({ status: 429, body: {}, headers: { "retry-after": header } });
    expect(caught).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names the operation, Polar's error name and the invalid fields", async () => {
    const detail = [
      { type: "value_error", loc: ["body", "products", 0], msg: "Words.", input: "ada@example.com" },
      { type: "missing", loc: ["body", "metadata"], msg: "Words.", input: { name: "Ada" } },
    ];
    const { message } = (await failure({ status: 422, body: { error: "ValidationError", detail } })) as Error;
    expect(message).toBe(
      "Polar, checkouts.create: 422 ValidationError (body.products.0 value_error, body.metadata missing)",
    );
  });

  it("contains no token, personal data or SDK error", async () => {
    const quoted = "ada@example.com of Acme, card 4000 0099 9000 0013";
    const detail = [{ type: quoted, loc: [quoted], msg: quoted, input: quoted }];
    for (const body of [{ error: quoted, detail: quoted }, { error: quoted, detail }, quoted as never]) {
      for (const status of [400, 404, 422, 429, 500]) {
        const caught = await failure({ status, body });
        const inspected = inspect(caught, { depth: 9, showHidden: true });
        // The stack names test files by the time of the run, in which any digits can occur.
        const printed = `${inspected.replaceAll(/file:\S+/g, "")} ${JSON.stringify(caught)}`;
        expect(printed).not.toMatch(/ada@|Acme|4000|polar_oat/);
        expect(caught).toHaveProperty("cause", undefined);
      }
    }
  });
});

describe("a missing or unreadable response", () => {
  it.each<[string, PolarFault]>([
    ["a broken connection", "lost"],
    ["a truncated response", "break"],
    ["a proxy's error page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["a firewall's page", { status: 403, text: "<html>Blocked</html>" }],
    ["an HTML page instead of validation errors", { status: 422, text: "<html>ada@example.com</html>" }],
    ["an HTML page instead of the data", { status: 200, text: "<html>ada@example.com</html>" }],
    ["an empty response", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    ["an invalid address", { status: 200, body: { id: "1", url: "ada@example.com", expires_at: "soon" } }],
    ["a redirect", { status: 307, text: "{}", headers: { location: "/v1/checkouts/" } }],
  ])("is an outage: %s", async (_what, fault) => {
    const caught = await failure(fault);
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind: "outage" });
    expect(inspect(caught, { depth: 9 })).not.toContain("ada@");
  });

  it.each(["hang", "stall"] as const)("is an outage after the timeout: %s", async (fault) => {
    polar.fail("GET /v1/products/", fault);
    const provider = polar.providerWith({ timeoutMs: 40 });
    await expect(provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });

  it("is an outage if the connection is refused", async () => {
    // Nothing listens there. `fetch` refuses some ports by itself, such as 9.
    const provider = polar.providerWith({ baseUrl: "http://127.0.0.1:2" });
    await expect(provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });

  it("is an outage for any thrown value, and contains only its name", () => {
    const names = [new SyntaxError("ada@example.com"), "ada@example.com"].map(
      (thrown) => polarError("products.list", thrown).message,
    );
    expect(names).toEqual([
      "Polar: no response to products.list (SyntaxError)",
      "Polar: no response to products.list (string)",
    ]);
  });
});
