import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import { type Access, BankError, type BankErrorKind, type BankProvider } from "@purser/banking/ports";
import { internalError, type RefusalName, type RefusalOptions, refuse } from "./fake/responses.ts";
import type { Response, Silence } from "./fake/server.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { yapilyBank } from "./index.ts";

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

/** What reading the accounts ends with when Yapily answers so. */
async function answered(answer: Response | Silence): Promise<BankError> {
  fake.intercept = ({ path }) => (path === "/accounts" ? answer : undefined);
  return failureOf(bank.accounts(access));
}

const request = {
  linkId: "lnk_1",
  organizationId: "org_own",
  userId: "user_1",
  institutionId: "modelo-sandbox",
  returnUrl: "https://purser.example/return",
  renews: null,
};

describe("a refusal of yapily", () => {
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
    ["tooManyRequests", {}, "rate_limited"],
    ["notImplemented", {}, "not_supported"],
    ["unavailable", {}, "outage"],
    ["gatewayTimeout", {}, "outage"],
  ])("to give accounts, %s with %j, is %s", async (name, options, kind) => {
    expect(await answered(refuse(name, options))).toMatchObject({ kind });
  });

  it.each<[RefusalName, BankErrorKind]>([
    ["unauthorized", "outage"],
    ["insufficientRights", "outage"],
    ["notFound", "consent_not_found"],
    ["tooManyRequests", "rate_limited"],
    ["unavailable", "outage"],
  ])("to show a consent, %s, is %s", async (name, kind) => {
    fake.intercept = () => refuse(name);
    expect(await failureOf(bank.openConsent(access))).toMatchObject({ kind });
  });

  it.each<[RefusalName, BankErrorKind]>([
    ["unauthorized", "outage"],
    ["badRequest", "outage"],
    ["notFound", "outage"],
    ["tooManyRequests", "rate_limited"],
    ["notImplemented", "not_supported"],
  ])("to make a link, %s, is %s", async (name, kind) => {
    fake.intercept = ({ method }) => (method === "POST" ? refuse(name) : undefined);
    expect(await failureOf(bank.createLink(request))).toMatchObject({ kind });
  });

  it.each<[string | undefined, number | undefined]>([
    ["120", 120],
    ["Mon, 02 Mar 2026 09:01:30 GMT", 90],
    [undefined, undefined],
  ])("that says to wait %j is to be repeated after %j seconds", async (header, seconds) => {
    const headers = header === undefined ? {} : { "retry-after": header };
    const error = await answered(refuse("tooManyRequests", { headers }));
    expect(error).toMatchObject({ kind: "rate_limited", retryAfterSeconds: seconds });
  });

  it("tells operators the call, the status, who is at fault, the tracing id and Yapily's words", async () => {
    const { message } = await answered(refuse("failedDependency"));
    expect(message).toBe(
      "Yapily, GET /accounts: 424 FAILED_DEPENDENCY from INSTITUTION, tracing id 0c2d0973bdd24224a65e5d0f7d1b6154: " +
        "The institution failed to answer.",
    );
  });

  it.each<[string, Response]>([
    ["no body", { status: 502, body: "" }],
    ["a page for people", { status: 502, body: "<html>Bad gateway</html>" }],
    ["JSON of another form", { status: 500, body: { error: "oops" } }],
    ["null", { status: 500, body: "null" }],
    ["a message alone", internalError],
  ])("with %s is an outage all the same", async (_what, answer) => {
    const { kind, message } = await answered(answer);
    expect({ kind, message }).toEqual({ kind: "outage", message: `Yapily, GET /accounts: ${answer.status}` });
  });

  it("quotes no secret, even where Yapily does", async () => {
    const { applicationId, applicationSecret } = credentials;
    const secrets = [applicationId, applicationSecret, access.token!, access.consentId, "jo.bloggs@"];
    const message = `No ${secrets.join(" or ")}example.com\nsecond line`;
    const institutionError = { errorMessage: access.token!, httpStatusCode: 400 };
    const refused = await answered(refuse("failedDependency", { message, institutionError }));
    const broken = await answered({ status: 200, body: `${access.token} ${applicationSecret}` });
    const cut = await answered("hang_up");
    // A parser would quote how the text begins.
    expect(String(broken.cause)).not.toContain(access.token!.slice(0, 8));
    for (const error of [refused, broken, cut]) {
      const told = `${error.message} ${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`;
      for (const secret of secrets) expect(told).not.toContain(secret);
      for (const part of access.token!.split(".")) expect(told).not.toContain(part);
      expect(told).not.toContain(Buffer.from(`${applicationId}:${applicationSecret}`).toString("base64"));
    }
  });
});

describe("yapily without an answer", () => {
  it("is an outage where the connection breaks off", async () => {
    expect(await answered("hang_up")).toMatchObject({ kind: "outage" });
  });

  it("is an outage where nobody listens", async () => {
    const gone = await startYapilyFake();
    await gone.close();
    const nowhere = yapilyBank({ ...credentials, baseUrl: gone.url, clock });
    const error = await failureOf(nowhere.institutions({}));
    expect(error).toMatchObject({ kind: "outage", message: "Yapily, GET /institutions: ECONNREFUSED" });
  });

  it("is an outage after the time allowed", async () => {
    bank = yapilyBank({ ...credentials, baseUrl: fake.url, timeoutMs: 20, clock });
    expect(await answered("hang")).toMatchObject({
      kind: "outage",
      message: "Yapily, GET /accounts: no answer in time",
    });
  });

  it("is an outage where it leads elsewhere, and the token stays here", async () => {
    const elsewhere = await startYapilyFake();
    const location = `${elsewhere.url}/accounts`;
    expect(await answered({ status: 302, body: "", headers: { location } })).toMatchObject({
      kind: "outage",
    });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });
});
