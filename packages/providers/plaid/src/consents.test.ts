import type { BankErrorKind } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessTo, linkRequest, linkedItem, startPlaidBank, webhookUrl } from "./fake/bank.ts";
import type { Fault } from "./fake/index.ts";
import { webhookFor } from "./links.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
beforeAll(async () => (plaid = await startPlaidBank(testClock())));
afterAll(async () => plaid.fake.close());

const reference = (consentId: string, institutionId = "ins_1") => ({
  organizationId: "org_1",
  institutionId,
  consentId,
});
const grant = (organizationId = "org_1") => plaid.fake.grant("ins_1", webhookFor(webhookUrl, organizationId));
const callsOf = (path: string) => plaid.fake.requests.filter((request) => request.path === path).length;

describe("plaidBank.openConsent", () => {
  it("exchanges a public token for the item", async () => {
    const { publicToken, item } = grant();
    expect(await plaid.bank.openConsent(reference(publicToken))).toEqual({
      consentId: item.itemId,
      token: item.accessToken,
      institution: { id: "ins_1", name: "Thames Bank", country: "GB", logoUrl: null },
      scopes: ["accounts", "balances", "transactions", "account_numbers"],
      expiresAt: null,
      isLimit: true,
    });
  });

  it("returns the expiry and the consented products", async () => {
    const { publicToken, item } = grant();
    item.expires = "2026-06-01T12:00:00Z";
    item.consentedProducts = ["transactions"];
    expect(await plaid.bank.openConsent(reference(publicToken))).toMatchObject({
      expiresAt: new Date("2026-06-01T12:00:00Z"),
      scopes: ["accounts", "balances", "transactions"],
    });
  });

  it("accepts the token of a finished hosted link", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    const item = plaid.fake.finishLink(state, "ins_1");
    expect(await plaid.bank.openConsent(reference(state))).toMatchObject({ consentId: item.itemId });
  });

  it("throws consent_not_found for another team's consent, and removes its item", async () => {
    const { publicToken, item } = grant("org_2");
    await expectRefusal(publicToken, "consent_not_found");
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
  });

  it("throws consent_not_found for another team's link, and does not use up its token", async () => {
    const { state } = await plaid.bank.createLink(linkRequest({ organizationId: "org_2" }));
    plaid.fake.finishLink(state, "ins_1");
    const before = plaid.fake.publicTokens.size;
    await expectRefusal(state, "consent_not_found");
    expect(plaid.fake.publicTokens.size).toBe(before);
  });

  it.each([
    ["no webhook URL", null],
    ["another webhook URL", "https://elsewhere.example/plaid"],
    ["an invalid webhook URL", "org_1"],
  ])("throws consent_not_found for an item with %s", async (_case, webhook) => {
    await expectRefusal(plaid.fake.grant("ins_1", webhook).publicToken, "consent_not_found");
  });

  it("throws consent_not_found for another institution", async () => {
    const { publicToken } = grant();
    await expect(plaid.bank.openConsent(reference(publicToken, "ins_2"))).rejects.toMatchObject({
      kind: "consent_not_found",
    });
  });

  it.each<[string, string, BankErrorKind]>([
    ["an unknown public token", "public-sandbox-0000", "consent_not_found"],
    ["an unknown link token", "link-sandbox-0000", "consent_not_found"],
    ["text that is not a token", "nonsense", "consent_not_found"],
    ["characters that no token has", "public-sandbox-1; drop", "invalid_consent_id"],
    ["empty text", "", "invalid_consent_id"],
  ])("refuses %s", async (_case, consentId, kind) => {
    await expectRefusal(consentId, kind);
  });

  it("refuses the id of an item, which is not secret", async () => {
    await expectRefusal(linkedItem(plaid.fake).itemId, "consent_not_found");
  });

  it("accepts a public token once", async () => {
    const { publicToken } = grant();
    await plaid.bank.openConsent(reference(publicToken));
    await expectRefusal(publicToken, "consent_not_found");
  });

  it("does not use up the token if the institution is unknown or Plaid is down", async () => {
    const { publicToken } = grant();
    await expect(plaid.bank.openConsent(reference(publicToken, "ins_9"))).rejects.toMatchObject({
      kind: "institution_not_found",
    });
    plaid.fake.fail("/institutions/get_by_id", "cut");
    await expectRefusal(publicToken, "outage");
    expect(await plaid.bank.openConsent(reference(publicToken))).toMatchObject({ isLimit: true });
  });

  it.each<[string, Fault[]]>([
    ["a broken connection and an outage", ["cut", { code: "INTERNAL_SERVER_ERROR" }]],
    ["two rate limits", [{ code: "RATE_LIMIT" }, { code: "RATE_LIMIT" }]],
  ])("retries %s after the exchange, which works only once", async (_case, faults) => {
    const { publicToken, item } = grant();
    plaid.fake.fail("/item/get", ...faults);
    const before = callsOf("/item/public_token/exchange");
    expect(await plaid.bank.openConsent(reference(publicToken))).toMatchObject({ token: item.accessToken });
    expect(callsOf("/item/public_token/exchange")).toBe(before + 1);
  });

  it("throws after three attempts, and removes the item", async () => {
    const { publicToken, item } = grant();
    plaid.fake.fail("/item/get", "cut", "cut", "cut");
    await expectRefusal(publicToken, "outage");
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
  });

  it("throws the first error also if the removal fails", async () => {
    plaid.fake.fail("/item/remove", "cut");
    await expectRefusal(grant("org_2").publicToken, "consent_not_found");
  });

  it.each([
    ["an error", { error: "ITEM_LOGIN_REQUIRED" }],
    ["a past expiry", { expires: "2026-03-02T09:00:00Z" }],
  ])("throws reauthorization_required for an item with %s", async (_case, state) => {
    const { publicToken, item } = grant();
    Object.assign(item, state);
    await expectRefusal(publicToken, "reauthorization_required");
  });

  async function expectRefusal(consentId: string, kind: BankErrorKind) {
    await expect(plaid.bank.openConsent(reference(consentId))).rejects.toMatchObject({
      name: "BankError",
      kind,
    });
  }
});

describe("plaidBank.standing", () => {
  it.each([
    ["healthy", {}, { status: "authorized", expiresAt: null }],
    [
      "about to expire",
      { expires: "2026-03-02T09:00:01Z" },
      { status: "authorized", expiresAt: new Date("2026-03-02T09:00:01Z") },
    ],
    ["expired", { expires: "2026-03-02T09:00:00Z" }, { status: "reauthorization_required" }],
    ["in need of a sign-in", { error: "ITEM_LOGIN_REQUIRED" }, { status: "reauthorization_required" }],
    ["revoked at the bank", { error: "USER_PERMISSION_REVOKED" }, { status: "revoked" }],
    ["at a bank that is down", { error: "INSTITUTION_DOWN" }, { status: "authorized", expiresAt: null }],
  ])("reads an item that is %s", async (_case, state, expected) => {
    const item = Object.assign(linkedItem(plaid.fake), state);
    expect(await plaid.bank.standing(accessTo(item))).toEqual(expected);
  });

  it.each([
    ["ITEM_NOT_FOUND", "revoked"],
    ["INVALID_ACCESS_TOKEN", "revoked"],
    ["USER_PERMISSION_REVOKED", "revoked"],
    ["ITEM_LOGIN_REQUIRED", "reauthorization_required"],
  ])("maps %s to %s", async (code, status) => {
    plaid.fake.fail("/item/get", { code });
    expect(await plaid.bank.standing(accessTo(linkedItem(plaid.fake)))).toEqual({ status });
  });

  it("throws if Plaid does not respond", async () => {
    plaid.fake.fail("/item/get", "cut");
    await expect(plaid.bank.standing(accessTo(linkedItem(plaid.fake)))).rejects.toMatchObject({
      kind: "outage",
    });
  });

  it("throws outage for a token of the other environment, which is not revoked", async () => {
    const access = { ...accessTo(linkedItem(plaid.fake)), token: "access-production-1" };
    await expect(plaid.bank.standing(access)).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws reauthorization_required for an erased token", async () => {
    const access = { ...accessTo(linkedItem(plaid.fake)), token: null };
    expect(await plaid.bank.standing(access).catch((error: unknown) => error)).toMatchObject({
      kind: "reauthorization_required",
    });
  });
});

describe("plaidBank.revoke", () => {
  it("removes the item, also if it is already gone", async () => {
    const item = linkedItem(plaid.fake);
    await plaid.bank.revoke(accessTo(item));
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
    await expect(plaid.bank.revoke(accessTo(item))).resolves.toBeUndefined();
    expect(await plaid.bank.standing(accessTo(item))).toEqual({ status: "revoked" });
  });

  it("throws if the removal fails", async () => {
    const item = linkedItem(plaid.fake);
    plaid.fake.fail("/item/remove", { code: "INTERNAL_SERVER_ERROR" });
    await expect(plaid.bank.revoke(accessTo(item))).rejects.toMatchObject({ kind: "outage" });
    expect(plaid.fake.items.has(item.accessToken)).toBe(true);
  });
});
