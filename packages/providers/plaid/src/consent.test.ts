import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import type { BankErrorKind } from "@purser/banking/ports";
import { accessTo, bankBeforeFake, linkRequest, linkedItem, webhookUrl } from "./fake/bank.ts";
import type { Fault } from "./fake/index.ts";
import { webhookFor } from "./link.ts";

let plaid: Awaited<ReturnType<typeof bankBeforeFake>>;
beforeAll(async () => (plaid = await bankBeforeFake(testClock())));
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

  it("tells when the consent ends, and what was consented to", async () => {
    const { publicToken, item } = grant();
    item.expires = "2026-06-01T12:00:00Z";
    item.consentedProducts = ["transactions"];
    expect(await plaid.bank.openConsent(reference(publicToken))).toMatchObject({
      expiresAt: new Date("2026-06-01T12:00:00Z"),
      scopes: ["accounts", "balances", "transactions"],
    });
  });

  it("takes the token of a hosted link that was finished", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    const item = plaid.fake.finishLink(state, "ins_1");
    expect(await plaid.bank.openConsent(reference(state))).toMatchObject({ consentId: item.itemId });
  });

  it("does not find another team's consent, and leaves nothing of it at Plaid", async () => {
    const { publicToken, item } = grant("org_2");
    await expectRefusal(publicToken, "consent_not_found");
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
  });

  it("does not find another team's link, whose token it leaves to them", async () => {
    const { state } = await plaid.bank.createLink(linkRequest({ organizationId: "org_2" }));
    plaid.fake.finishLink(state, "ins_1");
    const left = plaid.fake.publicTokens.size;
    await expectRefusal(state, "consent_not_found");
    expect(plaid.fake.publicTokens.size).toBe(left);
  });

  it.each([
    ["no webhooks", null],
    ["webhooks of somebody else", "https://elsewhere.example/plaid"],
    ["webhooks at no address", "org_1"],
  ])("does not find an item with %s: it was not linked here", async (_whose, webhook) => {
    await expectRefusal(plaid.fake.grant("ins_1", webhook).publicToken, "consent_not_found");
  });

  it("does not find a consent of another institution", async () => {
    const { publicToken } = grant();
    await expect(plaid.bank.openConsent(reference(publicToken, "ins_2"))).rejects.toMatchObject({
      kind: "consent_not_found",
    });
  });

  it.each<[string, string, BankErrorKind]>([
    ["a public token that Plaid does not know", "public-sandbox-0000", "consent_not_found"],
    ["a link that Plaid does not know", "link-sandbox-0000", "consent_not_found"],
    ["what is no token", "nonsense", "consent_not_found"],
    ["what cannot be one", "public-sandbox-1; drop", "invalid_consent_id"],
    ["nothing", "", "invalid_consent_id"],
  ])("refuses %s", async (_what, consentId, kind) => {
    await expectRefusal(consentId, kind);
  });

  it("does not take an item's id, which is no secret", async () => {
    await expectRefusal(linkedItem(plaid.fake).itemId, "consent_not_found");
  });

  it("takes a public token once", async () => {
    const { publicToken } = grant();
    await plaid.bank.openConsent(reference(publicToken));
    await expectRefusal(publicToken, "consent_not_found");
  });

  it("keeps the token where the institution is unknown or Plaid is down", async () => {
    const { publicToken } = grant();
    await expect(plaid.bank.openConsent(reference(publicToken, "ins_9"))).rejects.toMatchObject({
      kind: "institution_not_found",
    });
    plaid.fake.fail("/institutions/get_by_id", "cut");
    await expectRefusal(publicToken, "outage");
    expect(await plaid.bank.openConsent(reference(publicToken))).toMatchObject({ isLimit: true });
  });

  it.each<[string, Fault[]]>([
    ["a break and an outage", ["cut", { code: "INTERNAL_SERVER_ERROR" }]],
    ["two limits", [{ code: "RATE_LIMIT" }, { code: "RATE_LIMIT" }]],
  ])("bears %s after the exchange, which cannot be made again", async (_what, faults) => {
    const { publicToken, item } = grant();
    plaid.fake.fail("/item/get", ...faults);
    const before = callsOf("/item/public_token/exchange");
    expect(await plaid.bank.openConsent(reference(publicToken))).toMatchObject({ token: item.accessToken });
    expect(callsOf("/item/public_token/exchange")).toBe(before + 1);
  });

  it("gives up after three times, and leaves no item behind that nobody can use", async () => {
    const { publicToken, item } = grant();
    plaid.fake.fail("/item/get", "cut", "cut", "cut");
    await expectRefusal(publicToken, "outage");
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
  });

  it("says why it refuses also where the item cannot be removed", async () => {
    plaid.fake.fail("/item/remove", "cut");
    await expectRefusal(grant("org_2").publicToken, "consent_not_found");
  });

  it.each([
    ["an error", { error: "ITEM_LOGIN_REQUIRED" }],
    ["an end that is past", { expires: "2026-03-02T09:00:00Z" }],
  ])("asks to link anew where the item has %s", async (_what, state) => {
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
      "about to end",
      { expires: "2026-03-02T09:00:01Z" },
      { status: "authorized", expiresAt: new Date("2026-03-02T09:00:01Z") },
    ],
    ["past its end", { expires: "2026-03-02T09:00:00Z" }, { status: "reauthorization_required" }],
    ["in need of a sign-in", { error: "ITEM_LOGIN_REQUIRED" }, { status: "reauthorization_required" }],
    ["revoked at the bank", { error: "USER_PERMISSION_REVOKED" }, { status: "revoked" }],
    ["at a bank that is down", { error: "INSTITUTION_DOWN" }, { status: "authorized", expiresAt: null }],
  ])("sees an item that is %s", async (_what, state, expected) => {
    const item = Object.assign(linkedItem(plaid.fake), state);
    expect(await plaid.bank.standing(accessTo(item))).toEqual(expected);
  });

  it.each([
    ["ITEM_NOT_FOUND", "revoked"],
    ["INVALID_ACCESS_TOKEN", "revoked"],
    ["USER_PERMISSION_REVOKED", "revoked"],
    ["ITEM_LOGIN_REQUIRED", "reauthorization_required"],
  ])("takes the answer %s for %s", async (code, status) => {
    plaid.fake.fail("/item/get", { code });
    expect(await plaid.bank.standing(accessTo(linkedItem(plaid.fake)))).toEqual({ status });
  });

  it("tells nothing where Plaid does not", async () => {
    plaid.fake.fail("/item/get", "cut");
    await expect(plaid.bank.standing(accessTo(linkedItem(plaid.fake)))).rejects.toMatchObject({
      kind: "outage",
    });
  });

  it("does not take the other environment's tokens for revoked", async () => {
    const access = { ...accessTo(linkedItem(plaid.fake)), token: "access-production-1" };
    await expect(plaid.bank.standing(access)).rejects.toMatchObject({ kind: "outage" });
  });

  it("asks for a new consent where the token was erased", async () => {
    const access = { ...accessTo(linkedItem(plaid.fake)), token: null };
    expect(await plaid.bank.standing(access).catch((error: unknown) => error)).toMatchObject({
      kind: "reauthorization_required",
    });
  });
});

describe("plaidBank.revoke", () => {
  it("removes the item, and does not mind that it is gone", async () => {
    const item = linkedItem(plaid.fake);
    await plaid.bank.revoke(accessTo(item));
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
    await expect(plaid.bank.revoke(accessTo(item))).resolves.toBeUndefined();
    expect(await plaid.bank.standing(accessTo(item))).toEqual({ status: "revoked" });
  });

  it("does not pass over a failure", async () => {
    const item = linkedItem(plaid.fake);
    plaid.fake.fail("/item/remove", { code: "INTERNAL_SERVER_ERROR" });
    await expect(plaid.bank.revoke(accessTo(item))).rejects.toMatchObject({ kind: "outage" });
    expect(plaid.fake.items.has(item.accessToken)).toBe(true);
  });
});
