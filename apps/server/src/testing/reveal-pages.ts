import { createCardFixture } from "@purser/cards/testing";
import { cards } from "@purser/db";
import { startLithicIssuer } from "@purser/lithic/fake";
import { startStripeIssuingFake } from "@purser/stripe/fake";
import { eq, sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { openTracing } from "../tracing/index.ts";
import { startCollector } from "./collector.ts";
import { type TestPages, startTestPages } from "./pages.ts";

const publishableKey = "pk_test_purser";

/** The number that Stripe shows of every card. */
export const stripeNumber = "4000009990000013";

export type RevealPages = Awaited<ReturnType<typeof startRevealPages>>;

/**
 * A service with the fakes of all issuers, a browser that reaches them, and a record of what the service stores, logs and
 * traces.
 */
export async function startRevealPages() {
  const clock = { now: () => pages.service.purser.clock.now() };
  const stripe = await startStripeIssuingFake(clock);
  const lithic = await startLithicIssuer(clock);
  const collector = await startCollector();
  const logged: string[] = [];
  const log = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const logger = { debug: log, info: log, warn: log, error: log };
  const tracing = (await openTracing({ traces: { url: collector.url, share: 1 } }, log))!;
  const billingAddress = { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" };
  const issuers = {
    stripe: { ...accessTo(stripe), publishableKey, billingAddress, currencies: ["GBP"] },
    lithic: { ...accessTo({ ...lithic.fake, baseUrl: lithic.fake.url }), environment: "sandbox" as const },
  };
  const pages: TestPages = await startTestPages(
    { issuers },
    { logger, tracing, webConsole: () => "not built" },
  );
  const { purser } = pages.service;
  const holder = await purser.person();
  const fixture = await createCardFixture(purser, { members: [holder] });
  const network = { isStripeReachable: true };
  /** Every number and link. None may be stored, logged or traced. */
  const secrets: string[] = [];

  /** Issues a card at this issuer. Stripe, the first of the configured ones, issues the cards in pounds. */
  async function cardAt(name: "sandbox" | "stripe" | "lithic") {
    const card = await fixture.card({}, holder.userId);
    const theCard = { organizationId: card.organizationId, cardId: card.id };
    let { reference } = card;
    if (name !== "stripe") {
      const issuer = await purser.platform.issuers.at(name);
      const cardholder = { id: holder.userId, name: "Ada Lovelace", email: "ada@example.com" };
      const issued = await issuer.createCard({ ...theCard, currency: "USD", memo: "Travel", cardholder });
      ({ reference } = issued);
      const row = { issuer: name, issuerReference: reference, lastFour: issued.lastFour };
      await purser.db.update(cards).set(row).where(eq(cards.id, card.id));
    }
    const { lastFour } = await purser.as(holder).cards.get(theCard);
    const link = async () => {
      const { url } = await purser.as(holder).cards.reveal(theCard);
      secrets.push(url.split(".").at(-1)!);
      return url;
    };
    return { ...theCard, reference, lastFour, link };
  }

  /** Opens a link in a browser with a clock of the test. `received` holds what our service sent to it. */
  async function open(url: string, { from = [], ...options }: Parameters<TestPages["open"]>[1] = {}) {
    const allowed = { ...options, from: ["about:", ...from] };
    const { page, violations } = await pages.open("about:blank", allowed);
    const received: string[] = [];
    page.on("response", async (response) => {
      if (response.url().startsWith(pages.base)) received.push(await response.text().catch(() => ""));
    });
    await page.clock.install();
    await routeStripe(page);
    await page.goto(url);
    return { page, violations, received };
  }

  async function routeStripe(page: Page): Promise<void> {
    const { nonces, ephemeralKeys } = stripe.state;
    await page.route("https://api.stripe.com/nonce", (route) => {
      const { key, issuingCard } = route.request().postDataJSON() as { key: string; issuingCard: string };
      const nonce = `ephkn_${stripe.log.length}_${nonces.size}`;
      if (key === publishableKey) nonces.set(nonce, issuingCard);
      return route.fulfill({ json: { nonce }, headers: { "access-control-allow-origin": "*" } });
    });
    await page.route("https://js.stripe.com/**", (route) => {
      if (!network.isStripeReachable) return route.abort();
      const { pathname, searchParams } = new URL(route.request().url());
      if (pathname.endsWith(".js"))
        return route.fulfill({ contentType: "text/javascript", body: stripeScript });
      const { type, nonce, ephemeralKeySecret, color } = Object.fromEntries(searchParams);
      const isGranted = ephemeralKeys.get(ephemeralKeySecret!) === nonce;
      const body = isGranted ? shownByStripe[type!] : "";
      const html = `<html lang="en"><title>${type}</title><body style="color: ${color}; margin: 0">${body}</html>`;
      return route.fulfill({ contentType: "text/html", body: html });
    });
  }

  return {
    pages,
    stripe,
    lithic,
    network,
    secrets,
    cardAt,
    open,
    /** All that the service has stored, logged and traced. Ends the traces. */
    async traces() {
      await purser.drain();
      await tracing.close();
      return {
        stored: await everyRow(pages),
        logged: logged.join("\n"),
        traced: collector.received().toString("latin1"),
      };
    },
    async close() {
      await pages.close();
      await Promise.all([stripe.stop(), lithic.fake.close()]);
      collector.close();
    },
  };
}

const accessTo = ({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }) => ({
  apiKey,
  baseUrl,
  webhookSecrets: [],
});

const shownByStripe: Record<string, string> = {
  issuingCardNumberDisplay: stripeNumber,
  issuingCardExpiryDisplay: "03/29",
  issuingCardCvcDisplay: "737",
};

/**
 * A stand-in for Stripe.js, as far as the page uses it. Like Stripe's, it shows the number in frames of its own host,
 * for a nonce and the key that was made for it.
 */
const stripeScript = `window.Stripe = (key) => ({
  createEphemeralKeyNonce: ({ issuingCard }) =>
    fetch("https://api.stripe.com/nonce", { method: "POST", body: JSON.stringify({ key, issuingCard }) })
      .then((response) => response.json()),
  elements: () => ({
    create: (type, { nonce, ephemeralKeySecret, style }) => {
      const frame = document.createElement("iframe");
      const { color } = style.base;
      Object.assign(frame, { title: type, width: "100%", height: "100%", frameBorder: "0" });
      frame.src = "https://js.stripe.com/element?" + new URLSearchParams({ type, nonce, ephemeralKeySecret, color });
      return { mount: (place) => place.append(frame), on: () => undefined, destroy: () => frame.remove() };
    },
  }),
});`;

/** Every row of every table, as in a stolen dump. */
async function everyRow({ service }: TestPages): Promise<string> {
  const { db } = service.purser;
  const tables = await db.execute<{ name: string }>(
    sql`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await db.execute<{ row: string }>(
      sql`SELECT row_to_json(one)::text AS row FROM ${sql.raw(name)} one`,
    );
    rows.push(...found.map(({ row }) => row));
  }
  return rows.join("\n");
}
