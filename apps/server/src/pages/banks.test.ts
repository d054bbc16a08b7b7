// @module-tag slow
import { newId, systemClock } from "@purser/core";
import { forgetSession } from "@purser/testing/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPages, fill, readability, startTestPages } from "../testing/pages.ts";
import { type TestService, createTestService } from "../testing/service.ts";

const hostile = `<img src=x onerror="window.broken=1"> & Söhne`;
let pages: TestPages;
let service: TestService;
let base: string;
let home: string;
let teamId: string;

beforeAll(async () => {
  pages = await startTestPages({ requireVerifiedEmail: false });
  ({ service, base, home } = pages);
  service.purser.clock.set(systemClock.now());
  const owner = await service.purser.person();
  ({ id: teamId } = await service.purser.as(owner).organizations.create({ name: hostile }));
});
afterAll(() => pages?.close());

/** Creates a link to the consent page of the sandbox bank that returns to the front end. */
async function createLink(renewsConsentOf: string | null = null): Promise<string> {
  const bank = await service.purser.platform.banks.at("sandbox");
  const reference = { organizationId: teamId, institutionId: "sandbox-bank" };
  const { url } = await bank.createLink({
    ...reference,
    linkId: newId("lnk", service.purser.clock.now()),
    userId: "user_1",
    returnUrl: `${home}/back`,
    continuesConnection: renewsConsentOf !== null,
    renews: renewsConsentOf === null ? null : { ...reference, consentId: renewsConsentOf, token: null },
  });
  return url;
}

describe("the consent page of the sandbox bank", () => {
  it("grants the chosen consent by keyboard alone and without a script", async () => {
    const { page, violations } = await pages.open(await createLink(), { javaScriptEnabled: false });
    await page.getByRole("heading", { name: `Share your accounts with ${hostile}?` }).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // Tab past the skip link, into the name.
    await press("Tab", "Tab", "ControlOrMeta+A");
    await page.keyboard.type("grace");
    // Keep the first account and deselect the second. Tab past the other three and the transactions to the days.
    await press("Tab", "Tab", "Space", "Tab", "Tab", "Tab", "Tab", "Tab", "ArrowUp", "Tab", "Enter");
    const consentId = (await pages.returned(page)).searchParams.get("consent")!;
    const bank = await service.purser.platform.banks.at("sandbox");
    const reference = { organizationId: teamId, institutionId: "sandbox-bank", consentId };
    const { token, expiresAt, scopes } = await bank.openConsent(reference);
    expect(scopes).toEqual(["accounts", "balances", "transactions"]);
    expect(expiresAt!.getTime() - service.purser.clock.now().getTime()).toBe(30 * 86_400_000);
    const accounts = await bank.accounts({ ...reference, token });
    expect(accounts.map(({ name }) => name)).toEqual([
      "Current Account",
      "Rewards Credit Card",
      "Stocks & Shares ISA",
      "Euro Account",
    ]);
    expect(violations).toEqual([]);

    await page.goBack();
    await page.reload();
    await page.getByRole("heading", { name: "This page is closed" }).waitFor();
    await page.goto(await createLink(consentId));
    await page.getByText("You are signed in as grace.").waitFor();
    await page.context().close();
  });

  it("can refuse consent, even with an empty form", async () => {
    const { page, violations } = await pages.open(await createLink());
    await page.getByLabel("Customer name").fill("");
    await page.getByRole("button", { name: "Refuse" }).press("Enter");
    expect((await pages.returned(page)).searchParams.get("error")).toBe("access_denied");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("names each mistake, keeps the input, and escapes it", async () => {
    const { page, violations } = await pages.open(await createLink());
    await page.getByLabel("Customer name").fill(hostile);
    await page.getByRole("radio", { name: "180 days" }).check();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("Enter a customer name").waitFor();
    expect(await page.getByLabel("Customer name").inputValue()).toBe(hostile);
    expect(await page.getByRole("radio", { name: "180 days" }).isChecked()).toBe(true);
    await page.getByLabel("Customer name").fill("grace");
    for (const box of await page.locator("[name=account]").all()) await box.uncheck();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("Choose at least one account").waitFor();
    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 320, height: 700 } },
  ] as const)("is readable in $colorScheme at $viewport.width pixels", async (looks) => {
    const { page } = await pages.open(await createLink(), looks);
    const { contrast, isTooWide } = await readability(page);
    expect(contrast).toBeGreaterThan(4.5);
    expect(isTooWide).toBe(false);
    await page.context().close();
  });

  it("rejects an unknown link, and limits form targets to allowed origins", async () => {
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? { body: "decision=refuse" } : {};
      const response = await fetch(`${base}/sandbox/bank/lnk_unknown`, { method, ...body });
      const markup = await response.text();
      expect([response.status, markup]).toEqual([404, expect.stringContaining("This page is closed")]);
      expect(markup).toContain(`<a href="/">Go back to Purser</a>`);
    }
    const response = await fetch(await createLink());
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(`form-action 'self' ${base} ${home};`);
    expect(policy).toContain("script-src 'self'");
  });

  it("returns 404 if the sandbox is disabled", async () => {
    const without = await createTestService({ settings: { sandbox: false } });
    const response = await without.app.request("/sandbox/bank/lnk_unknown");
    expect([response.status, await response.json()]).toMatchObject([404, { code: "NOT_FOUND" }]);
    await without.close();
  });
});

describe("the page that users return to from their bank", () => {
  const address = (query: Record<string, string>) =>
    `${base}/banking/linked?${String(new URLSearchParams(query))}`;
  const consent = { provider: "sandbox", providerId: "sandbox-bank" };
  const onward = (page: Page) => page.getByRole("link", { name: "Go to your organizations" });

  it("requires a sign-in first, then connects the accounts and shows them", async () => {
    const { page, violations } = await pages.open(`${base}/sign-up`);
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.keyboard.press("Enter");
    await page.getByText("You are signed in as").waitFor();
    const team = await page.evaluate<{ id: string }>(
      `fetch("/api/organizations", { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"Ada"}' }).then((response) => response.json())`,
    );
    const link = await page.evaluate<{ url: string }>(
      `fetch("/api/banking/link", { method: "POST", headers: { "content-type": "application/json" },
        body: JSON.stringify({ teamId: "${team.id}", providerId: "sandbox-bank" }) }).then((response) => response.json())`,
    );
    await forgetSession(page);

    // The whole path: the bank's page, our callback, and this page.
    await page.goto(link.url);
    await page.getByRole("button", { name: "Approve" }).press("Enter");
    await page.getByText("Sign in to connect your accounts.").waitFor();
    expect(page.url()).toContain(`${base}/banking/linked?teamId=${team.id}&provider=sandbox`);
    await page.getByRole("link", { name: "Sign in" }).press("Enter");
    await fill(page, { "E-mail address": "ada@example.com", Password: "correct horse battery" });
    await page.getByRole("button", { name: "Connect the accounts" }).press("Enter");
    await page.getByRole("heading", { name: "Connected" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(5);
    expect(await page.locator("tr", { hasText: "Euro Account" }).textContent()).toMatch(/€\d/);

    await page.goto(address({ ...consent, teamId: team.id, consentId: "fail-expired" }));
    await page.getByRole("button", { name: "Connect the accounts" }).press("Enter");
    await page.locator("[role=alert].bad").waitFor();
    await onward(page).waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("reports a refused, a pending and a failed consent, an incomplete link and an ended one, and links on", async () => {
    const { page } = await pages.open(address({ error: "access_denied" }));
    await page.getByText("You did not give your consent.").waitFor();
    await onward(page).waitFor();
    await page.goto(address({ error: "authorization_pending" }));
    await page.getByText("another owner of the account may have to agree").waitFor();
    await page.goto(address({ error: "server_error" }));
    await page.getByText("Your bank reported an error.").waitFor();
    await page.goto(address({ ...consent, teamId }));
    await page.getByText("The link is incomplete.").waitFor();
    await onward(page).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await page.goto(`${base}/banking/links/${service.purser.unknownId("lnk")}/return`);
    await page.getByRole("heading", { name: "This link has expired" }).waitFor();
    await onward(page).waitFor();
    await page.context().close();
  });
});
