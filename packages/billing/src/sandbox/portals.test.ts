import { newId } from "@purser/core";
import { day, hour } from "@purser/core/testing";
import { sandboxPortals } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentProvider } from "../ports.ts";
import { boughtSubscription } from "../testing/fake.ts";
import { goodCard } from "../testing/sandbox-fake.ts";
import { payCheckout } from "./checkouts.ts";
import { purgeSandboxBillingPages, sandboxPayments } from "./payments.ts";
import {
  openPortalPage,
  portalAdvance,
  portalCancel,
  portalConfirm,
  portalReplaceCard,
  portalResume,
} from "./portals.ts";

let purser: TestPurser;
let local: PaymentProvider;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  local = sandboxPayments(purser.platform);
  organizationId = await purser.organization(await purser.person());
});
afterAll(() => purser.close());

const cardNumbers = { fails: "4000000000000341", authenticates: "4000002500003155" };
const done = { outcome: "done" };
const refused = (message: string) => ({ outcome: "refused", message: expect.stringContaining(message) });
const later = (milliseconds: number) => new Date(purser.clock.now().getTime() + milliseconds);

/** The portal of a new subscription. */
async function newPortal(number = goodCard.number, planId = "local_team") {
  const team = { organizationId, name: "Acme", email: "owner@example.com", customerId: null };
  const offer = { planId, variantId: `${planId}_monthly`, returnUrl: "https://app.example.com/back" };
  const checkoutId = newId("chk", purser.clock.now());
  const { reference } = await local.createCheckout({ ...team, ...offer, checkoutId });
  await payCheckout(purser.platform, reference, { ...goodCard, number });
  const id = await boughtSubscription(local, reference);
  return { id, token: await tokenFor(id) };
}

async function tokenFor(id: string): Promise<string> {
  const url = await local.createPortal({
    id,
    customerId: "",
    returnUrl: "https://app.example.com/portal",
    organizationSubscriptionIds: [id],
  });
  const [, token = ""] = /^http:\/\/localhost:3000\/local\/portal\/([\w-]{43})$/.exec(url) ?? [];
  expect(token).not.toBe("");
  return token;
}

const page = (token: string) => openPortalPage(purser.platform, token);
const statusAt = async (token: string) => (await page(token))!.subscription.status;

describe("the portal of the built-in provider", () => {
  it("shows the subscription, its card and its invoices, the newest twelve", async () => {
    const { id, token } = await newPortal();
    const now = purser.clock.now();
    expect(await page(token)).toEqual({
      organizationName: "Acme",
      subscription: {
        id,
        planName: "Team",
        variant: expect.objectContaining({ price: 2900, interval: "month" }),
        status: "active",
        currentPeriodStart: now,
        currentPeriodEnd: new Date("2026-04-02T09:00:00.000Z"),
        canceledAt: null,
        cancelAtPeriodEnd: false,
        endedAt: null,
        presentAt: now,
        nextAttemptAt: null,
      },
      card: { brand: "Visa", lastFour: "4242", expiryMonth: 12, expiryYear: 2040 },
      invoices: [expect.objectContaining({ number: 1, status: "paid" })],
      returnUrl: "https://app.example.com/portal",
      canAdvance: true,
    });
    await portalAdvance(purser.platform, token, later(14 * 31 * day));
    const numbers = (await page(token))!.invoices.map(({ number }) => number);
    expect(numbers).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  });

  it("shows due events before they are stored", async () => {
    const { id } = await newPortal(cardNumbers.fails);
    purser.clock.advance(32 * day);
    const { subscription, invoices } = (await page(await tokenFor(id)))!;
    expect(subscription.status).toBe("past_due");
    expect(subscription.nextAttemptAt).toEqual(new Date(invoices[0]!.createdAt.getTime() + 3 * day));
    expect(invoices).toMatchObject([
      { number: 2, status: "open" },
      { number: 1, status: "paid" },
    ]);
  });

  it("grants access by URL for an hour, and stores only the token's hash", async () => {
    const { id, token } = await newPortal();
    const stored = JSON.stringify(await purser.db.select().from(sandboxPortals));
    expect(stored).toContain(id);
    expect(stored).not.toContain(token);
    purser.clock.advance(hour - 1);
    expect(await page(token)).not.toBeNull();
    purser.clock.advance(1);
    for (const unknown of [token, "", "\0", "x".repeat(5000)]) {
      const { platform } = purser;
      expect(await page(unknown)).toBeNull();
      expect(await portalCancel(platform, unknown)).toBeNull();
      expect(await portalResume(platform, unknown)).toBeNull();
      expect(await portalConfirm(platform, unknown)).toBeNull();
      expect(await portalReplaceCard(platform, unknown, goodCard)).toBeNull();
      expect(await portalAdvance(platform, unknown, later(day))).toBeNull();
    }
    expect(await local.subscription(id)).toMatchObject({ cancelAtPeriodEnd: false });
    await purgeSandboxBillingPages(purser.platform, later(day));
    expect(await purser.db.select().from(sandboxPortals)).toEqual([]);
  });

  it("is created for existing subscriptions only", async () => {
    const portal = local.createPortal({
      id: purser.unknownId("sub"),
      customerId: "",
      returnUrl: "https://a.example",
      organizationSubscriptionIds: [],
    });
    await expect(portal).rejects.toMatchObject({ kind: "not_found" });
  });

  it("cancels, resumes, and refuses both once the subscription has ended", async () => {
    const { id, token } = await newPortal();
    expect(await portalCancel(purser.platform, token)).toEqual(done);
    expect(await local.subscription(id)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await portalResume(purser.platform, token)).toEqual(done);
    expect(await local.subscription(id)).toMatchObject({ cancelAtPeriodEnd: false });
    await portalCancel(purser.platform, token);
    await portalAdvance(purser.platform, token, later(32 * day));
    expect(await statusAt(token)).toBe("canceled");
    expect(await portalResume(purser.platform, token)).toEqual(refused("ended"));
    expect(await portalReplaceCard(purser.platform, token, goodCard)).toEqual(refused("ended"));
  });

  it("accepts a card that pays the open invoice, and explains a refusal", async () => {
    const { token } = await newPortal(cardNumbers.fails, "local_business");
    const replace = (change: Partial<typeof goodCard>) =>
      portalReplaceCard(purser.platform, token, { ...goodCard, ...change });
    await portalAdvance(purser.platform, token, later(14 * day));
    expect(await statusAt(token)).toBe("past_due");
    await portalAdvance(purser.platform, token, later(30 * day));
    expect(await statusAt(token)).toBe("unpaid");
    expect(await replace({ number: "4111 1111 1111 1111" })).toMatchObject({
      outcome: "invalid",
      field: "number",
    });
    expect(await replace({ number: "4000000000000002" })).toMatchObject({ outcome: "declined" });
    expect(await replace({ number: cardNumbers.fails })).toEqual(done);
    expect(await statusAt(token)).toBe("unpaid");
    expect(await replace({ number: "5555555555554444" })).toEqual(done);
    const { subscription, card, invoices } = (await page(token))!;
    expect([subscription.status, card.lastFour, invoices[0]!.status]).toEqual(["active", "4444", "paid"]);
  });

  it("confirms a first payment, after which the card succeeds", async () => {
    const { id, token } = await newPortal(cardNumbers.authenticates);
    expect(await local.subscription(id)).toMatchObject({ status: "INCOMPLETE" });
    for (let time = 1; time <= 2; time += 1) {
      expect(await portalConfirm(purser.platform, token)).toEqual(done);
      expect(await statusAt(token)).toBe("active");
    }
    await portalAdvance(purser.platform, token, later(32 * day));
    expect(await statusAt(token)).toBe("active");
  });

  it("refuses to confirm a payment of a subscription that was canceled before", async () => {
    const { id, token } = await newPortal(cardNumbers.authenticates);
    await local.cancel(id);
    expect(await local.subscription(id)).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    expect(await portalConfirm(purser.platform, token)).toEqual(refused("has ended"));
  });

  it("moves the clock forward only, by at most five years, and only in a sandbox", async () => {
    const { token } = await newPortal();
    expect(await portalAdvance(purser.platform, token, later(-1))).toEqual(refused("go back"));
    expect(await portalAdvance(purser.platform, token, later(6 * 365 * day))).toEqual(refused("five years"));
    const platform = { ...purser.platform, settings: { ...purser.platform.settings, sandbox: false } };
    expect(await openPortalPage(platform, token)).toMatchObject({ canAdvance: false });
    expect(await portalAdvance(platform, token, later(day))).toEqual(refused("sandbox"));
    expect((await page(token))!.subscription.presentAt).toEqual(purser.clock.now());
  });
});
