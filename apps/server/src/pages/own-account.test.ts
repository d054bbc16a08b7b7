// @module-tag slow
import { day } from "@purser/core/testing";
import { connect } from "@purser/db";
import { totp } from "@purser/identity/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, forgetSession } from "@purser/testing/browser";
import { type TestPages, fill, readability, startTestPages } from "../testing/pages.ts";

const hostile = `<img src=x onerror="window.broken=1"> "Söhne" & Co`;
const password = "correct horse battery";
let pages: TestPages;

beforeAll(async () => {
  pages = await startTestPages({ requireVerifiedEmail: false });
});
afterAll(() => pages.close());

const open = (path: string, options: Parameters<TestPages["open"]>[1] = {}) =>
  pages.open(pages.base + path, options);

/** Signs a user up in the browser, and continues on a page. */
async function signUp(email: string, next: string, options: Parameters<TestPages["open"]>[1] = {}) {
  const opened = await open(`/sign-up?next=${next}`, options);
  await fill(opened.page, { "Your name": "Ada", "E-mail address": email, Password: password });
  return opened;
}

describe("the account page", () => {
  it("changes the password, sets the second factor up, and makes and revokes keys", async () => {
    const email = "account@example.com";
    const { page, violations } = await open("/sign-up?next=/account");
    await fill(page, { "Your name": "Ada", "E-mail address": email, Password: password });
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    const part = (name: string) => page.getByRole("region", { name, exact: true });

    const sessions = part("Where you are signed in");
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);

    const changed = part("Password");
    await changed.getByLabel("Your password").fill("wrong password");
    await changed.getByLabel("New password").fill("another correct horse");
    await page.keyboard.press("Enter");
    await changed.locator("[role=alert].bad").waitFor();
    await changed.getByLabel("Your password").fill(password);
    await changed.getByRole("button").press("Enter");
    await changed.getByText("Your new password is saved.").waitFor();

    const factor = part("Two-factor sign-in");
    await factor.locator("input[name=password]:visible").fill("another correct horse");
    await page.keyboard.press("Enter");
    await factor.getByText("Write down these backup codes.").waitFor();
    expect(await factor.locator("#backup-codes li").count()).toBe(10);
    expect(await accessibilityFaults(page)).toEqual([]);
    const uri = (await factor.getByRole("link").getAttribute("href"))!;
    expect(new URL(uri).searchParams.get("secret")).toBe(
      await factor.locator("#factor-secret").textContent(),
    );
    // As authenticators show it.
    await factor.getByLabel("Code").fill(totp(uri).replace(/^.../, "$& "));
    await page.keyboard.press("Enter");
    await factor.getByText("Two-factor sign-in is on.").waitFor();
    expect(await page.content()).not.toContain(new URL(uri).searchParams.get("secret"));
    await factor.locator("input[name=password]:visible").fill("another correct horse");
    await page.keyboard.press("Enter");
    await factor.getByText("Two-factor sign-in is off.").waitFor();

    const keys = part("Your API keys");
    await keys.getByLabel("Name").fill(hostile);
    await page.keyboard.press("Enter");
    await keys.locator("#shown-key").waitFor();
    const key = await keys.locator("#shown-key .secret").textContent();
    await expect.poll(() => keys.getByRole("listitem").count()).toBe(1);
    const asKey = { headers: { "x-api-key": key! } };
    expect((await fetch(`${pages.base}/api/me`, asKey)).status).toBe(200);
    await keys.getByRole("button", { name: "Revoke" }).press("Enter");
    await expect.poll(() => keys.getByRole("listitem").count()).toBe(0);
    expect((await fetch(`${pages.base}/api/me`, asKey)).status).toBe(401);

    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("ends other sessions, and makes and revokes keys of an organization", async () => {
    const email = "founder@example.com";
    const { page, violations } = await signUp(email, "/");
    await page.getByText("You are not a member of an organization yet.").waitFor();
    await fill(page, { "Name of the organization": hostile });
    await page.getByText("You are an owner").waitFor();
    const signIn = JSON.stringify({ email, password });
    const headers = { "content-type": "application/json" };
    await fetch(`${pages.base}/api/auth/sign-in/email`, { method: "POST", headers, body: signIn });

    await page.getByRole("link", { name: "Your account" }).press("Enter");
    const sessions = page.getByRole("region", { name: "Where you are signed in" });
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(2);
    await sessions.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);

    const keys = page.getByRole("region", { name: "API keys of your organizations" });
    await keys.getByLabel("Name").fill("Accounting");
    await page.keyboard.press("Enter");
    await keys.locator("#shown-organization-key").waitFor();
    const key = await keys.locator("#shown-organization-key .secret").textContent();
    expect(key).toMatch(/^purser_org_/);
    const organizationId = await keys.getByLabel("Organization", { exact: true }).inputValue();
    const read = () =>
      fetch(`${pages.base}/api/organizations/${organizationId}`, { headers: { "x-api-key": key! } });
    expect((await read()).status).toBe(200);
    await keys.getByRole("button", { name: "Revoke" }).press("Enter");
    await keys.getByText("revoked on").waitFor();
    expect((await read()).status).toBe(401);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["light", { width: 1280, height: 800 }],
    ["dark", { width: 390, height: 800 }],
  ] as const)(
    "passes axe in the %s theme and fits its window, like the other pages",
    async (colorScheme, viewport) => {
      const { page, violations } = await signUp(`${colorScheme}@example.com`, "/", { colorScheme, viewport });
      await page.getByText("You are not a member of an organization yet.").waitFor();
      await fill(page, { "Name of the organization": hostile });
      await page.getByText("You are an owner").waitFor();
      // With the heading of each, and what its script shows last.
      const others: [path: string, heading: string, last?: string][] = [
        ["/account", "Your account", "This session"],
        ["/", "A company’s money, in one service", "You are an owner"],
        ["/sign-in", "Sign in"],
        ["/billing/done?checkout=completed", "This checkout is closed"],
        ["/nowhere", "Page not found"],
      ];
      for (const [path, heading, last = heading] of others) {
        await page.goto(pages.base + path);
        await page.getByRole("heading", { level: 1, name: heading }).waitFor();
        await page.getByText(last).first().waitFor();
        const { isTooWide, contrast } = await readability(page);
        const faults = await accessibilityFaults(page);
        expect({ path, isTooWide, faults, isReadable: contrast >= 4.5 }).toEqual({
          path,
          isTooWide: false,
          faults: [],
          isReadable: true,
        });
      }
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );

  it("asks a visitor to sign in", async () => {
    const { page } = await open("/account");
    await page.getByRole("link", { name: "Sign in" }).press("Enter");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(page.url()).toBe(`${pages.base}/sign-in?next=/account`);
    await page.context().close();
  });
});

/** Refuses the service its database, as while a standby takes over. Returns what lets it in again. */
async function disconnectDatabase(): Promise<() => Promise<void>> {
  const url = new URL(pages.service.purser.platform.settings.databaseUrl!);
  const database = url.pathname.slice(1);
  url.pathname = "/postgres";
  const server = connect(url.href, { max: 1 });
  const allow = (isAllowed: boolean) =>
    server.execute(sql.raw(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS ${isAllowed}`));
  await allow(false);
  await server.execute(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`,
  );
  return async () => {
    await allow(true);
    await server.$client.end();
  };
}

describe("a page that cannot learn who is signed in", () => {
  it("says so and offers to try again, and does not ask to sign in", async () => {
    const { page, violations } = await signUp("waits@example.com", "/account");
    await page.getByText("You are signed in as").waitFor();
    const linked = "/banking/linked?teamId=org_1&provider=sandbox&providerId=one&consentId=two";
    const paths = ["/account", "/", "/invitations/inv_01jkpx8nh0ebtbxwnqdxvh0tr8", linked];
    const reconnect = await disconnectDatabase();
    try {
      for (const path of paths) {
        await page.goto(pages.base + path);
        await page.getByRole("alert").filter({ hasText: "temporarily unavailable" }).waitFor();
        expect(await page.getByRole("link", { name: "Sign in" }).count(), path).toBe(0);
        expect(await page.getByText("One moment").isVisible(), path).toBe(false);
        expect(await accessibilityFaults(page), path).toEqual([]);
      }
    } finally {
      await reconnect();
    }
    await page.getByRole("link", { name: "Try again" }).press("Enter");
    await page.getByRole("button", { name: "Connect the accounts" }).waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });
});

describe("the page of a link to a new address", () => {
  it("signs the user in first, and says what to do once the link was used", async () => {
    const { purser } = pages.service;
    const { page, violations } = await signUp("mover@example.com", "/account");
    await page.getByText("You are signed in as").waitFor();
    const asked = await page.context().request.post(`${pages.base}/api/auth/change-email`, {
      headers: { origin: pages.base },
      data: { newEmail: "moved@example.com" },
    });
    expect(asked.status()).toBe(200);
    await purser.drain();
    const { text = "" } = purser.mails.findLast(({ to }) => to === "moved@example.com") ?? {};
    const [link] = /\/verify-email\?\S+/.exec(text) ?? [];
    await forgetSession(page);
    await page.goto(`${pages.base}${link}`);
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await fill(page, { "E-mail address": "mover@example.com", Password: password });
    // Loaded with the script, without which the form would send itself.
    await page.waitForURL("**/verify-email?*");
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await page.getByText("Your e-mail address is confirmed.").waitFor();

    await page.reload();
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await page.getByText("Request the change again on your account page.").waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });
});

describe("a form that a script handles", () => {
  it("would be submitted without its fields in the address", async () => {
    const paths = ["/", "/account", "/sign-in", "/sign-up", "/forgot-password", "/reset-password"];
    for (const path of [...paths, "/verify-email"]) {
      const forms = (await (await fetch(pages.base + path)).text()).match(/<form[^>]*>/g) ?? [];
      expect([path, forms.length]).not.toEqual([path, 0]);
      expect([path, forms.filter((form) => !form.includes('method="post"'))]).toEqual([path, []]);
    }
  });

  it("is shown again if its script does not run", async () => {
    const address = "/sign-in?next=/account";
    const { page, violations } = await open(address, { javaScriptEnabled: false });
    const submitted = page.waitForRequest((request) => request.method() === "POST");
    await fill(page, { "E-mail address": "ada@example.com", Password: password });
    await submitted;
    await expect.poll(() => page.getByLabel("Password").inputValue()).toBe("");
    expect(page.url()).toBe(pages.base + address);
    expect(violations).toEqual([]);
    await page.context().close();
  });
});

describe("the start page, where no console is served", () => {
  it("folds the links for developers away from a signed-in person, one key away", async () => {
    const guest = await open("/");
    await guest.page.getByRole("link", { name: "Create an account" }).waitFor();
    expect(await guest.page.getByRole("link", { name: "API reference" }).isVisible()).toBe(true);
    await guest.page.context().close();

    const { page, violations } = await signUp("folded@example.com", "/");
    await page.getByRole("heading", { name: "Your organizations" }).waitFor();
    const reference = page.getByRole("link", { name: "API reference" });
    expect(await reference.isVisible()).toBe(false);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator("summary").press("Enter");
    await reference.waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });
});

describe("the invitation page", () => {
  it("asks nobody to confirm an address where that is not required", async () => {
    const ended = `/invitations/${pages.service.purser.unknownId("inv")}`;
    const { page, violations } = await signUp("late@example.com", ended);
    await page.getByRole("heading", { name: "No invitation for you" }).waitFor();
    expect(await page.getByText("First confirm that").isVisible()).toBe(false);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("says to whom to turn when the invitation expires before it is accepted", async () => {
    const { purser } = pages.service;
    const owner = purser.as(await purser.person());
    const { id: organizationId } = await owner.organizations.create({ name: hostile });
    const email = "slow@example.com";
    await owner.organizations.invitations.create({ organizationId, email, role: "MEMBER" });
    const [invitation] = await owner.organizations.invitations.list({ organizationId });
    const { page, violations } = await signUp(email, `/invitations/${invitation!.id}`);
    await page.getByRole("heading", { name: `Join ${hostile}` }).waitFor();
    purser.clock.advance(8 * day);
    await page.getByRole("button", { name: "Accept the invitation" }).press("Enter");
    await page.getByRole("heading", { name: "This invitation has expired" }).waitFor();
    await page.getByText("Ask the person who invited you for a new invitation.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Go to your organizations" }).waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });
});

describe("an unknown address", () => {
  const get = async (path: string, accept: string) => {
    const { status, headers } = await fetch(pages.base + path, { headers: { accept } });
    return [status, headers.get("content-type")];
  };

  it("shows a page to a browser, and JSON to API clients", async () => {
    const browserAccepts = "text/html,application/xhtml+xml,*/*;q=0.8";
    for (const path of ["/nowhere", "/docs/nowhere", "/assets/nowhere.js"])
      expect(await get(path, browserAccepts)).toEqual([404, "text/html; charset=utf-8"]);
    expect(await get("/nowhere", "*/*")).toEqual([404, "application/problem+json"]);
    for (const path of ["/api/nowhere", "/trpc/nowhere"])
      expect((await get(path, browserAccepts))[0]).toBe(404);
    expect(await get("/api/nowhere", browserAccepts)).toEqual([404, "application/problem+json"]);
  });
});
