import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "@purser/testing/browser";
import { type TestConsole, startTestConsole } from "../testing/console.ts";

/** The script of the first page, and what each further page may add, in bytes as they are sent. */
const budget = { first: 200_000, further: 60_000 };

let console: TestConsole;
beforeAll(async () => (console = await startTestConsole()), 300_000);
afterAll(() => console?.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

describe("a person", () => {
  it(
    "sees the start page as a guest, and signs up to an organization of their own",
    { timeout: 180_000 },
    async () => {
      const { page, violations } = await console.open("/", { size: "phone" });
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.waitForURL("**/sign-up");
      await page.getByLabel("Name").fill("Robin");
      await page.getByLabel("E-mail address").fill("robin@example.com");
      await page.getByLabel("Password").fill("purser-demo-1");
      await page.keyboard.press("Enter");
      await heading(page, "Create your organization");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel("Name").fill("Fernhill Studio");
      await page.keyboard.press("Enter");
      await heading(page, "Overview");
      await page.getByText("Set up your organization").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );

  it("moves by the command palette, and signs out to the start page", async () => {
    const { page, violations } = await console.open("/", { user: console.demo.owner });
    await heading(page, "Overview");
    await page.keyboard.press("Control+K");
    await page.getByPlaceholder("Search pages and actions").fill("transact");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await heading(page, "Transactions");
    await page.getByRole("button", { name: "You and the theme" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await page.goto(`${console.base}/${console.demo.owner.organizationId}`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe(`/${console.demo.owner.organizationId}`);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("sees only what is theirs: no page of an organization that they do not belong to", async () => {
    const stranger = await console.newUser("Elsewhere");
    const { page } = await console.open(`/${console.demo.owner.organizationId}`, { user: stranger });
    await page.getByText("There is no such page").waitFor();
    await page.goto(`${console.base}/${stranger.organizationId}`);
    await heading(page, "Overview");
    expect(await page.getByText("Demo Company").count()).toBe(0);
    await page.context().close();
    const member = await console.open("/", { user: console.demo.member });
    await heading(member.page, "Overview");
    await member.page.getByRole("heading", { name: "Newest activity" }).waitFor();
    expect(await member.page.getByText("Set up your organization").count()).toBe(0);
    await member.page.context().close();
  });

  it("sees a purchase that happens elsewhere, also one during a lost connection", async () => {
    const { purser, organizationId } = console.demo.owner;
    const [card] = await purser.cards.list({ organizationId, status: "ACTIVE", limit: 1 });
    const buy = (merchantName: string) =>
      purser.sandbox.cards.authorize({
        organizationId,
        cardId: card!.id,
        amount: 123,
        currency: "GBP",
        merchant: { name: merchantName },
        channel: "in_store",
      });
    const { page } = await console.open("/", { user: console.demo.owner });
    const activity = page.getByRole("region", { name: "Newest activity" });
    await activity.getByText("Drafting Suite").waitFor();
    await buy("Corner Books");
    await activity.getByText("Corner Books").waitFor();
    await page.context().setOffline(true);
    await buy("Harbor Flowers");
    await page.context().setOffline(false);
    await activity.getByText("Harbor Flowers").waitFor();
    expect(await activity.getByText("Corner Books").isVisible()).toBe(true);
    await page.context().close();
  });
});

describe("the files of the console", () => {
  it(`stay within ${budget.first / 1000} kB of script at first, and ${budget.further / 1000} kB for each further page`, async () => {
    const { page } = await console.open("/assets/purser.svg", { user: console.demo.owner });
    const files = new Map<string, number>();
    page.on("response", (response) => {
      const { "content-length": length, "content-encoding": encoding } = response.headers();
      if (response.url().endsWith(".js"))
        files.set(response.url(), encoding === "gzip" ? Infinity : Number(length));
    });
    const bytes = () => [...files.values()].reduce((sum, length) => sum + length, 0);
    await page.goto(`${console.base}/`);
    await heading(page, "Overview");
    await page.getByRole("heading", { name: "Newest activity" }).waitFor();
    await page.getByRole("img", { name: /^The balance in/ }).waitFor();
    expect(bytes()).toBeGreaterThan(100_000);
    expect(bytes(), [...files].join("\n")).toBeLessThanOrEqual(budget.first);
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    for (const name of await links.allTextContents()) {
      files.clear();
      await links.filter({ hasText: name }).click();
      await heading(page, name);
      expect(bytes(), name).toBeLessThanOrEqual(budget.further);
    }
    await page.context().close();
  });

  it("are sent compressed and kept for a year, and the page itself is not", async () => {
    const { page } = await console.open("/", { user: console.demo.owner });
    const src = await page.locator("script[src]").getAttribute("src");
    const ask = (encoding: string) =>
      page.request.get(console.base + src!, { headers: { "accept-encoding": encoding } });
    for (const encoding of ["br", "gzip"])
      expect((await ask(encoding)).headers()).toMatchObject({
        "content-encoding": encoding,
        "cache-control": "public, max-age=31536000, immutable",
        vary: expect.stringContaining("Accept-Encoding"),
      });
    expect((await ask("identity")).headers()).not.toHaveProperty("content-encoding");
    const answer = await page.request.get(`${console.base}/`);
    const policy = answer.headers()["content-security-policy"] ?? "";
    const [, nonce] = /<meta name="style-nonce" content="([^"]+)"/.exec(await answer.text()) ?? [];
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    // Logos of banks and pictures of people are elsewhere. Scripts never are.
    expect(policy).toContain("img-src 'self' data: https:;");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(answer.headers()["cache-control"]).toBe("no-store");
    expect((await page.request.get(`${console.base}/console/none.js`)).status()).toBe(404);
    await page.context().close();
  });
});
