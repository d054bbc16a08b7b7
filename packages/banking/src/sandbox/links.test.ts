import { newId } from "@purser/core";
import { day, minute } from "@purser/core/testing";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Access, BankError, BankProvider, HostedLink, LinkRequest } from "../ports.ts";
import { sandboxBank } from "./bank.ts";
import { approveLink, openConsentPage, refuseLink } from "./links.ts";

let purser: TestPurser;
let bank: BankProvider;
let organizationId: string;
let otherId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  bank = sandboxBank(purser.platform);
  const owner = await purser.person();
  organizationId = await purser.organization(owner);
  otherId = await purser.organization(owner);
});
afterAll(() => purser.close());

const choice = { customerName: "Ada", accounts: [0, 2], transactions: true, days: 30 };

const request = (renews: Access | null = null): LinkRequest => ({
  linkId: newId("lnk", purser.clock.now()),
  organizationId,
  userId: "user_1",
  institutionId: "sandbox-bank",
  returnUrl: "https://app.example.com/back?a=1",
  continuesConnection: renews !== null,
  renews,
});

async function createLink(renews?: Access): Promise<LinkRequest & { link: HostedLink }> {
  const linkRequest = request(renews);
  return { ...linkRequest, link: await bank.createLink(linkRequest) };
}

/** Gives a consent on the page, and completes the link with it. */
async function give(linkRequest: LinkRequest, chosen = choice): Promise<Access> {
  const target = new URL((await approveLink(purser.platform, linkRequest.linkId, chosen))!);
  const { consentId } = await bank.completeLink(linkRequest, linkRequest.linkId, target.searchParams);
  const reference = { organizationId, institutionId: "sandbox-bank", consentId };
  const { token } = await bank.openConsent(reference);
  return { ...reference, token };
}

const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: BankError) => error.kind,
  );

describe("a hosted link", () => {
  it("opens a page for half an hour, and returns the consent that the person gives there", async () => {
    const { link, ...linkRequest } = await createLink();
    expect(link).toMatchObject({
      url: `http://localhost:3000/sandbox/bank/${linkRequest.linkId}`,
      expiresAt: new Date(purser.clock.now().getTime() + 30 * minute),
    });
    const page = await openConsentPage(purser.platform, linkRequest.linkId);
    expect(page).toMatchObject({ team: "Acme", customerName: null, institution: { name: "Sandbox Bank" } });
    expect(page!.accounts).toHaveLength(5);
    const target = await approveLink(purser.platform, linkRequest.linkId, choice);
    expect(target).toMatch(/^https:\/\/app\.example\.com\/back\?a=1&consent=consent-[0-9a-f]{64}$/);
  });

  it("grants exactly the chosen scopes and accounts, as the limit", async () => {
    const { link: _, ...linkRequest } = await createLink();
    const access = await give(linkRequest);
    expect(await bank.openConsent(access)).toMatchObject({
      scopes: ["accounts", "balances", "transactions"],
      expiresAt: new Date(purser.clock.now().getTime() + 30 * day),
      isLimit: true,
    });
    const accounts = await bank.accounts(access);
    expect(accounts.map(({ name }) => name)).toEqual(["Current Account", "Rewards Credit Card"]);
    if (bank.feed.kind !== "cursor") throw new Error("It has no cursor");
    const { added } = await bank.feed.changes(access, null, new AbortController().signal);
    const shown = new Set(accounts.map(({ externalId }) => externalId));
    expect(added.length).toBeGreaterThan(100);
    expect(added.every(({ accountId }) => shown.has(accountId))).toBe(true);
  });

  it("returns no transactions if only accounts were allowed", async () => {
    const { link: _, ...linkRequest } = await createLink();
    const access = await give(linkRequest, { ...choice, transactions: false });
    expect((await bank.openConsent(access)).scopes).toEqual(["accounts", "balances"]);
    if (bank.feed.kind !== "cursor") throw new Error("It has no cursor");
    const page = await bank.feed.changes(access, null, new AbortController().signal);
    expect(page).toMatchObject({ added: [], hasMore: false });
    expect(await bank.feed.changes(access, page.cursor, new AbortController().signal)).toEqual(page);
  });

  it("accepts one response, and none after it expires", async () => {
    const { linkId } = await createLink();
    const targets = await Promise.all([
      approveLink(purser.platform, linkId, choice),
      approveLink(purser.platform, linkId, choice),
      refuseLink(purser.platform, linkId),
    ]);
    expect(targets.filter((target) => target !== null)).toHaveLength(1);
    expect(await openConsentPage(purser.platform, linkId)).toBeNull();
    const late = await createLink();
    purser.clock.advance(30 * minute);
    expect(await openConsentPage(purser.platform, late.linkId)).toBeNull();
    expect(await approveLink(purser.platform, late.linkId, choice)).toBeNull();
    expect(await openConsentPage(purser.platform, "lnk_unknown")).toBeNull();
    expect(await refuseLink(purser.platform, "lnk_unknown")).toBeNull();
  });

  it("yields no consent after a refusal, or for another consent than its own", async () => {
    const refused = await createLink();
    const target = new URL((await refuseLink(purser.platform, refused.linkId))!);
    expect(target.searchParams.get("error")).toBe("access_denied");
    const complete = (linkRequest: LinkRequest, query: URLSearchParams) =>
      kindOf(bank.completeLink(linkRequest, linkRequest.linkId, query));
    expect(await complete(refused, target.searchParams)).toBe("consent_not_found");
    const { consentId } = await give(await createLink());
    const forged = new URLSearchParams({ consent: consentId });
    expect(await complete(await createLink(), forged)).toBe("consent_not_found");
  });

  it("binds its consent to the team and the institution", async () => {
    const access = await give(await createLink());
    const open = (change: Partial<Access>) => kindOf(bank.openConsent({ ...access, ...change }));
    expect(await open({ organizationId: otherId })).toBe("consent_not_found");
    expect(await open({ institutionId: "harbour-vale" })).toBe("consent_not_found");
    expect(await open({})).toBe("it succeeded");
  });

  it("expires with its duration, and is reopened for the same duration only explicitly", async () => {
    const access = await give(await createLink());
    purser.clock.advance(30 * day);
    expect(await bank.consentStatus(access)).toEqual({ status: "revoked" });
    expect(await kindOf(bank.openConsent(access))).toBe("reauthorization_required");
    expect(await kindOf(bank.accounts(access))).toBe("reauthorization_required");
    const again = await bank.reopen!(access);
    expect(again).toMatchObject({
      isLimit: true,
      expiresAt: new Date(purser.clock.now().getTime() + 30 * day),
    });
    await bank.revoke(access);
    expect(await kindOf(bank.openConsent(access))).toBe("reauthorization_required");
  });

  it("renews for the same customer under a new consent, and leaves the old one in force", async () => {
    const old = await give(await createLink());
    const { link: _, ...linkRequest } = await createLink(old);
    expect(await openConsentPage(purser.platform, linkRequest.linkId)).toMatchObject({ customerName: "Ada" });
    const renewed = await give(linkRequest, { ...choice, customerName: "Another name" });
    expect(renewed.consentId).not.toBe(old.consentId);
    const [before, after] = [await bank.accounts(old), await bank.accounts(renewed)];
    expect(after.map(({ identifiers }) => identifiers)).toEqual(before.map(({ identifiers }) => identifiers));
    expect(after.map(({ externalId }) => externalId)).not.toEqual(before.map(({ externalId }) => externalId));
  });

  it("redirects to http addresses only, and is created for existing institutions only", async () => {
    await expect(bank.createLink({ ...request(), returnUrl: "javascript:alert(1)" })).rejects.toThrow("http");
    expect(await kindOf(bank.createLink({ ...request(), institutionId: "none" }))).toBe(
      "institution_not_found",
    );
  });
});
