import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Fault, StripeServer } from "../fake/server.ts";

/** What an adapter may be set up with in order to fail. */
interface Config {
  apiKey?: string;
  baseUrl?: string;
  timeoutMs?: number;
}

/** One call of an adapter, and what its area calls the failures of it. */
interface FailingCall {
  server: () => StripeServer;
  /** What it asks Stripe, such as "POST /v1/customers", and the SDK's name of that. */
  call: string;
  name: string;
  /** Makes the call, which is to fail. */
  attempt: (config: Config) => Promise<unknown>;
  Failure: new (...given: never[]) => Error;
  notFound: string;
}

const error = (type: string, fields: object = {}) => ({ type, message: "Words for people.", ...fields });

/** Declares the tests of what both adapters make of Stripe's errors: each is to pass them, by a call of its own. */
export function describeStripeErrors(tested: FailingCall): void {
  describe("an error of Stripe's", () => {
    testErrors(tested);
  });
  describe("what is no answer of Stripe's", () => {
    testSilence(tested);
  });
}

function testErrors(tested: FailingCall): void {
  const { server, call, name, Failure, notFound } = tested;
  const { attempted, failure } = outcomesOf(tested);
  const asked = () => server().log.filter((recorded) => recorded.call === call).length;

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
  ])("is %s for %i %j, and is not asked about again", async (kind, status, answered) => {
    const before = asked();
    const caught = await failure({ status, error: answered });
    expect(caught).toBeInstanceOf(Failure);
    expect(caught).toMatchObject({ kind });
    expect(asked() - before).toBe(1);
  });

  it("is an outage for a wrong key", async () => {
    expect(await attempted({ apiKey: "sk_test_wrong" })).toMatchObject({ kind: "outage" });
  });

  it.each([
    ["30", 30],
    ["Mon, 02 Mar 2026 09:00:20 GMT", 20],
  ])("tells to try again after %j", async (header, retryAfterSeconds) => {
    const headers = { "retry-after": header };
    const caught = await failure({ status: 429, error: error("invalid_request_error"), headers });
    expect(caught).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names what was asked, Stripe's codes and its id of the request", async () => {
    const answered = error("invalid_request_error", { code: "parameter_unknown", param: "metadata[memo]" });
    const message = `Stripe, ${name}: 400 invalid_request_error parameter_unknown (metadata[memo]), request req_fake`;
    const caught = (await failure({ status: 400, error: answered })) as Error;
    expect(caught.message.replace(/\d+(?=: Words)/, "")).toBe(`${message}: Words for people.`);
  });

  it("says nothing that Stripe's codes might not be", async () => {
    const answered = { type: "4000009990000013", code: "CVC 123", param: "number 4000 0099 9000 0013" };
    const { message } = (await failure({ status: 400, error: answered })) as Error;
    expect(message.replace(/\d+$/, "")).toBe(`Stripe, ${name}: 400, request req_fake`);
  });

  it("carries neither our key, nor numbers or addresses of people, nor the SDK's error", async () => {
    const numbers = "4000 0099 9000 0013 (4000009990000013, 4000-0099-9000-0013), CVC 987";
    const message = `Card ${numbers}, of ada@example.com, key sk_test_51PurserPurser`;
    const caught = await failure({ status: 400, error: error("invalid_request_error", { message }) });
    const told = `${inspect(caught, { depth: 9, showHidden: true })} ${JSON.stringify(caught)}`;
    expect(told).toContain("Card ####");
    expect(told).not.toMatch(/4000|9000|0013|\b987\b|ada@|sk_test/);
    expect(caught).toHaveProperty("cause", undefined);
  });
}

function testSilence(tested: FailingCall): void {
  const { server, Failure } = tested;
  const { attempted, failure } = outcomesOf(tested);

  it.each<[string, Fault]>([
    ["a broken connection", "lost"],
    ["an answer that breaks off", "break"],
    ["a proxy's page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["a page in place of the data", { status: 200, text: "<html>4000009990000013</html>" }],
    ["an empty answer", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    [
      "things of the wrong form",
      { status: 200, text: '{"id":"1","url":4000009990000013,"last4":"4000009990000013"}' },
    ],
    ["a redirect", { status: 307, text: "{}", headers: { location: "/v1/customers" } }],
  ])("is an outage: %s", async (_what, fault) => {
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
    // Longer than from one drop to the next, also where the computer is busy.
    ["drip", 100],
  ] as const)(
    "is an outage when the time is up: %s",
    async (fault, timeoutMs) => {
      const message = expect.stringContaining("timeout") as string;
      expect(await failure(fault, { timeoutMs })).toMatchObject({ kind: "outage", message });
    },
    5_000,
  );

  it("is an outage when nobody listens", async () => {
    expect(await attempted({ baseUrl: "http://127.0.0.1:9" })).toMatchObject({ kind: "outage" });
  });
}

/** What the call fails with, by itself or where Stripe answers so. */
function outcomesOf({ server, call, attempt }: FailingCall) {
  const attempted = (config: Config = {}) =>
    attempt(config).then(
      () => expect.unreachable(),
      (reason: unknown) => reason,
    );
  const failure = (fault: Fault, config?: Config) => {
    server().fail(call, fault);
    return attempted(config);
  };
  return { attempted, failure };
}
