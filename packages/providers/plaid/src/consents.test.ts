import type { BankErrorKind } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { Products } from "plaid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessTo, linkRequest, linkedItem, startPlaidBank, webhookUrl } from "./fake/bank.ts";
import type { PlaidFault } from "./fake/index.ts";
import { webhookFor } from "./links.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
beforeAll(async () => (plaid = await startPlaidBank(testClock())));
afterAll(async () => plaid.fake.close());

const reference = (consentId: string, institutionId = "ins_1") => ({
  organizationId: "org_1",
  institutionId,
  consentId,
});

/** Exchanges and opens a consent, as banking does. */
async function open(consentId: string, institutionId?: string) {
  const named = reference(consentId, institutionId);
  const { token, ...exchanged } = await plaid.bank.exchangeConsent!(named);
  return plaid.bank.openConsent({ ...named, ...exchanged }, token);
}

const grant = (organizationId = "org_1") => plaid.fake.grant("ins_1", webhookFor(webhookUrl, organizationId));

describe("plaidBank.openConsent", () => {
  it("exchanges a public token for the item", async () => {
    const { publicToken, item } = grant();
    expect(await open(publicToken)).toEqual({
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
    item.consentedProducts = [Products.Transactions];
    expect(await open(publicToken)).toMatchObject({
      expiresAt: new Date("2026-06-01T12:00:00Z"),
      scopes: ["accounts", "balances", "transactions"],
    });
  });

  it("accepts the token of a finished hosted link", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    const item = plaid.fake.finishLink(state, "ins_1");
    expect(await open(state)).toMatchObject({ consentId: item.itemId });
  });

  it("throws consent_not_found for another team's consent", async () => {
    await expectRefusal(grant("org_2").publicToken, "consent_not_found");
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
    await expect(open(publicToken, "ins_2")).rejects.toMatchObject({
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
    await open(publicToken);
    await expectRefusal(publicToken, "consent_not_found");
  });

  it("throws institution_not_found for an unknown institution", async () => {
    await expect(open(grant().publicToken, "ins_9")).rejects.toMatchObject({ kind: "institution_not_found" });
  });

  it.each(["INVALID_INSTITUTION", "INSTITUTION_NO_LONGER_SUPPORTED"])(
    "opens an item whose institution Plaid refuses to name with %s, by the name that the item has",
    async (code) => {
      const { publicToken, item } = grant();
      item.institutionName = "Thames Bank";
      plaid.fake.fail("/institutions/get_by_id", { code });
      const institution = { id: "ins_1", name: "Thames Bank", country: "ZZ", logoUrl: null };
      expect(await open(publicToken)).toMatchObject({ consentId: item.itemId, institution });
    },
  );

  it.each<[string, PlaidFault]>([
    ["a broken connection", "cut"],
    ["an outage", { code: "INTERNAL_SERVER_ERROR" }],
    ["a rate limit", { code: "RATE_LIMIT" }],
  ])("keeps the exchanged item after %s, so a retry opens it", async (_case, fault) => {
    const { publicToken, item } = grant();
    const { consentId, token } = await plaid.bank.exchangeConsent!(reference(publicToken));
    const retry = () => plaid.bank.openConsent(reference(consentId), token);
    plaid.fake.fail("/item/get", fault);
    await expect(retry()).rejects.toMatchObject({ name: "BankError" });
    expect(await retry()).toMatchObject({ consentId: item.itemId, token: item.accessToken });
  });

  it("throws consent_not_found without the token of an exchange", async () => {
    const { itemId } = linkedItem(plaid.fake);
    await expect(plaid.bank.openConsent(reference(itemId))).rejects.toMatchObject({
      kind: "consent_not_found",
    });
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
    await expect(open(consentId)).rejects.toMatchObject({
      name: "BankError",
      kind,
    });
  }
});

describe("plaidBank.consentStatus", () => {
  const authorized = { status: "authorized", expiresAt: null, bankReadAt: null };

  it.each([
    ["healthy", {}, authorized],
    [
      "about to expire",
      { expires: "2026-03-02T09:00:01Z" },
      { ...authorized, expiresAt: new Date("2026-03-02T09:00:01Z") },
    ],
    ["expired", { expires: "2026-03-02T09:00:00Z" }, { status: "reauthorization_required" }],
    ["in need of a sign-in", { error: "ITEM_LOGIN_REQUIRED" }, { status: "reauthorization_required" }],
    ["deleted", { error: "ITEM_NOT_FOUND" }, { status: "revoked" }],
    [
      "revoked by the person, who can restore it",
      { error: "USER_PERMISSION_REVOKED" },
      { status: "reauthorization_required" },
    ],
    ["soon to be disconnected", { error: "PENDING_DISCONNECT" }, authorized],
    ["soon to expire", { error: "PENDING_EXPIRATION" }, authorized],
    ["at a bank that is down", { error: "INSTITUTION_DOWN" }, authorized],
    [
      "of a bank that Plaid read 20 hours ago",
      { bankReadAt: "2026-03-01T13:00:00Z" },
      { ...authorized, bankReadAt: new Date("2026-03-01T13:00:00Z") },
    ],
  ])("reads an item that is %s", async (_case, state, expected) => {
    const item = Object.assign(linkedItem(plaid.fake), state);
    expect(await plaid.bank.consentStatus(accessTo(item))).toEqual(expected);
  });

  it.each([
    ["ITEM_NOT_FOUND", "revoked"],
    ["ITEM_CONCURRENTLY_DELETED", "revoked"],
    // Also what Plaid answers to the credentials of another account.
    ["INVALID_ACCESS_TOKEN", "reauthorization_required"],
    ["USER_PERMISSION_REVOKED", "reauthorization_required"],
    ["ITEM_LOGIN_REQUIRED", "reauthorization_required"],
  ])("maps %s to %s", async (code, status) => {
    plaid.fake.fail("/item/get", { code });
    expect(await plaid.bank.consentStatus(accessTo(linkedItem(plaid.fake)))).toEqual({ status });
  });

  describe("of an item whose link was made at an earlier address of the service", () => {
    const moved = () => {
      const item = linkedItem(plaid.fake);
      const webhook = webhookFor("https://old.example/api/webhooks/banking/plaid", "org_1");
      return Object.assign(item, { webhook });
    };
    const updates = () =>
      plaid.fake.requests.filter(({ path }) => path === "/item/webhook/update").map(({ body }) => body);

    it("has Plaid send its webhooks to the present one, once", async () => {
      const item = moved();
      const before = updates().length;
      for (const _read of [1, 2])
        expect(await plaid.bank.consentStatus(accessTo(item))).toMatchObject(authorized);
      expect(updates().slice(before)).toEqual([
        { access_token: item.accessToken, webhook: webhookFor(webhookUrl, "org_1") },
      ]);
    });

    it("is read also if Plaid refuses that, and tries again", async () => {
      const item = moved();
      plaid.fake.fail("/item/webhook/update", { code: "INTERNAL_SERVER_ERROR" });
      expect(await plaid.bank.consentStatus(accessTo(item))).toMatchObject(authorized);
      await plaid.bank.consentStatus(accessTo(item));
      expect(item.webhook).toBe(webhookFor(webhookUrl, "org_1"));
    });

    it("leaves the address of an item of another team", async () => {
      const item = Object.assign(moved(), { webhook: webhookFor(webhookUrl, "org_2") });
      const before = updates().length;
      await plaid.bank.consentStatus(accessTo(item));
      expect(updates()).toHaveLength(before);
    });
  });

  it("throws if Plaid does not respond", async () => {
    plaid.fake.fail("/item/get", "cut");
    await expect(plaid.bank.consentStatus(accessTo(linkedItem(plaid.fake)))).rejects.toMatchObject({
      kind: "outage",
    });
  });

  it("throws outage for a token of the other environment, which is not revoked", async () => {
    const access = { ...accessTo(linkedItem(plaid.fake)), token: "access-production-1" };
    await expect(plaid.bank.consentStatus(access)).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws reauthorization_required for an erased token", async () => {
    const access = { ...accessTo(linkedItem(plaid.fake)), token: null };
    expect(await plaid.bank.consentStatus(access).catch((error: unknown) => error)).toMatchObject({
      kind: "reauthorization_required",
    });
  });
});

describe("plaidBank.revoke", () => {
  it("removes the item", async () => {
    const item = linkedItem(plaid.fake);
    await plaid.bank.revoke(accessTo(item));
    expect(plaid.fake.items.has(item.accessToken)).toBe(false);
  });

  it.each(["ITEM_NOT_FOUND", "ITEM_CONCURRENTLY_DELETED", "USER_PERMISSION_REVOKED"])(
    "has nothing to remove after %s",
    async (code) => {
      plaid.fake.fail("/item/remove", { code });
      await expect(plaid.bank.revoke(accessTo(linkedItem(plaid.fake)))).resolves.toBeUndefined();
    },
  );

  it("throws consent_not_found for INVALID_ACCESS_TOKEN, which may be due to other credentials", async () => {
    plaid.fake.fail("/item/remove", { code: "INVALID_ACCESS_TOKEN" });
    await expect(plaid.bank.revoke(accessTo(linkedItem(plaid.fake)))).rejects.toMatchObject({
      kind: "consent_not_found",
    });
  });

  it("throws if the removal fails", async () => {
    const item = linkedItem(plaid.fake);
    plaid.fake.fail("/item/remove", { code: "INTERNAL_SERVER_ERROR" });
    await expect(plaid.bank.revoke(accessTo(item))).rejects.toMatchObject({ kind: "outage" });
    expect(plaid.fake.items.has(item.accessToken)).toBe(true);
  });
});
