import type { LinkRequest } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessTo, linkRequest, linkedItem, startPlaidBank, webhookUrl } from "./fake/bank.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
beforeAll(async () => (plaid = await startPlaidBank(testClock())));
afterAll(async () => plaid.fake.close());

const complete = (request: LinkRequest, state: string) =>
  plaid.bank.completeLink(request, state, new URLSearchParams());

describe("plaidBank.createLink", () => {
  it("creates a hosted link with the team in its webhook URL", async () => {
    const link = await plaid
      .bankWith({ countryCodes: ["FR", "US"], clientName: "Acme", language: "fr", daysRequested: 90 })
      .createLink(linkRequest());
    expect(link).toEqual({
      url: `https://secure.plaid.com/hl/${link.state}`,
      expiresAt: new Date("2026-03-02T09:30:00Z"),
      state: expect.stringMatching(/^link-sandbox-/) as string,
    });
    expect(plaid.fake.requests.at(-1)?.body).toEqual({
      client_name: "Acme",
      language: "fr",
      country_codes: ["FR", "US"],
      user: { client_user_id: "org_1" },
      hosted_link: { completion_redirect_uri: "https://purser.example/linked" },
      institution_id: "ins_1",
      products: ["transactions"],
      required_if_supported_products: ["auth"],
      transactions: { days_requested: 90 },
      webhook: `${webhookUrl}?organizationId=org_1`,
    });
  });

  it("renews an item by its token, without products", async () => {
    const item = linkedItem(plaid.fake);
    const { state } = await plaid.bank.createLink(linkRequest({ renews: accessTo(item) }));
    const body = plaid.fake.requests.at(-1)?.body;
    expect(body).toMatchObject({ access_token: item.accessToken, user: { client_user_id: "org_1" } });
    expect(Object.keys(body ?? {})).not.toContain("products");
    expect(plaid.fake.links.get(state)?.renews).toBe(item);
  });

  it("lets the person add accounts when renewing in the United States and Canada, where Plaid offers it", async () => {
    const { bankWith, fake } = plaid;
    const bank = bankWith({ countryCodes: ["GB", "US"] });
    const renewal = async (institutionId: string) => {
      const renews = { ...accessTo(linkedItem(fake)), institutionId };
      await bank.createLink(linkRequest({ institutionId, renews }));
      return fake.requests.at(-1)?.body;
    };
    expect(await renewal("ins_3")).toMatchObject({ update: { account_selection_enabled: true } });
    expect(await renewal("ins_1")).not.toHaveProperty("update");
  });

  it.each(["INVALID_INSTITUTION", "INSTITUTION_NO_LONGER_SUPPORTED"])(
    "renews an item whose institution Plaid refuses to name with %s",
    async (code) => {
      const item = linkedItem(plaid.fake);
      plaid.fake.fail("/institutions/get_by_id", { code });
      const { state } = await plaid.bank.createLink(linkRequest({ renews: accessTo(item) }));
      expect(plaid.fake.requests.at(-1)?.body).not.toHaveProperty("update");
      expect(plaid.fake.links.get(state)?.renews).toBe(item);
    },
  );

  it.each(["INVALID_INSTITUTION", "INSTITUTION_NO_LONGER_SUPPORTED"])(
    "lets the person choose the bank of an ended consent if Plaid refuses to name it with %s",
    async (code) => {
      const request = linkRequest({ continuesConnection: true });
      plaid.fake.fail("/link/token/create", { code });
      const { state } = await plaid.bank.createLink(request);
      expect(plaid.fake.requests.at(-1)?.body).toMatchObject({ products: ["transactions"] });
      expect(plaid.fake.requests.at(-1)?.body).not.toHaveProperty("institution_id");
      plaid.fake.finishLink(state, "ins_2");
      expect(await complete(request, state)).toMatchObject({ institutionId: "ins_2" });
    },
  );

  it.each([
    ["INVALID_INSTITUTION", false, "institution_not_found"],
    ["INSTITUTION_NO_LONGER_SUPPORTED", false, "not_supported"],
    ["UNAUTHORIZED_INSTITUTION", true, "not_supported"],
    ["PRODUCTS_NOT_SUPPORTED", true, "not_supported"],
    ["PRODUCT_NOT_ENABLED", true, "not_supported"],
  ])("throws for %s, and creates no link (of a connection: %s)", async (code, continuesConnection, kind) => {
    const before = plaid.fake.links.size;
    plaid.fake.fail("/link/token/create", { code });
    const link = plaid.bank.createLink(linkRequest({ continuesConnection }));
    await expect(link).rejects.toMatchObject({ kind });
    expect(plaid.fake.links.size).toBe(before);
  });

  it("throws if the institution cannot be read for another reason, and creates no link", async () => {
    const before = plaid.fake.links.size;
    plaid.fake.fail("/institutions/get_by_id", { code: "INTERNAL_SERVER_ERROR" });
    const renewal = plaid.bank.createLink(linkRequest({ renews: accessTo(linkedItem(plaid.fake)) }));
    await expect(renewal).rejects.toMatchObject({ kind: "outage" });
    expect(plaid.fake.links.size).toBe(before);
  });

  it.each(["INVALID_ACCESS_TOKEN", "ITEM_NOT_FOUND", "USER_PERMISSION_REVOKED"])(
    "adds a new item for the same bank if Plaid refuses to renew one with %s",
    async (code) => {
      const renews = accessTo(linkedItem(plaid.fake));
      plaid.fake.fail("/link/token/create", { code });
      const { state } = await plaid.bank.createLink(linkRequest({ renews }));
      expect(plaid.fake.requests.at(-1)?.body).toMatchObject({
        institution_id: "ins_1",
        products: ["transactions"],
        webhook: `${webhookUrl}?organizationId=org_1`,
      });
      plaid.fake.finishLink(state, "ins_1");
      const { consentId } = await complete(linkRequest({ renews }), state);
      expect(consentId).toMatch(/^public-/);
    },
  );

  it("adds a new item if the token of the one to renew is lost", async () => {
    const renews = { ...accessTo(linkedItem(plaid.fake)), token: null };
    const { state } = await plaid.bank.createLink(linkRequest({ renews }));
    expect(plaid.fake.links.get(state)?.renews).toBeNull();
  });

  it("throws if the renewal fails temporarily, and adds no new item", async () => {
    const renews = accessTo(linkedItem(plaid.fake));
    const before = plaid.fake.links.size;
    plaid.fake.fail("/link/token/create", { code: "INTERNAL_SERVER_ERROR" });
    await expect(plaid.bank.createLink(linkRequest({ renews }))).rejects.toMatchObject({ kind: "outage" });
    expect(plaid.fake.links.size).toBe(before);
  });

  it("throws not_supported if Plaid returns no page", async () => {
    const text = JSON.stringify({ link_token: "link-1", expiration: "2026-03-02T09:30:00Z" });
    plaid.fake.fail("/link/token/create", { status: 200, text });
    await expect(plaid.bank.createLink(linkRequest())).rejects.toMatchObject({ kind: "not_supported" });
  });
});

describe("plaidBank.completeLink", () => {
  it("returns a public token that opens the consent", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    const item = plaid.fake.finishLink(state, "ins_1");
    const { consentId, institutionId } = await complete(linkRequest(), state);
    expect([consentId, institutionId]).toEqual([expect.stringMatching(/^public-/), "ins_1"]);
    const { organizationId } = linkRequest();
    const exchanged = await plaid.bank.exchangeConsent!({ organizationId, institutionId, consentId });
    expect(exchanged).toEqual({ consentId: item.itemId, token: item.accessToken });
  });

  it("throws consent_not_found before the end of the link and after the person left", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    await expect(complete(linkRequest(), state)).rejects.toMatchObject({ kind: "consent_not_found" });
    plaid.fake.leaveLink(state);
    await expect(complete(linkRequest(), state)).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("finds a finished session after an abandoned one", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    plaid.fake.leaveLink(state);
    plaid.fake.finishLink(state, "ins_1");
    expect((await complete(linkRequest(), state)).consentId).toMatch(/^public-/);
  });

  it("returns the bank that the person chose, which can be another than the requested one", async () => {
    const { state } = await plaid.bank.createLink(linkRequest());
    plaid.fake.finishLink(state, "ins_2");
    expect(await complete(linkRequest(), state)).toMatchObject({ institutionId: "ins_2" });
  });

  it("throws consent_not_found for an unknown link", async () => {
    await expect(complete(linkRequest(), "link-sandbox-0")).rejects.toMatchObject({
      kind: "consent_not_found",
    });
  });

  it("returns the same item after a renewal, which clears its error", async () => {
    const item = Object.assign(linkedItem(plaid.fake), { error: "ITEM_LOGIN_REQUIRED" });
    const request = linkRequest({ renews: accessTo(item) });
    const { state } = await plaid.bank.createLink(request);
    plaid.fake.leaveLink(state);
    await expect(complete(request, state)).rejects.toMatchObject({ kind: "consent_not_found" });
    plaid.fake.finishLink(state, "ins_1");
    expect(await complete(request, state)).toEqual({ consentId: item.itemId, institutionId: "ins_1" });
    expect(await plaid.bank.consentStatus(accessTo(item))).toMatchObject({ status: "authorized" });
  });
});
