// @module-tag slow
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "@purser/testing/browser";
import { isTooWide } from "../testing/pages.ts";
import { type RevealPages, startRevealPages, stripeNumber } from "../testing/reveal-pages.ts";

const minute = 60_000;
let test: RevealPages;

beforeAll(async () => (test = await startRevealPages()));
afterAll(() => test?.close());

const addressOf = (issuer: string) => `${test.pages.base}/cards/reveal/${issuer}`;

const press = (page: Page) => page.getByRole("button", { name: "Show the number" }).press("Enter");

/** What a script of the page could read. */
const digitsIn = async (page: Page) => (await page.content()).replaceAll(/\s/g, "");

const stripeHosts = ["https://js.stripe.com", "https://api.stripe.com"];

describe("the page that shows a card's number", () => {
  it("shows a test number of the sandbox once, by keyboard, on a phone, in both themes", async () => {
    const card = await test.cardAt("sandbox");
    for (const colorScheme of ["light", "dark"] as const) {
      const url = await card.link();
      const viewport = { width: 360, height: 740 };
      const { page, violations } = await test.open(url, { colorScheme, viewport });
      await page.getByText(`ends in ${card.lastFour}, once`).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await press(page);

      const number = page.locator("#number");
      await number.getByText(new RegExp(`^4242 42.* ${card.lastFour}$`)).waitFor();
      const digits = (await number.textContent())!.replaceAll(" ", "");
      const cvc = (await page.locator("#cvc").textContent())!;
      test.secrets.push(digits);
      expect(cvc).toMatch(/^\d{3}$/);
      expect(await page.locator("#expiry").textContent()).toBe("03/2029");
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      // The token has left the address, and with it the history.
      expect(page.url()).toBe(addressOf("sandbox"));
      expect(await page.locator(":focus").textContent()).toBe("Hide it now");

      await page.clock.runFor(minute);
      await page.getByText("The number is hidden again").waitFor();
      expect(await digitsIn(page)).not.toContain(digits);

      const again = await test.open(url);
      await again.page.getByRole("alert").getByText("has been opened already").waitFor();
      // The holder makes another link there.
      await again.page.getByText("open the card in Purser and show its number again").waitFor();
      const toCards = again.page.getByRole("link", { name: "Go to your cards" });
      expect(await toCards.getAttribute("href")).toBe(`/${card.organizationId}/cards`);
      expect(await again.page.getByRole("button", { name: "Show the number" }).isVisible()).toBe(false);
      expect([...violations, ...again.violations]).toEqual([]);
      await Promise.all([page.context().close(), again.page.context().close()]);
    }
  });

  it("covers the number in the background, and hides it on request", async () => {
    const { link } = await test.cardAt("sandbox");
    const { page, violations } = await test.open(await link(), {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await press(page);
    const number = page.locator("#number");
    await number.waitFor();
    await page.getByRole("button", { name: "Copy" }).press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const digits = (await number.textContent())!.replaceAll(" ", "");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(digits);

    const goes = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    await goes(true);
    expect([await number.isVisible(), await page.getByText("is covered").isVisible()]).toEqual([false, true]);
    await goes(false);
    expect([await number.isVisible(), await page.getByText("is covered").isVisible()]).toEqual([true, false]);

    await page.getByRole("button", { name: "Hide it now" }).press("Enter");
    await page.getByText("The number is hidden again").waitFor();
    expect(await digitsIn(page)).not.toContain(digits);
    await goes(true);
    expect(await page.getByText("is covered").isVisible()).toBe(false);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("shows the number in Stripe's own frames, which nothing of ours can read", async () => {
    const card = await test.cardAt("stripe");
    const url = await card.link();
    const { page, violations, received } = await test.open(url, { from: stripeHosts, colorScheme: "dark" });
    await press(page);
    for (const [type, text] of [
      ["issuingCardNumberDisplay", stripeNumber],
      ["issuingCardExpiryDisplay", "03/29"],
      ["issuingCardCvcDisplay", "737"],
    ])
      await page.frameLocator(`iframe[title=${type}]`).getByText(text!).waitFor();
    expect(await digitsIn(page)).not.toContain(stripeNumber);
    expect(received.join()).not.toContain(stripeNumber);
    const keys = test.stripe.log.filter(({ call }) => call === "POST /v1/ephemeral_keys");
    expect(keys.map(({ fields }) => fields["issuing_card"])).toEqual([card.reference]);
    test.secrets.push(
      stripeNumber,
      [...test.stripe.state.ephemeralKeys.keys()].at(-1)!,
      keys[0]!.fields["nonce"]!,
    );
    expect(await isTooWide(page)).toBe(false);
    await page.clock.runFor(minute);
    await page.getByText("The number is hidden again").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    expect(violations).toEqual([]);

    const again = await test.open(url, { from: stripeHosts });
    await again.page.getByRole("alert").getByText("has been opened already").waitFor();
    await Promise.all([page.context().close(), again.page.context().close()]);
  });

  it("keeps the link unopened while Stripe's script cannot be loaded", async () => {
    const { link } = await test.cardAt("stripe");
    const url = await link();
    test.network.isStripeReachable = false;
    const { page } = await test.open(url, { from: stripeHosts });
    await press(page);
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    test.network.isStripeReachable = true;
    await page.reload();
    await press(page);
    const number = page.frameLocator("iframe[title=issuingCardNumberDisplay]").getByText(stripeNumber);
    await number.waitFor();
    expect(await number.isVisible()).toBe(true);
    await page.context().close();
  });

  it("says that a link is used up if the issuer fails", async () => {
    const { link } = await test.cardAt("stripe");
    const { page } = await test.open(await link(), { from: stripeHosts });
    test.stripe.fail("POST /v1/ephemeral_keys", { status: 500, error: { type: "api_error" } });
    await press(page);
    await page.getByRole("alert").getByText("The issuer did not show the card.").waitFor();
    expect(await page.getByRole("button", { name: "Show the number" }).isVisible()).toBe(false);
    await page.context().close();
  });

  it("shows each detail in a frame of Lithic's, which nothing of ours can read", async () => {
    const card = await test.cardAt("lithic");
    const url = await card.link();
    const { cards, embeds, url: host } = test.lithic.fake;
    const { page, violations, received } = await test.open(url, { from: [new URL(host).origin] });
    await press(page);
    const { pan = "", cvv = "" } = cards.get(card.reference)!;
    expect(pan).toMatch(new RegExp(`^\\d{12}${card.lastFour}$`));
    for (const [title, text] of Object.entries({ Number: pan, CVC: cvv, "Month of expiry": "06" }))
      await page.frameLocator(`iframe[title="${title}"]`).getByText(text).waitFor();
    expect(await digitsIn(page)).not.toContain(pan);
    expect(received.join()).not.toContain(pan);
    const [session, { targetOrigin }] = [...embeds.sessions].at(-1)!;
    expect(targetOrigin).toBe(test.pages.base);
    test.secrets.push(pan, session);
    // The frames are of another origin, and may not navigate this page.
    expect(await page.evaluate("document.querySelector('iframe').contentDocument")).toBeNull();
    for (const frame of await page.locator("iframe").all())
      expect(await frame.getAttribute("sandbox")).toBe("allow-scripts allow-same-origin");
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);

    await page.clock.runFor(minute);
    await page.getByText("The number is hidden again").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("says that a link has expired or is incomplete", async () => {
    const { link, organizationId } = await test.cardAt("sandbox");
    const url = await link();
    test.pages.service.purser.clock.advance(minute);
    const incomplete = [addressOf("sandbox"), `${addressOf("sandbox")}#<img src=x>`];
    for (const ended of [url, ...incomplete, `${addressOf("sandbox")}#//evil.example.x`]) {
      const { page, violations } = await test.open(ended);
      await page.getByRole("alert").getByText("This link has expired or is not complete.").waitFor();
      await page.getByText("Open the card in Purser and show its number again").waitFor();
      const onward = page.getByRole("link", { name: /^Go to your (cards|organizations)$/ });
      expect(await onward.getAttribute("href")).toBe(ended === url ? `/${organizationId}/cards` : "/");
      expect(violations).toEqual([]);
      await page.context().close();
    }
  });

  it("can be in no frame, and its scripts can call nothing else of ours", async () => {
    const { link } = await test.cardAt("sandbox");
    const { page, violations } = await test.open(await link());
    await page.getByRole("button", { name: "Show the number" }).waitFor();
    const call = (path: string) => page.evaluate(`fetch("${path}").then(() => "sent", () => "refused")`);
    expect(await call("/api/me")).toBe("refused");
    expect(await call("/cards/reveal/check")).toBe("sent");
    expect(await call("https://evil.example/")).toBe("refused");
    expect(violations.every((line) => line.includes("Content Security Policy"))).toBe(true);
    expect(violations).not.toEqual([]);

    await page.route(test.pages.home, (route) =>
      route.fulfill({ contentType: "text/html", body: `<iframe src="${addressOf("sandbox")}"></iframe>` }),
    );
    await page.goto(test.pages.home);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await page.context().close();
  });
});

describe("the headers of the page", () => {
  const policy = (script: string, connect: string, frame: string) => [
    "default-src 'none'",
    `script-src 'self'${script}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${test.pages.base}/cards/reveal/${connect}`,
    `frame-src ${frame}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];

  it("allow each issuer's component its own hosts alone", async () => {
    const stripeSources = "https://js.stripe.com https://*.js.stripe.com";
    const expected = {
      sandbox: policy("", "", "'none'"),
      lithic: policy("", "", new URL(test.lithic.fake.url).origin),
      stripe: policy(` ${stripeSources}`, " https://api.stripe.com", stripeSources),
    };
    for (const [issuer, directives] of Object.entries(expected)) {
      const { headers } = await fetch(addressOf(issuer));
      expect([issuer, headers.get("content-security-policy")!.split("; ")]).toEqual([issuer, directives]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
      });
    }
    const { headers } = await fetch(test.pages.base);
    expect(headers.get("content-security-policy")).not.toContain("stripe");
  });

  it("are those of no page for an unknown issuer, and of no cached answer for a posted link", async () => {
    for (const name of ["unknown", "__proto__", "check"])
      expect((await fetch(addressOf(name))).status).toBe(404);
    const post = (path: string, body: unknown) =>
      fetch(`${test.pages.base}/cards/reveal/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const checked = await post("check", { token: "nothing" });
    expect([checked.headers.get("cache-control"), await checked.json()]).toEqual([
      "no-store",
      { outcome: "ended" },
    ]);
    for (const body of [
      {},
      { token: 1 },
      { token: "x".repeat(201) },
      { token: "x", more: 1 },
      null,
      "\u0000",
    ])
      expect([body, (await post("open", body)).status]).toEqual([body, 400]);
    expect((await fetch(`${test.pages.base}/cards/reveal/open`, { method: "PUT" })).status).toBe(405);
  });
});

// The last test of this file, because it reads what all others left behind.
describe("the logs, the traces and the database", () => {
  it("hold no number, no link, and no key to one", async () => {
    const recorded = await test.traces();
    // Otherwise they would trivially contain none.
    expect(recorded.stored).toContain("cards.reveal.opened");
    expect(recorded.logged).toContain("/cards/reveal/open");
    expect(recorded.traced).toContain("card_reveals");
    expect(test.secrets.length).toBeGreaterThan(15);
    for (const [destination, text] of Object.entries(recorded))
      expect([destination, test.secrets.filter((secret) => text.includes(secret))]).toEqual([
        destination,
        [],
      ]);
  });
});
