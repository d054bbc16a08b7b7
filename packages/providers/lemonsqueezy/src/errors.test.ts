import { inspect } from "node:util";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LemonSqueezyFake, startLemonSqueezyFake } from "./fake/index.ts";
import type { LemonSqueezyFault } from "./fake/server.ts";

const clock = testClock();
let fake: LemonSqueezyFake;
beforeAll(async () => (fake = await startLemonSqueezyFake({ clock })));
afterAll(async () => fake.stop());

/** Returns the error of a list call when Lemon Squeezy responds like this. */
async function failure(fault: LemonSqueezyFault, timeoutMs?: number): Promise<unknown> {
  fake.fail("GET /v1/subscriptions", fault);
  return fake
    .providerWith({ timeoutMs })
    .subscriptionsSince(new Date(0))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

const errorBody = (change: object = {}) => ({
  errors: [{ detail: "A readable message.", status: "422", title: "Unprocessable Entity", ...change }],
});

describe("an error response", () => {
  it.each<[BillingErrorKind, number]>([
    ["refused", 400],
    ["refused", 402],
    ["refused", 422],
    ["not_found", 404],
    ["rate_limited", 429],
    ["outage", 401],
    ["outage", 403],
    ["outage", 408],
    ["outage", 409],
    ["outage", 500],
    ["outage", 503],
  ])("is %s for %i", async (kind, status) => {
    const caught = await failure({ status, body: errorBody() });
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind });
  });

  it("is an outage for a wrong API key", async () => {
    const provider = fake.providerWith({ apiKey: "wrong" });
    await expect(provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });

  it.each([
    ["30", 30],
    ["Mon, 02 Mar 2026 09:00:20 GMT", 20],
  ])("reads the retry delay from %j", async (header, retryAfterSeconds) => {
    const caught = await failure({ status: 429, body: errorBody(), headers: { "retry-after": header } });
    expect(caught).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names the operation, the invalid field and Lemon Squeezy's message", async () => {
    const body = errorBody({ source: { pointer: "/data/attributes/renews_at" } });
    const { message } = (await failure({ status: 422, body })) as Error;
    expect(message).toBe(
      "Lemon Squeezy, subscriptions.list: 422 (/data/attributes/renews_at): A readable message.",
    );
  });

  it.each([
    [
      "a pointer and a detail in an unexpected form",
      { errors: [{ detail: 7, source: { pointer: "4111 1111" } }] },
    ],
    ["no errors", { errors: [] }],
    ["a body in another form", ["4111"]],
  ])("omits %s", async (_what, body) => {
    const { message } = (await failure({ status: 422, body })) as Error;
    expect(message).toBe("Lemon Squeezy, subscriptions.list: 422");
  });

  it("contains no API key, personal data or SDK error", async () => {
    const detail = `The email ada@example.com (card 4111 1112 8914 4142) is not known to ${fake.apiKey}.`;
    const caught = await failure({ status: 422, body: errorBody({ detail, user: "Ada" }) });
    const inspected = inspect(caught, { depth: 9, showHidden: true });
    // The stack names test files by the time of the run, in which any digits can occur.
    const printed = `${inspected.replaceAll(/file:\S+/g, "")} ${JSON.stringify(caught)}`;
    expect(printed).toContain("The email");
    expect(printed).not.toMatch(/4111|8914|ada@|Ada/);
    expect(printed).not.toContain(fake.apiKey);
    expect(caught).toHaveProperty("cause", undefined);
  });
});

describe("a missing or unreadable response", () => {
  it.each<[string, LemonSqueezyFault]>([
    ["a broken connection", "lost"],
    ["a truncated response", "break"],
    ["a proxy's error page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["an HTML page instead of the data", { status: 200, text: "<html>ada@example.com</html>" }],
    ["an empty response", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    ["data in another form", { status: 200, body: { data: [{ id: "ada@example.com" }] } }],
    ["a redirect", { status: 307, text: "", headers: { location: "/v1/subscriptions" } }],
  ])("is an outage: %s", async (_what, fault) => {
    const caught = await failure(fault);
    expect(caught).toBeInstanceOf(BillingError);
    expect(caught).toMatchObject({ kind: "outage" });
    expect(inspect(caught, { depth: 9 })).not.toContain("ada@");
  });

  it("is an outage after the timeout", async () => {
    expect(await failure("hang", 20)).toMatchObject({ kind: "outage" });
  });

  it("is an outage if the connection is refused", async () => {
    // Nothing listens there. `fetch` refuses some ports by itself, such as 9.
    const provider = fake.providerWith({ baseUrl: "http://127.0.0.1:2" });
    await expect(provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });
});
