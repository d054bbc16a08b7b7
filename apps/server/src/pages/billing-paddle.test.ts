// @module-tag slow
import { newId } from "@purser/core";
import { billingCheckouts } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPages, startTestPages } from "../testing/pages.ts";

const cdn = "https://cdn.paddle.com";
const hostileToken = `test_"><script>window.broken=1</script>`;
let pages: TestPages;

beforeAll(async () => {
  const paddle = { apiKey: "none", webhookSecrets: [], clientToken: hostileToken };
  pages = await startTestPages({ payments: { paddle: { ...paddle, environment: "sandbox" } } });
});
afterAll(() => pages?.close());

/** Starts a checkout at Paddle. Returns the addresses of our checkout page and of the return page. */
async function begin(status: "OPEN" | "SUPERSEDED" = "OPEN"): Promise<{ url: string; back: string }> {
  const { db, clock, person, as } = pages.service.purser;
  const owner = await person();
  const { id: organizationId } = await as(owner).organizations.create({ name: "Acme" });
  const createdAt = clock.now();
  const id = newId("chk", createdAt);
  const reference = id.replace("chk_", "txn_");
  const url = `${pages.base}/billing/paddle?_ptxn=${reference}`;
  await db.insert(billingCheckouts).values({
    organizationId,
    id,
    provider: "paddle",
    planId: "pro_1",
    variantId: "pri_1",
    userId: owner.userId,
    redirectUrl: pages.home,
    status,
    reference,
    url,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 1000),
  });
  return { url, back: `${pages.base}/billing/checkouts/${id}/return` };
}

/** Another checkout supersedes the one of this address, or it is paid. */
async function supersede(url: string, status: "COMPLETED" | "SUPERSEDED" = "SUPERSEDED"): Promise<void> {
  const its = eq(billingCheckouts.url, url);
  await pages.service.purser.db.update(billingCheckouts).set({ status }).where(its);
}

/**
 * A stand-in for Paddle's script, as far as the page uses it. Records its calls, and emits the events the test chooses.
 */
const paddleScript = `window.Paddle = {
  calls: [],
  Environment: { set: (environment) => Paddle.calls.push(environment) },
  Initialize: ({ eventCallback, ...settings }) => {
    Paddle.calls.push(settings);
    Paddle.happens = (name) => eventCallback({ name });
  },
  Checkout: { close: () => (sessionStorage.isClosed = true) },
};`;

/**
 * Opens the page in a browser whose requests to Paddle's hosts are fulfilled by the test. With null, the hosts are unreachable.
 */
async function open(url: string, script: string | null) {
  const { page, violations } = await pages.open("about:blank", {
    from: [cdn, "about:"],
    colorScheme: "dark",
  });
  await page.route(`${cdn}/**`, (route) =>
    script === null ? route.abort() : route.fulfill({ contentType: "text/javascript", body: script }),
  );
  // Only Paddle's own events could report the outcome of the checkout.
  await page.route("**/return", (route) => route.fulfill({ body: "On the way back" }));
  await page.clock.install();
  await page.goto(url);
  const happens = (name: string) => page.evaluate(`Paddle.happens("${name}")`);
  return { page, violations, happens, calls: () => page.evaluate("Paddle.calls") };
}

describe("the page that opens Paddle's checkout", () => {
  it("opens the checkout, also again after the buyer closed it, and redirects after payment", async () => {
    const { url, back } = await begin();
    const { page, violations, happens, calls } = await open(url, paddleScript);
    const settings = { token: hostileToken, checkout: { settings: { successUrl: back, theme: "dark" } } };
    await page.getByText("One moment").waitFor();
    expect(await calls()).toEqual(["sandbox", settings]);
    await happens("checkout.loaded");
    await page.getByText("One moment").waitFor({ state: "hidden" });

    await happens("checkout.closed");
    expect(await page.locator(":focus").textContent()).toBe("Open it again");
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    expect(await calls()).toEqual(["sandbox", settings]);
    await happens("checkout.error");
    await page.getByRole("alert").getByText("Paddle could not open the checkout.").waitFor();

    await happens("checkout.completed");
    await happens("checkout.closed");
    await page.getByText("On the way back").waitFor();
    expect(page.url()).toBe(back);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("does not open it again once it is closed for good", async () => {
    const { url } = await begin();
    const { page, happens } = await open(url, paddleScript);
    await happens("checkout.closed");
    await supersede(url);
    await page.getByRole("button", { name: "Open it again" }).press("Enter");
    await page.getByText("This checkout is closed").waitFor();
    expect(await page.locator("script").count()).toBe(0);
    await page.context().close();
  });

  it("closes Paddle's overlay once the checkout is closed for good", async () => {
    const { url } = await begin();
    const { page, violations, happens } = await open(url, paddleScript);
    await happens("checkout.loaded");
    const watched = page.waitForResponse((response) => response.request().method() === "HEAD");
    await page.clock.runFor(10_000);
    expect((await watched).status()).toBe(200);
    expect(await page.evaluate("sessionStorage.isClosed")).toBeUndefined();
    await supersede(url);
    await page.clock.runFor(10_000);
    await page.getByText("This checkout is closed").waitFor();
    expect(await page.evaluate("sessionStorage.isClosed")).toBe("true");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("leaves a paid checkout to Paddle", async () => {
    const { url } = await begin();
    const { page, happens } = await open(url, paddleScript);
    await happens("checkout.loaded");
    await happens("checkout.completed");
    await supersede(url);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.method()));
    await page.clock.runFor(60_000);
    await page.evaluate("navigator.onLine");
    expect(requests).toEqual([]);
    await page.context().close();
  });

  it("leaves the overlay open if the service learns of the payment before the page", async () => {
    const { url } = await begin();
    const { page, happens } = await open(url, paddleScript);
    await happens("checkout.loaded");
    await supersede(url, "COMPLETED");
    // The second request shows that the first one's answer has ended nothing.
    for (let count = 1; count <= 2; count += 1) {
      const asked = page.waitForRequest((request) => request.method() === "HEAD");
      await page.clock.runFor(10_000);
      await (await asked).response();
    }
    expect(await page.evaluate("sessionStorage.isClosed")).toBeUndefined();
    await happens("checkout.closed");
    await page.getByRole("button", { name: "Open it again" }).press("Enter");
    await page.waitForURL(({ pathname }) => pathname !== "/billing/paddle");
    await page.context().close();
  });

  it("reports that Paddle's script cannot be loaded, and still links back", async () => {
    const { url, back } = await begin();
    const { page, violations } = await open(url, null);
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    await page.getByRole("link", { name: "Go back" }).press("Enter");
    await page.waitForURL(back);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("allows Paddle's hosts on this page only, and lets no script call the API", async () => {
    const { url } = await begin();
    const response = await fetch(url);
    const policy = response.headers.get("content-security-policy")!.split("; ");
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self' https://cdn.paddle.com https://sandbox-cdn.paddle.com",
      "style-src 'self' 'unsafe-inline' https://*.paddle.com",
      "img-src 'self' data: https://*.paddle.com",
      `connect-src ${pages.base}/billing/paddle https://*.paddle.com`,
      "frame-src https://*.paddle.com",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    const markup = await response.text();
    expect(markup).toContain(`data-token="test_&quot;&gt;&lt;script&gt;window.broken=1&lt;/script&gt;"`);
    expect(markup.match(/<script[^>]*>/g)).toEqual([
      `<script src="${cdn}/paddle/v2/paddle.js" defer>`,
      `<script type="module" src="/assets/paddle.js">`,
    ]);
    const other = await fetch(`${pages.base}/billing/done`);
    expect(other.headers.get("content-security-policy")).not.toContain("paddle");
  });

  it("opens the links of Paddle's own e-mails, and then continues to the start page", async () => {
    const response = await fetch(`${pages.base}/billing/paddle?_ptxn=txn_${"7".repeat(26)}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(
      `data-return-url="${pages.service.purser.platform.settings.baseUrl}"`,
    );
  });

  it("rejects a checkout that is not open", async () => {
    const [ended, { url }] = [await begin("SUPERSEDED"), await begin()];
    pages.service.purser.clock.advance(1000);
    const page = `${pages.base}/billing/paddle`;
    for (const over of [ended.url, url, page, `${page}?_ptxn=unknown`, `${page}?_ptxn=%00`]) {
      const response = await fetch(over);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-security-policy")).not.toContain("paddle");
      const markup = await response.text();
      expect(markup).toContain("This checkout is closed");
      expect(markup).toContain(`<a href="/">Go to your organizations</a>`);
    }
  });
});
