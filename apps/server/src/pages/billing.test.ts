// @module-tag slow
import { sandboxSubscriptions } from "@purser/db";
import type { Person } from "@purser/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPages, readability, startTestPages } from "../testing/pages.ts";
import { type TestService, createTestService } from "../testing/service.ts";

const hostile = `<script>window.broken=1</script> "Söhne" & Co`;
const day = 24 * 60 * 60 * 1000;
let pages: TestPages;
let service: TestService;
let base: string;
let home: string;
let owner: Person;

beforeAll(async () => {
  pages = await startTestPages();
  ({ service, base, home } = pages);
  owner = await service.purser.person();
});
afterAll(() => pages?.close());

const as = () => service.purser.as(owner);

/** Creates a team with an open checkout, and returns the address of its payment page. */
async function begin(redirectUrl?: string): Promise<{ organizationId: string; url: string }> {
  const { id: organizationId } = await as().organizations.create({ name: hostile });
  const plans = await as().billing.plans.list();
  const { id: planId, variants } = plans.find(({ name }) => name === "Team")!;
  const wish = { teamId: organizationId, planId, variantId: variants[0]!.id };
  return {
    organizationId,
    url: await as().billing.checkout({ ...wish, ...(redirectUrl && { redirectUrl }) }),
  };
}

const card = { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "987", name: "Ada Lovelace" };

const get = (url: string) => fetch(url, { redirect: "manual" });

/** Sends a form as a browser does, without following the redirect. */
const send = (url: string, form: Record<string, string>) =>
  fetch(url, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

/** Opens the portal of a team that has paid. */
async function subscribed(): Promise<{ organizationId: string; portal: string }> {
  const { organizationId, url } = await begin();
  await get((await send(url, { do: "pay", ...card })).headers.get("location")!);
  const { id: subscriptionId } = (await as().organizations.subscription.get({ organizationId }))!;
  const redirectUrl = `${home}/settings`;
  return { organizationId, portal: await as().billing.portal({ subscriptionId, redirectUrl }) };
}

/** Returns the subscription as the team sees it once all events are applied. */
async function subscription(organizationId: string) {
  await service.purser.drain();
  return as().organizations.subscription.get({ organizationId });
}

const open = (url: string) => pages.open(url, { javaScriptEnabled: false });

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).press("Enter");

/** Types a card into the fields, beginning with the focused one. */
async function typeCard(page: Page, number: string): Promise<void> {
  for (const text of [number, card.expiry, card.cvc, card.name]) {
    await page.keyboard.insertText(text);
    await page.keyboard.press(text === card.name ? "Enter" : "Tab");
  }
}

describe("the checkout of the built-in payment provider", () => {
  it("takes a payment by keyboard alone and without a script, and returns whether paid or not", async () => {
    const { organizationId, url } = await begin(`${home}/plans?tab=team`);
    const { page, violations } = await open(url);
    expect(await page.title()).toBe("Checkout · Local Pay");
    await page.getByRole("heading", { name: `${hostile} subscribes to Team` }).waitFor();
    // Leaving requires no input.
    await press(page, "Go back without paying");
    expect((await pages.returned(page)).searchParams.get("checkout")).toBe("open");
    expect(await as().organizations.subscription.get({ organizationId })).toBeNull();

    await page.goto(url);
    // Tab past the skip link, into the number.
    for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
    await typeCard(page, "4000-0000-0000-0002");

    // The error is shown at its field, which receives the focus. Input that may be kept stays.
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    expect(await page.title()).toBe("Error: Checkout · Local Pay");
    const number = page.getByLabel("Card number");
    expect(await page.locator(":focus").getAttribute("id")).toBe("number");
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    const described = (await number.getAttribute("aria-describedby"))!.split(" ");
    expect(described).toContain(await page.getByRole("alert").getAttribute("id"));
    expect(await page.getByLabel("Name on the card").inputValue()).toBe(card.name);
    const markup = await page.content();
    for (const secret of ["4000-0000-0000-0002", card.cvc]) expect(markup).not.toContain(secret);

    await typeCard(page, card.number);
    const { pathname, searchParams } = await pages.returned(page);
    expect([pathname, Object.fromEntries(searchParams)]).toMatchObject([
      "/plans",
      { tab: "team", checkout: "completed" },
    ]);
    expect(await as().organizations.subscription.get({ organizationId })).toMatchObject({
      status: "ACTIVE",
    });
    // The address is used up, and redirects to the result of the payment.
    await page.goto(url);
    expect((await pages.returned(page)).searchParams.get("checkout")).toBe("completed");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("accepts one of two concurrent payments, and redirects both", async () => {
    const { url } = await begin();
    const { db } = service.purser;
    const before = await db.$count(sandboxSubscriptions);
    const responses = await Promise.all([1, 2].map(() => send(url, { do: "pay", ...card })));
    const [one, other] = responses.map(({ status, headers }) => [status, headers.get("location")]);
    expect(one).toEqual([
      303,
      expect.stringMatching(/^http:.*\/billing\/checkouts\/chk_[0-9a-z]{26}\/return$/),
    ]);
    expect(other).toEqual(one);
    expect(await db.$count(sandboxSubscriptions)).toBe(before + 1);
  });

  it("shows our own page if there is no return address, and otherwise lets users check again", async () => {
    const { url } = await begin();
    const back = (await send(url, { do: "leave" })).headers.get("location")!;
    const seen = async () => (await fetch(back)).text();
    expect(await seen()).toContain("<h1>Not paid yet</h1>");
    expect(await seen()).toContain(`href="${new URL(back).pathname}"`);
    await send(url, { do: "pay", ...card });
    expect(await seen()).toContain("<h1>Thank you</h1>");
  });

  it("believes the stored checkout, not its address, and links on from where it knows none", async () => {
    const { url } = await begin();
    const back = (await send(url, { do: "leave" })).headers.get("location")!;
    const checkoutId = /chk_\w+/.exec(back)![0];
    const claim = await get(`${base}/billing/done?checkout=completed&checkoutId=${checkoutId}`);
    expect(await claim.text()).toContain("<h1>Not paid yet</h1>");
    const unknownIds = ["chk_unknown", service.purser.unknownId("chk"), encodeURIComponent(`"><script>`)];
    for (const path of [
      "/billing/done",
      ...unknownIds.map((id) => `/billing/done?checkout=completed&checkoutId=${id}`),
      ...unknownIds.map((id) => `/billing/checkouts/${id}/return`),
    ]) {
      const closed = await get(base + path);
      const markup = await closed.text();
      expect([path, closed.status]).toEqual([path, 404]);
      expect(markup).toContain("<h1>This checkout is closed</h1>");
      expect(markup).toContain(`<a href="/">Go to your organizations</a>`);
    }
  });

  it("returns for any input a page that escapes it", async () => {
    const { url } = await begin();
    const page = await get(url);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
    expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' ${base} ${home};`);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const offered = await page.text();
    expect(offered).toContain("&lt;script&gt;window.broken=1&lt;/script&gt;");
    expect(offered).not.toContain("<script");
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const body of ["", "{}", "do=pay&number=%FF%00&name=%3Cscript%3E", new Uint8Array([0xff, 0xfe])]) {
      const refused = await fetch(url, { method: "POST", body });
      expect(refused.status).toBe(400);
      const markup = await refused.text();
      expect(markup).toContain("Real cards are not accepted here");
      // Every wrong field at once.
      expect(markup).toContain("Enter any three digits.");
      expect(markup).not.toContain("<script");
    }
    const huge = await fetch(url, { method: "POST", body: "x".repeat(1024 * 1024 + 1) });
    expect(huge.status).toBe(413);
    const wrong = await fetch(url, { method: "PUT" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  it("rejects an unknown or expired address", async () => {
    const { url } = await begin();
    const { portal } = await subscribed();
    service.purser.clock.advance(day);
    for (const closed of [url, `${base}/local/checkout/unknown`, portal, `${base}/local/portal/unknown`]) {
      for (const response of [await get(closed), await send(closed, { do: "cancel", ...card })]) {
        expect(response.status).toBe(404);
        const markup = await response.text();
        expect(markup).toContain("This page is closed");
        expect(markup).toContain(`<a href="/">Go back to Purser</a>`);
      }
    }
  });

  it("returns 404 if it is disabled, and so does the page of an unused provider", async () => {
    const without = await createTestService({ settings: { sandboxBilling: false } });
    for (const path of ["/local/checkout/cs_1", "/local/portal/1", "/billing/paddle?_ptxn=txn_1"]) {
      const response = await without.app.request(path);
      expect([response.status, await response.json()]).toMatchObject([404, { code: "NOT_FOUND" }]);
    }
    await without.close();
  });
});

describe("the portal of the built-in payment provider", () => {
  it("takes a subscription through its states, without a script", async () => {
    const { organizationId, portal } = await subscribed();
    const { page, violations } = await open(portal);
    const changeCard = async (number: string) => {
      await page.getByLabel("Card number").focus();
      await typeCard(page, number);
    };
    expect(await page.title()).toBe("Your subscription · Local Pay");
    await press(page, "Cancel at the end of the period");
    await page.getByText("Ends", { exact: true }).waitFor();
    expect(await subscription(organizationId)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true });
    await press(page, "Resume");
    await page.getByText("Next payment").waitFor();

    await page.getByText("Pay with another card").press("Enter");
    await changeCard("4000 0000 0000 0341");
    await page.getByText("Visa ending in 0341").waitFor();
    await press(page, /^To the next event/);
    await page.getByText("A payment has failed").waitFor();
    await page.getByRole("row", { name: "Open after 1 attempt" }).waitFor();
    expect(await subscription(organizationId)).toMatchObject({
      status: "PAST_DUE",
      cancelAtPeriodEnd: false,
    });
    const mail = service.purser.mails.at(-1);
    expect(mail).toMatchObject({ to: owner.email, subject: "A payment for Team has failed" });

    // The form is already open, because the user must enter another card.
    await changeCard("5555 5555 5555 4444");
    await page.getByText("Mastercard ending in 4444").waitFor();
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await subscription(organizationId)).toMatchObject({ status: "ACTIVE" });

    await press(page, "Cancel at the end of the period");
    await page.getByLabel("Or to a date").fill("2026-12-24");
    await press(page, /^Advance$/);
    await page.getByRole("definition").getByText("Ended").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await subscription(organizationId)).toMatchObject({ status: "CANCELED" });
    await page.getByRole("link", { name: "Back" }).press("Enter");
    expect((await pages.returned(page)).pathname).toBe("/settings");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("names the reason of every rejected input", async () => {
    const { portal } = await subscribed();
    const errorFor = async (form: Record<string, string>) => {
      const response = await send(portal, form);
      return [response.status, /role="alert"[^>]*>([^<]*)</.exec(await response.text())?.[1]];
    };
    const noCvc = [400, "Enter any three digits."];
    expect(await errorFor({})).toEqual([400, "Choose an action."]);
    expect(await errorFor({ do: "advance", to: "soon" })).toEqual([400, "Choose a date."]);
    expect(await errorFor({ do: "advance", to: "2020-01-01" })).toEqual([
      400,
      expect.stringContaining("go back"),
    ]);
    expect(await errorFor({ do: "card", ...card, cvc: "" })).toEqual(noCvc);
    await send(portal, { do: "cancel" });
    await send(portal, { do: "advance", to: "2026-12-24" });
    expect(await errorFor({ do: "card", ...card })).toEqual([400, "This subscription has ended."]);
    // The CVC is checked even though the page no longer shows its field.
    expect(await errorFor({ do: "card", ...card, cvc: "" })).toEqual(noCvc);
  });

  it("is readable in light and dark, on wide and narrow screens", async () => {
    const [{ url }, { portal }] = [await begin(), await subscribed()];
    const { page } = await pages.open(url);
    const expectReadable = async () => {
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 320],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const { contrast, isTooWide } = await readability(page);
        expect(contrast).toBeGreaterThan(4.5);
        expect(isTooWide).toBe(false);
      }
    };
    for (const label of ["Card number", "Expires", "CVC", "Name on the card"])
      await page.getByLabel(label).fill("1");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await expectReadable();
    await page.goto(portal);
    await page.getByText("Pay with another card").press("Enter");
    await expectReadable();
    await page.context().close();
  });
});
