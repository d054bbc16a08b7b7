import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { StripeFault, StripeServer } from "../fake/server.ts";

/** The settings with which a call fails. */
interface Config {
  apiKey?: string;
  baseUrl?: string;
  timeoutMs?: number;
}

/** A call of an adapter, and the error that it must fail with. */
interface FailingCall {
  server: () => StripeServer;
  /** The request that it makes, such as "POST /v1/customers". */
  call: string;
  /** The SDK's name of that request. */
  name: string;
  /** Makes the call. */
  attempt: (config: Config) => Promise<unknown>;
  Failure: new (...given: never[]) => Error;
  notFound: string;
}

const error = (type: string, fields: object = {}) => ({ type, message: "A message for people.", ...fields });

/** Declares the error tests that the adapters of both products must pass. */
export function describeStripeErrors(tested: FailingCall): void {
  describe("an error response", () => {
    testErrors(tested);
  });
  describe("a missing or invalid response", () => {
    testInvalidResponses(tested);
  });
}

function testErrors(tested: FailingCall): void {
  const { server, call, name, Failure, notFound } = tested;
  const { attempted, failure } = outcomesOf(tested);
  const requestCount = () => server().log.filter((recorded) => recorded.call === call).length;

  it.each([
    ["refused", 400, error("invalid_request_error")],
    ["refused", 400, error("invalid_request_error", { code: "parameter_invalid_empty", param: "status" })],
    ["refused", 400, error("idempotency_error")],
    ["refused", 402, error("card_error", { code: "card_declined" })],
    [notFound, 404, error("invalid_request_error", { code: "resource_missing" })],
    [notFound, 404, error("invalid_request_error")],
    [notFound, 400, error("invalid_request_error", { code: "resource_missing" })],
    ["rate_limited", 429, error("invalid_request_error", { code: "rate_limit" })],
    ["rate_limited", 400, error("invalid_request_error", { code: "rate_limit" })],
    ["rate_limited", 429, error("invalid_request_error", { code: "lock_timeout" })],
    ["outage", 401, error("invalid_request_error")],
    ["outage", 403, error("invalid_request_error")],
    ["outage", 409, error("idempotency_error", { code: "idempotency_key_in_use" })],
    ["outage", 500, error("api_error")],
    ["outage", 503, error("api_error")],
    ["outage", 418, error("error_of_tomorrow")],
  ])("is %s for %i %j, without a retry", async (kind, status, body) => {
    const before = requestCount();
    const caught = await failure({ status, error: body });
    expect(caught).toBeInstanceOf(Failure);
    expect(caught).toMatchObject({ kind });
    expect(requestCount() - before).toBe(1);
  });

  it("is an outage for an invalid API key", async () => {
    expect(await attempted({ apiKey: "sk_test_wrong" })).toMatchObject({ kind: "outage" });
  });

  it.each([
    ["30", 30],
    ["Mon, 02 Mar 2026 09:00:20 GMT", 20],
  ])("passes on Retry-After: %j", async (header, retryAfterSeconds) => {
    const headers = { "retry-after": header };
    const caught = await failure({ status: 429, error: error("invalid_request_error"), headers });
    expect(caught).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names the call, Stripe's codes and its request id", async () => {
    const body = error("invalid_request_error", { code: "parameter_unknown", param: "metadata[memo]" });
    const message = `Stripe, ${name}: 400 invalid_request_error parameter_unknown (metadata[memo]), request req_fake`;
    const caught = (await failure({ status: 400, error: body })) as Error;
    expect(caught.message.replace(/\d+(?=: A message)/, "")).toBe(`${message}: A message for people.`);
  });

  it("omits codes that do not have the documented form", async () => {
    const body = { type: "4000009990000013", code: "CVC 123", param: "number 4000 0099 9000 0013" };
    const { message } = (await failure({ status: 400, error: body })) as Error;
    expect(message.replace(/\d+$/, "")).toBe(`Stripe, ${name}: 400, request req_fake`);
  });

  it("holds no API key, number or email address, and not the SDK's error", async () => {
    const numbers = "4000 0099 9000 0013 (4000009990000013, 4000-0099-9000-0013), CVC 987";
    const message = `Card ${numbers}, of ada@example.com, key sk_test_51PurserPurser`;
    const caught = await failure({ status: 400, error: error("invalid_request_error", { message }) });
    const shown = `${inspect(caught, { depth: 9, showHidden: true })} ${JSON.stringify(caught)}`;
    expect(shown).toContain("Card ####");
    expect(shown).not.toMatch(/4000|9000|0013|\b987\b|ada@|sk_test/);
    expect(caught).toHaveProperty("cause", undefined);
  });
}

function testInvalidResponses(tested: FailingCall): void {
  const { server, Failure } = tested;
  const { attempted, failure } = outcomesOf(tested);

  it.each<[string, StripeFault]>([
    ["a broken connection", "lost"],
    ["a truncated response", "break"],
    ["a proxy's error page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["a page instead of JSON", { status: 200, text: "<html>4000009990000013</html>" }],
    ["an empty response", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    [
      "fields of the wrong type",
      { status: 200, text: '{"id":"1","url":4000009990000013,"last4":"4000009990000013"}' },
    ],
    ["a redirect", { status: 307, text: "{}", headers: { location: "/v1/customers" } }],
  ])("is an outage: %s", async (_case, fault) => {
    const before = server().log.length;
    const caught = await failure(fault);
    expect(caught).toBeInstanceOf(Failure);
    expect(caught).toMatchObject({ kind: "outage" });
    expect(inspect(caught, { depth: 9 })).not.toContain("4000009990000013");
    expect(server().log.length - before).toBe(1);
  });

  it.each([
    ["hang", 20],
    ["stall", 20],
    // Longer than the pause between two bytes, also on a busy computer.
    ["drip", 100],
  ] as const)(
    "is an outage after the timeout: %s",
    async (fault, timeoutMs) => {
      const message = expect.stringContaining("timeout") as string;
      expect(await failure(fault, { timeoutMs })).toMatchObject({ kind: "outage", message });
    },
    5_000,
  );

  it("is an outage if the host refuses the connection", async () => {
    expect(await attempted({ baseUrl: "http://127.0.0.1:9" })).toMatchObject({ kind: "outage" });
  });
}

/** Returns what the call rejects with, with and without a fault. */
function outcomesOf({ server, call, attempt }: FailingCall) {
  const attempted = (config: Config = {}) =>
    attempt(config).then(
      () => expect.unreachable(),
      (reason: unknown) => reason,
    );
  const failure = (fault: StripeFault, config?: Config) => {
    server().fail(call, fault);
    return attempted(config);
  };
  return { attempted, failure };
}
