// @module-tag slow
import { join } from "node:path";
import { exampleIds } from "@purser/core";
import { totp } from "@purser/identity/testing";
import { createTestDatabase, builtService } from "@purser/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, forgetSession, launchBrowser, openPage } from "@purser/testing/browser";
import { fill, isTooWide, referencePaths } from "../testing/pages.ts";
import {
  type ServiceProcess,
  cheapPasswords,
  startService,
  stopServices,
  temporaryFolder,
  untilMailed,
} from "@purser/testing/process";

const folder = temporaryFolder();
const hostile = `<img src=x onerror="window.broken=1"> "Söhne" & Co`;
const password = "correct horse battery";
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ServiceProcess;
let browser: Browser;
let base: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, "data"),
    LOG_LEVEL: "warn",
    REQUIRE_VERIFIED_EMAIL: "1",
    DATABASE_POOL_SIZE: "30",
  };
  const script = await builtService();
  [service, browser] = await Promise.all([
    startService({ script, env, before: cheapPasswords }),
    launchBrowser(),
  ]);
  base = `http://localhost:${service.port}`;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop("SIGTERM");
  await stopServices();
  await database?.drop();
  folder.remove();
});

const open = (path: string) => openPage(browser, base + path, { from: [base] });

/** Returns the link in the newest e-mail with this subject to this address, as a developer finds it in /dev/mail. */
async function mailedLink(page: Page, to: string, subject: string): Promise<string> {
  await untilMailed(base, to, subject);
  await page.goto(`${base}/dev/mail`);
  await page.locator("tr", { hasText: to }).filter({ hasText: subject }).first().getByRole("link").click();
  return (await page.locator(".mail a").first().getAttribute("href"))!;
}

/** Calls the API as the user of this page. */
async function api<Answer>(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  const script = async ([verb, address, text]: (string | undefined)[]) => {
    const response = await fetch(address!, {
      method: verb!,
      headers: { "content-type": "application/json" },
      ...(text !== undefined && { body: text }),
    });
    const json = await response.text();
    return json === "" ? null : (JSON.parse(json) as unknown);
  };
  return (await page.evaluate(script, [method, path, body && JSON.stringify(body)])) as Answer;
}

async function signedInAs(page: Page): Promise<string | undefined> {
  const session = await api<{ user: { email: string } } | null>(page, "GET", "/api/auth/get-session");
  return session?.user.email;
}

async function invite(email: string): Promise<void> {
  const { page } = await open("/sign-in");
  await fill(page, { "E-mail address": "owner@demo.example", Password: "purser-demo-1" });
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const { id } = await api<{ id: string }>(page, "POST", "/api/organizations", { name: hostile });
  await api(page, "POST", `/api/organizations/${id}/invitations`, { email, role: "MEMBER" });
  await page.context().close();
}

describe("the invitation page", () => {
  it("takes a user without an account into the organization, by keyboard alone", async () => {
    const email = "invited@example.com";
    await invite(email);
    const { page, violations } = await open("/dev/mail");
    const invitation = await mailedLink(page, email, "Join");
    expect(invitation).toMatch(new RegExp(`^${base}/invitations/inv_[0-9a-z]{26}$`));

    await page.goto(invitation);
    // A visitor who is not signed in does not learn whether there is an invitation.
    await page.getByRole("heading", { name: "Invitation", exact: true }).waitFor();
    await page.getByRole("link", { name: "Create an account" }).press("Enter");
    await fill(page, { "Your name": `Ada ${hostile}`, "E-mail address": email, Password: password });
    await page.waitForURL(invitation);
    await page.getByText("First confirm that").waitFor();
    await page.getByRole("button", { name: "Send the link" }).press("Enter");
    await page.getByText("We have sent you a mail.").waitFor();

    await page.goto(await mailedLink(page, email, "Confirm"));
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await page.getByText("Your e-mail address is confirmed.").waitFor();

    await page.goto(invitation);
    await page.getByRole("heading", { name: `Join ${hostile}` }).waitFor();
    const released = Promise.withResolvers<void>();
    await page.route("**/accept", async (route) => {
      await released.promise;
      await route.continue();
    });
    const onward = page.getByRole("link", { name: "Go to your organizations" });
    await onward.waitFor();
    await page.getByRole("button", { name: "Accept the invitation" }).press("Enter");
    // Who left now would abort the request, and find no organization.
    expect(await onward.getAttribute("inert")).toBe("");
    released.resolve();
    await page.getByText("You are now a member.").waitFor();
    expect(await onward.getAttribute("inert")).toBeNull();
    await page.reload();
    await page.getByRole("heading", { name: "No invitation for you" }).waitFor();
    await page.getByText("Otherwise ask the person who invited you").waitFor();
    await onward.waitFor();
    const { user } = await api<{ user: { id: string } }>(page, "GET", "/api/auth/get-session");
    const organizations = await api<{ name: string }[]>(page, "GET", `/api/organizations?userId=${user.id}`);
    expect(organizations.map(({ name }) => name)).toEqual([hostile]);

    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("rejects another user, and lets them switch accounts", async () => {
    const email = "somebody@example.com";
    await invite(email);
    const { page } = await open("/dev/mail");
    const invitation = await mailedLink(page, email, "Join");
    await page.goto(`${base}/sign-in?next=${new URL(invitation).pathname}`);
    await fill(page, { "E-mail address": "member@demo.example", Password: "purser-demo-1" });
    await page.getByText("We found no invitation for you").waitFor();
    const another = page.getByRole("button", { name: "Use another account" });
    await page.route("**/sign-out", (route) => route.abort("connectionrefused"));
    await another.press("Enter");
    await page.getByRole("alert").filter({ hasText: "The service cannot be reached" }).waitFor();
    await page.unroute("**/sign-out");
    await another.press("Enter");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe(new URL(invitation).pathname);
    await page.context().close();
  });

  it("rejects an incomplete link", async () => {
    const response = await fetch(`${base}/invitations/inv_x`);
    const markup = await response.text();
    expect([response.status, markup]).toEqual([404, expect.stringContaining("The link is incomplete")]);
    expect(markup).toContain(`<a href="/">Go to your organizations</a>`);
  });
});

describe("the password pages", () => {
  it("set a new password through the e-mailed link, once", async () => {
    const { page, violations } = await open("/forgot-password");
    await fill(page, { "E-mail address": "member@demo.example" });
    await page.getByText("we have sent it a link").waitFor();
    const link = await mailedLink(page, "member@demo.example", "password");

    await page.goto(link);
    await fill(page, { Password: password });
    await page.getByText("Your new password is saved.").waitFor();
    await page.goto(`${base}/sign-in`);
    await fill(page, { "E-mail address": "member@demo.example", Password: "purser-demo-1" });
    await page.locator("[role=alert].bad").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await signedInAs(page)).toBe("member@demo.example");

    await page.goto(link);
    await fill(page, { Password: "another password" });
    await page.getByText("This link has been used or has expired.").waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });
});

describe("signing in", () => {
  it("never redirects to another site", async () => {
    const { page } = await open("/sign-in");
    for (const next of [
      "https://evil.example.com",
      "//evil.example.com",
      "/\\evil.example.com",
      "/.//evil.example.com",
      "javascript:alert(1)",
    ]) {
      await forgetSession(page);
      await page.goto(`${base}/sign-in?next=${encodeURIComponent(next)}`);
      await fill(page, { "E-mail address": "owner@demo.example", Password: "purser-demo-1" });
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect([next, new URL(page.url()).origin]).toEqual([next, base]);
    }
    await page.context().close();
  });

  /** Creates an account with a second factor, and opens the sign-in page. */
  async function openWithSecondFactor(email: string) {
    const { page, violations } = await open("/sign-up");
    await fill(page, { "Your name": "Two", "E-mail address": email, Password: password });
    await page.getByRole("heading", { name: "Create your organization" }).waitFor();
    const { totpURI, backupCodes } = await api<{ totpURI: string; backupCodes: string[] }>(
      page,
      "POST",
      "/api/auth/two-factor/enable",
      { password },
    );
    await api(page, "POST", "/api/auth/two-factor/verify-totp", { code: totp(totpURI) });
    await forgetSession(page);
    await page.goto(`${base}/sign-in`);
    return { page, violations, totpURI, backupCodes };
  }

  it("asks for the second factor if the user has one", async () => {
    const email = "two@example.com";
    const { page, violations, backupCodes } = await openWithSecondFactor(email);
    await fill(page, { "E-mail address": email, Password: password });
    await page.getByLabel("Code").waitFor();
    await fill(page, { Code: "no such code" });
    await page.locator("[role=alert].bad").waitFor();
    await page.getByLabel("Code").clear();
    await fill(page, { Code: backupCodes[0]! });
    await page.getByRole("heading", { name: "Create your organization" }).waitFor();
    expect(await signedInAs(page)).toBe(email);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("asks for the password again when the second factor took too long or too many attempts", async () => {
    const email = "again@example.com";
    const { page, violations, totpURI } = await openWithSecondFactor(email);
    const ended = page.getByText("This sign-in has ended.");
    await fill(page, { "E-mail address": email, Password: password });
    await page.getByLabel("Code").waitFor();
    await page.context().clearCookies();
    await fill(page, { Code: "123456" });
    await ended.waitFor();

    await fill(page, { Password: password });
    await page.getByLabel("Code").waitFor();
    expect(await ended.isVisible()).toBe(false);
    for (let attempt = 0; attempt < 5; attempt += 1)
      await api(page, "POST", "/api/auth/two-factor/verify-backup-code", { code: "no such code" });
    await fill(page, { Code: "no such code" });
    await ended.waitFor();

    await fill(page, { Password: password });
    await page.getByLabel("Code").waitFor();
    // As authenticators show it. The present code has set the second factor up, and works once.
    const next = totp(totpURI, Date.now() + 30_000);
    await fill(page, { Code: ` ${next.slice(0, 3)} ${next.slice(3)} ` });
    await page.getByRole("heading", { name: "Create your organization" }).waitFor();
    expect(await signedInAs(page)).toBe(email);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("ends when the user signs out", async () => {
    const { page } = await open("/sign-in");
    const signedOut = page.waitForResponse(/\/sign-out$/);
    const refused = page.waitForResponse((response) => response.status() === 401);
    // What the overview reads last is refused, and only then the start page opens.
    await page.route(/members\.list|subscription\.get/, (route) => signedOut.then(() => route.continue()));
    await fill(page, { "E-mail address": "owner@demo.example", Password: "purser-demo-1" });
    await page.getByRole("button", { name: "You and the theme" }).press("Enter");
    await page.route(`${base}/`, (route) => refused.then(() => route.continue()));
    await page.getByRole("menuitem", { name: "Sign out" }).press("Enter");
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    expect(await signedInAs(page)).toBeUndefined();
    await page.context().close();
  });
});

describe("the API reference", () => {
  it.each([
    ["light", { width: 1280, height: 800 }],
    ["dark", { width: 390, height: 800 }],
  ] as const)(
    "passes axe in the %s theme, loads only our own files, and fits its window",
    async (colorScheme, viewport) => {
      for (const path of await referencePaths(base)) {
        const { page, violations } = await openPage(browser, base + path, {
          from: [base],
          colorScheme,
          viewport,
        });
        const isWide = await isTooWide(page);
        const faults = await accessibilityFaults(page);
        const faultless = { path, isWide: false, faults: [], violations: [] };
        expect({ path, isWide, faults, violations }).toEqual(faultless);
        await page.context().close();
      }
    },
  );

  it("finds an operation by its words, by keyboard alone", async () => {
    const { page, violations } = await open("/docs");
    await page.getByLabel("Find an operation").focus();
    await page.keyboard.type("backtest post");
    await page.getByText("1 operation", { exact: true }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/docs/cards#cards.policies.backtest`);
    expect(await page.locator("section:target h3").textContent()).toBe("cards.policies.backtest");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("shows samples with the identifiers of a signed-in reader", async () => {
    const { page, violations } = await open("/sign-in?next=/docs/cards");
    await fill(page, { "E-mail address": "owner@demo.example", Password: "purser-demo-1" });
    await page.getByText("The samples show identifiers of").waitFor();
    const { memberships } = await api<{ memberships: { organizationId: string }[] }>(page, "GET", "/api/me");
    const [{ organizationId }] = memberships as [{ organizationId: string }];
    const [card] = await api<{ id: string }[]>(page, "GET", `/api/cards?organizationId=${organizationId}`);
    const sample = await page.getByRole("group", { name: "TypeScript, cards.get" }).textContent();
    expect(sample).toContain(organizationId);
    expect(sample).toContain(card?.id ?? exampleIds.card);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("explains every error code at its problem type's address", async () => {
    const { type } = (await (await fetch(`${base}/nope`)).json()) as { type: string };
    const { page, violations } = await open(type);
    expect(await page.locator("tr:target").textContent()).toContain("NOT_FOUND");
    const body = '{"email":"nobody@example.com","password":"wrong-password"}';
    const headers = { "content-type": "application/json" };
    const signIn = await fetch(`${base}/api/auth/sign-in/email`, { method: "POST", headers, body });
    const refusal = (await signIn.json()) as { type: string };
    await page.goto(new URL(refusal.type, base).href);
    expect(await page.locator("tr:target").textContent()).toContain("INVALID_EMAIL_OR_PASSWORD");
    expect(violations).toEqual([]);
    await page.context().close();
  });
});
