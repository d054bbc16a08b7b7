import type { Access, BankProvider } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { outsideContract } from "@purser/vendor-contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Schemas } from "./api.ts";
import { exampleAccount } from "./fake/data.ts";
import { type FakeConsent, type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { refuse, success } from "./fake/responses.ts";
import { yapilyBank } from "./bank.ts";

let fake: YapilyFake;
let bank: BankProvider;
const clock = testClock("2026-03-02T09:00:00.000Z");

beforeAll(async () => {
  fake = await startYapilyFake();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests = [];
  fake.intercept = () => undefined;
  fake.consents.clear();
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock });
});

function access(over: Partial<FakeConsent> = {}): Access {
  const { id, consentToken } = fake.addConsent(over);
  return { organizationId: "org_own", institutionId: "modelo-sandbox", consentId: id, token: consentToken };
}

type Status = Schemas["AuthorisationStatus"];
type Opened = "a grant" | "authorization_pending" | "consent_not_found" | "reauthorization_required";

/** Every status in Yapily's description, with the result of `openConsent` and the consent status. */
const rows: [Status, Opened, "authorized" | "revoked" | "reauthorization_required"][] = [
  ["AUTHORIZED", "a grant", "authorized"],
  ["AWAITING_AUTHORIZATION", "authorization_pending", "reauthorization_required"],
  ["AWAITING_FURTHER_AUTHORIZATION", "authorization_pending", "reauthorization_required"],
  ["AWAITING_PRE_AUTHORIZATION", "authorization_pending", "reauthorization_required"],
  ["AWAITING_DECOUPLED_PRE_AUTHORIZATION", "authorization_pending", "reauthorization_required"],
  ["PRE_AUTHORIZED", "authorization_pending", "reauthorization_required"],
  ["AWAITING_DECOUPLED_AUTHORIZATION", "authorization_pending", "reauthorization_required"],
  ["AWAITING_SCA_METHOD", "authorization_pending", "reauthorization_required"],
  ["AWAITING_SCA_CODE", "authorization_pending", "reauthorization_required"],
  ["UNKNOWN", "authorization_pending", "reauthorization_required"],
  ["AWAITING_RE_AUTHORIZATION", "reauthorization_required", "reauthorization_required"],
  ["EXPIRED", "reauthorization_required", "reauthorization_required"],
  ["REJECTED", "consent_not_found", "revoked"],
  ["FAILED", "consent_not_found", "revoked"],
  ["INVALID", "consent_not_found", "revoked"],
  ["REVOKED", "reauthorization_required", "revoked"],
  ["CONSUMED", "reauthorization_required", "revoked"],
];

describe("yapilyBank.openConsent", () => {
  it("returns token, institution and scopes", async () => {
    const reference = access({ expiresAt: "2026-05-01T10:00:00.000Z" });
    expect(await bank.openConsent(reference)).toEqual({
      consentId: reference.consentId,
      token: reference.token,
      institution: await bank.institution("modelo-sandbox"),
      scopes: ["accounts", "balances", "transactions"],
      expiresAt: new Date("2026-05-01T10:00:00.000Z"),
      reconfirmBy: null,
      isLimit: true,
    });
  });

  it("returns when the person should confirm, which is not the end", async () => {
    const reconfirmBy = "2026-03-01T00:00:00+02:00";
    expect(await bank.openConsent(access({ reconfirmBy }))).toMatchObject({
      expiresAt: null,
      reconfirmBy: new Date("2026-02-28T22:00:00Z"),
    });
  });

  it.each<[Schemas["Feature"][], string[]]>([
    [["ACCOUNTS"], ["accounts", "balances"]],
    [["ACCOUNT"], ["accounts", "balances"]],
    [["ACCOUNTS_WITHOUT_BALANCE"], ["accounts"]],
    [
      ["ACCOUNT_WITHOUT_BALANCE", "ACCOUNT_BALANCES"],
      ["accounts", "balances"],
    ],
    [["ACCOUNT_TRANSACTIONS"], ["transactions"]],
    [["ACCOUNT_TRANSACTIONS_WITH_MERCHANT"], ["transactions"]],
    [["IDENTITY"], []],
  ])("maps the features %j to the scopes %j", async (featureScope, scopes) => {
    expect((await bank.openConsent(access({ featureScope }))).scopes).toEqual(scopes);
  });

  it.each(rows)("for the status %s results in %s", async (status, opened) => {
    const grant = bank.openConsent(access({ status }));
    if (opened === "a grant") return expect(await grant).toMatchObject({ isLimit: true });
    await expect(grant).rejects.toMatchObject({ kind: opened });
  });

  it("throws authorization_pending for an unknown status", async () => {
    const reference = access({ status: "AWAITING_NEW_STATUS" as Status });
    await outsideContract(async () => {
      await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "authorization_pending" });
      expect(await bank.consentStatus(reference)).toEqual({ status: "reauthorization_required" });
    });
  });

  it.each<[string, Partial<FakeConsent>]>([
    ["another team", { applicationUserId: "org_other" }],
    ["no team", { applicationUserId: undefined as never }],
    ["another institution", { institutionId: "elsewhere" }],
  ])("throws consent_not_found for a consent of %s", async (_case, over) => {
    const reference = access(over);
    await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "consent_not_found" });
    await expect(bank.consentStatus(reference)).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("throws consent_not_found for an unknown id", async () => {
    const reference = { ...access(), consentId: "56a42244-414a-4b52-8c4f-4ad2a50e82fe" };
    await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it.each(["", "fail-revoked", "../institutions", "56a42244-414a-4b52-8c4f-4ad2a50e82fe/x"])(
    "throws invalid_consent_id for %j, without a request",
    async (consentId) => {
      const grant = bank.openConsent({ ...access(), consentId });
      await expect(grant).rejects.toMatchObject({ kind: "invalid_consent_id" });
      expect(fake.requests).toEqual([]);
    },
  );

  it("throws reauthorization_required after the expiry, also for an AUTHORIZED consent", async () => {
    const reference = access({ expiresAt: "2026-03-02T09:00:00Z" });
    await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "reauthorization_required" });
    expect(await bank.consentStatus(reference)).toEqual({ status: "reauthorization_required" });
  });

  it("throws for an incomplete consent", async () => {
    const reference = access();
    fake.intercept = () => ({ status: 200, body: {} });
    await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => undefined;
    const tokenless = { ...fake.consents.get(reference.consentId)!, consentToken: undefined };
    fake.intercept = ({ path }) => (path.startsWith("/consents") ? success(tokenless) : undefined);
    await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "outage" });
    const invalidExpiry = { ...fake.consents.get(reference.consentId)!, expiresAt: "soon" };
    fake.intercept = ({ path }) => (path.startsWith("/consents") ? success(invalidExpiry) : undefined);
    await expect(bank.openConsent(reference)).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("yapilyBank.consentStatus", () => {
  it.each(rows)("for the status %s (opened: %s) is %s", async (status, _opened, expectedStatus) => {
    const end = expectedStatus === "authorized" ? { expiresAt: null, reconfirmBy: null } : {};
    expect(await bank.consentStatus(access({ status }))).toEqual({ status: expectedStatus, ...end });
  });

  it("returns the expiry, and stays authorized after the person should have confirmed", async () => {
    const dates = { expiresAt: "2026-05-30T00:00:00Z", reconfirmBy: "2026-02-28T00:00:00Z" };
    expect(await bank.consentStatus(access(dates))).toEqual({
      status: "authorized",
      expiresAt: new Date("2026-05-30T00:00:00Z"),
      reconfirmBy: new Date("2026-02-28T00:00:00Z"),
    });
  });

  it("is revoked if the bank has deleted it", async () => {
    expect(await bank.consentStatus(access({ isDeletedByInstitution: true }))).toEqual({ status: "revoked" });
  });

  it("needs the person if Yapily has no such consent, as with the credentials of another application", async () => {
    const known = access();
    fake.intercept = () => refuse("notFound");
    expect(await bank.consentStatus(known)).toEqual({ status: "reauthorization_required" });
    fake.intercept = () => undefined;
    expect(await bank.consentStatus(known)).toMatchObject({ status: "authorized" });
  });

  it("throws if Yapily is unavailable", async () => {
    const known = access();
    fake.intercept = () => refuse("unavailable");
    await expect(bank.consentStatus(known)).rejects.toMatchObject({ kind: "outage" });
  });

  it("can be authorized although the bank refuses data", async () => {
    const known = access({ isRevokedAtBank: true });
    fake.accounts.set(known.token!, [exampleAccount()]);
    expect(await bank.consentStatus(known)).toMatchObject({ status: "authorized" });
    await expect(bank.accounts(known)).rejects.toMatchObject({ kind: "reauthorization_required" });
  });
});

describe("yapilyBank.reconfirm", () => {
  const now = () => clock.now();

  it("extends the consent, and returns the next date", async () => {
    const known = access({ reconfirmBy: "2026-03-03T00:00:00Z" });
    expect(await bank.reconfirm!(known, now())).toEqual({
      status: "authorized",
      expiresAt: null,
      reconfirmBy: new Date("2026-05-31T08:59:00Z"),
    });
    expect(fake.requests.at(-1)).toMatchObject({
      method: "POST",
      path: `/consents/${known.consentId}/extend`,
      body: { lastConfirmedAt: "2026-03-02T08:59:00.000Z" },
    });
  });

  it("throws not_supported for a consent without confirmation", async () => {
    await expect(bank.reconfirm!(access({}), now())).rejects.toMatchObject({ kind: "not_supported" });
  });

  it.each([
    ["has expired", { status: "EXPIRED" }],
    ["is revoked", { status: "REVOKED" }],
    ["the bank has deleted", { isDeletedByInstitution: true }],
  ] as const)("throws reauthorization_required for a consent that %s", async (_which, over) => {
    const ended = access({ ...over, reconfirmBy: "2026-03-03T00:00:00Z" });
    const confirmed = bank.reconfirm!(ended, now());
    await expect(confirmed).rejects.toMatchObject({ kind: "reauthorization_required" });
  });

  it("says a time that has passed at Yapily too, if our clock is ahead", async () => {
    const known = access({ reconfirmBy: "2026-03-03T00:00:00Z" });
    const nowAtYapily = now().getTime() - 30_000;
    fake.intercept = ({ method, body }) =>
      method === "POST" && Date.parse((body as { lastConfirmedAt: string }).lastConfirmedAt) > nowAtYapily
        ? refuse("badRequest")
        : undefined;
    expect(await bank.reconfirm!(known, now())).toMatchObject({ status: "authorized" });
  });

  it("throws outage if Yapily refuses to confirm a consent that has a confirmation", async () => {
    const known = access({ reconfirmBy: "2026-03-03T00:00:00Z" });
    fake.intercept = ({ method }) => (method === "POST" ? refuse("badRequest") : undefined);
    await expect(bank.reconfirm!(known, now())).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws consent_not_found for another team's consent, without confirming it", async () => {
    const foreign = access({ applicationUserId: "org_other", reconfirmBy: "2026-03-03T00:00:00Z" });
    await expect(bank.reconfirm!(foreign, now())).rejects.toMatchObject({ kind: "consent_not_found" });
    expect(fake.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("throws if Yapily is unavailable", async () => {
    const known = access({ reconfirmBy: "2026-03-03T00:00:00Z" });
    fake.intercept = ({ method }) => (method === "POST" ? refuse("unavailable") : undefined);
    await expect(bank.reconfirm!(known, now())).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("yapilyBank.revoke", () => {
  it("deletes the consent with forceDelete", async () => {
    const known = access();
    await bank.revoke(known);
    expect(fake.consents.has(known.consentId)).toBe(false);
    expect(fake.requests[0]).toMatchObject({ method: "DELETE", path: `/consents/${known.consentId}` });
    expect(fake.requests[0]!.query.get("forceDelete")).toBe("true");
  });

  it("throws consent_not_found if Yapily has no such consent, as with the credentials of another application", async () => {
    const known = access();
    await bank.revoke(known);
    await expect(bank.revoke(known)).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("throws if Yapily fails or reports a failure", async () => {
    const known = access();
    fake.intercept = () => refuse("unavailable");
    await expect(bank.revoke(known)).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => success({ id: known.consentId, deleteStatus: "FAILED" });
    await expect(bank.revoke(known)).rejects.toMatchObject({ kind: "outage" });
  });
});
