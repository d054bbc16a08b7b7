import { type Access, BankError, type BankErrorKind, type BankProvider } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { type RefusalName, type RefusalOptions, internalError, refuse } from "./fake/responses.ts";
import type { FakeResponse, Silence } from "./fake/server.ts";
import { yapilyBank } from "./bank.ts";

let fake: YapilyFake;
let bank: BankProvider;
let access: Access;
const clock = testClock("2026-03-02T09:00:00.000Z");

beforeAll(async () => {
  fake = await startYapilyFake();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests = [];
  fake.intercept = () => undefined;
  const { id, consentToken } = fake.addConsent();
  access = { organizationId: "org_own", institutionId: "modelo-sandbox", consentId: id, token: consentToken };
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock });
});

async function failureOf(promise: Promise<unknown>): Promise<BankError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BankError);
  return error as BankError;
}

/** Returns what reading accounts rejects with. */
async function failureFor(response: FakeResponse | Silence): Promise<BankError> {
  fake.intercept = ({ path }) => (path === "/accounts" ? response : undefined);
  return failureOf(bank.accounts(access));
}

const request = {
  linkId: "lnk_1",
  organizationId: "org_own",
  userId: "user_1",
  institutionId: "modelo-sandbox",
  returnUrl: "https://purser.example/return",
  continuesConnection: false,
  renews: null,
};

describe("an error response", () => {
  it.each<[RefusalName, RefusalOptions, BankErrorKind]>([
    ["badRequest", {}, "outage"],
    ["consentUnauthorized", {}, "reauthorization_required"],
    ["consentRevoked", {}, "reauthorization_required"],
    ["insufficientRights", {}, "reauthorization_required"],
    ["notFound", {}, "reauthorization_required"],
    ["conflict", {}, "outage"],
    ["failedDependency", {}, "outage"],
    ["failedDependency", { institutionError: { httpStatusCode: 500, errorMessage: "{}" } }, "outage"],
    ["failedDependency", { institutionError: { httpStatusCode: 429 } }, "rate_limited"],
    ["failedDependency", { institutionError: { httpStatusCode: 400 } }, "outage"],
    ["failedDependency", { institutionError: { httpStatusCode: 401 } }, "reauthorization_required"],
    ["failedDependency", { institutionError: { httpStatusCode: 403 } }, "reauthorization_required"],
    ["missingAtBank", { institutionError: { httpStatusCode: 400 } }, "reauthorization_required"],
    ["tooManyRequests", {}, "rate_limited"],
    ["notImplemented", {}, "not_supported"],
    ["unavailable", {}, "outage"],
    ["gatewayTimeout", {}, "outage"],
  ])("%s with %j while reading accounts is %s", async (name, options, kind) => {
    expect(await failureFor(refuse(name, options))).toMatchObject({ kind });
  });

  it.each<[RefusalName, BankErrorKind]>([
    ["unauthorized", "outage"],
    ["insufficientRights", "outage"],
    ["notFound", "consent_not_found"],
    ["tooManyRequests", "rate_limited"],
    ["unavailable", "outage"],
  ])("%s while reading a consent is %s", async (name, kind) => {
    fake.intercept = () => refuse(name);
    expect(await failureOf(bank.openConsent(access))).toMatchObject({ kind });
  });

  it.each<[RefusalName, BankErrorKind]>([
    ["unauthorized", "outage"],
    ["badRequest", "outage"],
    ["notFound", "outage"],
    ["tooManyRequests", "rate_limited"],
    ["notImplemented", "not_supported"],
  ])("%s while creating a link is %s", async (name, kind) => {
    fake.intercept = ({ method }) => (method === "POST" ? refuse(name) : undefined);
    expect(await failureOf(bank.createLink(request))).toMatchObject({ kind });
  });

  it.each<[string | undefined, number | undefined]>([
    ["120", 120],
    ["Mon, 02 Mar 2026 09:01:30 GMT", 90],
    [undefined, undefined],
  ])("passes on Retry-After %j as %j seconds", async (header, seconds) => {
    const headers = header === undefined ? {} : { "retry-after": header };
    const error = await failureFor(refuse("tooManyRequests", { headers }));
    expect(error).toMatchObject({ kind: "rate_limited", retryAfterSeconds: seconds });
  });

  it("names the call, the status, the source, the tracing id and Yapily's message", async () => {
    const { message } = await failureFor(refuse("failedDependency"));
    expect(message).toBe(
      "Yapily, GET /accounts: 424 FAILED_DEPENDENCY from INSTITUTION, tracing id 0c2d0973bdd24224a65e5d0f7d1b6154: " +
        "The institution failed to respond.",
    );
  });

  it.each<[string, FakeResponse]>([
    ["no body", { status: 502, body: "" }],
    ["an HTML page", { status: 502, body: "<html>Bad gateway</html>" }],
    ["JSON of another form", { status: 500, body: { error: "oops" } }],
    ["null", { status: 500, body: "null" }],
    ["only a message", internalError],
  ])("with %s is an outage", async (_case, response) => {
    const { kind, message } = await failureFor(response);
    expect({ kind, message }).toEqual({
      kind: "outage",
      message: `Yapily, GET /accounts: ${response.status}`,
    });
  });

  it("quotes no secret, even if Yapily does", async () => {
    const { applicationId, applicationSecret } = credentials;
    const secrets = [applicationId, applicationSecret, access.token!, access.consentId, "jo.bloggs@"];
    const message = `No ${secrets.join(" or ")}example.com\nsecond line`;
    const institutionError = { errorMessage: access.token!, httpStatusCode: 400 };
    const refused = await failureFor(refuse("failedDependency", { message, institutionError }));
    const broken = await failureFor({ status: 200, body: `${access.token} ${applicationSecret}` });
    const cut = await failureFor("hang_up");
    // A parser's error quotes the beginning of the text.
    expect(String(broken.cause)).not.toContain(access.token!.slice(0, 8));
    for (const error of [refused, broken, cut]) {
      const shown = `${error.message} ${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`;
      for (const secret of secrets) expect(shown).not.toContain(secret);
      for (const part of access.token!.split(".")) expect(shown).not.toContain(part);
      expect(shown).not.toContain(Buffer.from(`${applicationId}:${applicationSecret}`).toString("base64"));
    }
  });
});

describe("a missing response", () => {
  it("is an outage after a broken connection", async () => {
    expect(await failureFor("hang_up")).toMatchObject({ kind: "outage" });
  });

  it("is an outage if the host refuses the connection", async () => {
    // Nothing listens there. `fetch` refuses some ports by itself, such as 9, and another process may take a free one.
    const unreachable = yapilyBank({ ...credentials, baseUrl: "http://127.0.0.1:2", clock });
    const error = await failureOf(unreachable.institutions({}));
    expect(error).toMatchObject({ kind: "outage", message: "Yapily, GET /institutions: ECONNREFUSED" });
  });

  it("is an outage after the timeout", async () => {
    bank = yapilyBank({ ...credentials, baseUrl: fake.url, timeoutMs: 20, clock });
    expect(await failureFor("hang")).toMatchObject({
      kind: "outage",
      message: "Yapily, GET /accounts: no response in time",
    });
  });

  it("is an outage for a redirect, which does not receive the token", async () => {
    const elsewhere = await startYapilyFake();
    const location = `${elsewhere.url}/accounts`;
    expect(await failureFor({ status: 302, body: "", headers: { location } })).toMatchObject({
      kind: "outage",
    });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });
});
