import { newId } from "@purser/core";
import { minute } from "@purser/core/testing";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CardRequest, type CardStatus, IssuerError } from "../ports.ts";
import { sandboxIssuer } from "./issuer.ts";

const now = new Date("2026-03-02T09:00:00.000Z");
const authSecret = "a secret of the service that is long enough";
const issuer = sandboxIssuer({ settings: { authSecret } as never });
const { webhooks } = issuer;

function request(cardId: string, name = "Ada"): CardRequest {
  const cardholder = { id: "user_1", name, email: "ada@example.com" };
  return { cardId, organizationId: "org_1", currency: "GBP", memo: "Travel", cardholder };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => "none",
    (error: unknown) => (IssuerError.is(error) ? error.kind : error),
  );

describe("a card of the sandbox", () => {
  it("is always the same for the same id", async () => {
    const cardId = newId("card", now);
    const card = await issuer.createCard(request(cardId));
    expect(card).toEqual({
      reference: expect.stringMatching(/^sbx_[0-9a-f]{32}$/),
      lastFour: expect.stringMatching(/^\d{4}$/),
      expiryMonth: 3,
      expiryYear: 2030,
    });
    expect(await issuer.createCard(request(cardId, "Grace"))).toEqual(card);
  });

  it("differs by id, in any currency", async () => {
    const cards = await Promise.all(
      Array.from({ length: 50 }, () => issuer.createCard(request(newId("card", now)))),
    );
    expect(new Set(cards.map(({ reference }) => reference)).size).toBe(50);
    expect(new Set(cards.map(({ lastFour }) => lastFour)).size).toBeGreaterThan(25);
    expect(["GBP", "JPY", "KWD"].every((currency) => issuer.supports(currency))).toBe(true);
  });

  it("is valid for four years from the month in its id", async () => {
    const instant = fc.date({ min: new Date(0), max: new Date("5999-12-31"), noInvalidDate: true });
    const expiry = fc.asyncProperty(instant, async (at) => {
      const { expiryMonth, expiryYear } = await issuer.createCard(request(newId("card", at)));
      expect([expiryYear, expiryMonth]).toEqual([at.getUTCFullYear() + 4, at.getUTCMonth() + 1]);
    });
    await fc.assert(expiry);
  });

  it.each(["outage", "refused"])("fails with %s for a cardholder of that name", async (kind) => {
    expect(await failure(issuer.createCard(request(newId("card", now), `fail-${kind}`)))).toBe(kind);
  });

  it("is refused for an id that is not a card's", async () => {
    for (const id of ["", "card_", newId("pol", now)]) {
      expect(await failure(issuer.createCard(request(id)))).toBe("refused");
    }
  });

  it("accepts any status, for its own id only", async () => {
    const cardId = newId("card", now);
    const { reference } = await issuer.createCard(request(cardId));
    for (const status of ["PAUSED", "FROZEN", "ACTIVE", "CLOSED"] satisfies CardStatus[]) {
      expect(await failure(issuer.setStatus(reference, status, { cardId, version: 1 }))).toBe("none");
    }
    const other = { cardId: newId("card", now), version: 1 };
    expect(await failure(issuer.setStatus(reference, "CLOSED", other))).toBe("card_not_found");
  });
});

const at = "2026-03-01T12:00:00.000Z";
const about = { card: "sbx_1", at };
const known = { networkId: "evt_1", card: "sbx_1", at: new Date(at) };
const shop = { name: "Shop", id: null, category: null, country: null };
const purchase = { ...about, amount: 1250, currency: "GBP", merchant: { name: "Shop" }, channel: "in_store" };

const bodyOf = (type: string, data: object) => Buffer.from(JSON.stringify({ id: "evt_1", type, data }));
const read = (type: string, data: object) =>
  webhooks.readRequest({ type, body: bodyOf(type, data).toString(), receivedAt: now });
const secret = sandboxSecret({ authSecret }, "cards");
const verify = (body: Buffer, headers = signSandboxEvent(secret, body, now), when = now) =>
  webhooks.verify(body, headers, when);

describe("a message of the sandbox's network", () => {
  it.each([
    [
      "authorization.request",
      purchase,
      {
        kind: "authorization",
        authorization: "evt_1",
        amount: 1250,
        currency: "GBP",
        merchant: shop,
        channel: "in_store",
        description: null,
        expiresAt: null,
      },
    ],
    [
      "authorization.request",
      {
        ...purchase,
        authorization: "auth_1",
        description: "Lunch",
        expiresAt: "2026-04-01T00:00:00Z",
        merchant: { name: "Shop", id: "m1", category: "5812", country: "FR" },
      },
      {
        kind: "authorization",
        authorization: "auth_1",
        amount: 1250,
        currency: "GBP",
        channel: "in_store",
        merchant: { name: "Shop", id: "m1", category: "5812", country: "FR" },
        description: "Lunch",
        expiresAt: new Date("2026-04-01T00:00:00Z"),
      },
    ],
    [
      "increment.request",
      { ...about, authorization: "a", amount: 5 },
      { kind: "increment", authorization: "a", amount: 5 },
    ],
    ["reversal", { ...about, authorization: "a" }, { kind: "reversal", authorization: "a", amount: null }],
    ["expiry", { ...about, authorization: "a" }, { kind: "expiry", authorization: "a" }],
    [
      "clearing",
      { ...about, authorization: "a" },
      { kind: "clearing", authorization: "a", amount: null, final: true, merchant: null },
    ],
    [
      "clearing",
      { ...about, amount: 7, final: false, merchant: { name: "Shop" } },
      { kind: "clearing", authorization: "evt_1", amount: 7, final: false, merchant: shop },
    ],
    [
      "refund",
      { ...about, amount: 7, merchant: { name: "Shop" } },
      { kind: "refund", authorization: null, amount: 7, merchant: shop },
    ],
  ])("is read: %s %j", (type, data, message) => {
    expect(read(type, data)).toEqual({ ...known, ...message });
    const body = bodyOf(type, data);
    expect(verify(body)).toEqual({ outcome: "verified", eventId: "evt_1", type });
    expect(webhooks.isRequest(type)).toBe(true);
  });

  it.each([
    ["of an unknown type", "authorization.created", purchase],
    ["with an unknown field", "expiry", { ...about, authorization: "a", amount: 1 }],
    ["without a card", "authorization.request", { ...purchase, card: "" }],
    ["with a fraction of a penny", "authorization.request", { ...purchase, amount: 12.5 }],
    ["with a negative amount", "increment.request", { ...about, authorization: "a", amount: -1 }],
    ["with an unknown currency", "authorization.request", { ...purchase, currency: "gbp" }],
    ["with a day instead of an instant", "expiry", { ...about, authorization: "a", at: "2026-03-01" }],
    ["about no purchase", "reversal", { ...about, amount: 1 }],
    ["with a merchant without a name", "refund", { ...about, amount: 1, merchant: { id: "m1" } }],
  ])("is refused %s, even if signed", (_what, type, data) => {
    expect(verify(bodyOf(type, data))).toEqual({ outcome: "refused", reason: "malformed" });
    expect(read(type, data)).toBeNull();
  });

  it("is refused without this area's signature, or out of time", () => {
    const body = bodyOf("authorization.request", purchase);
    const foreign = signSandboxEvent(sandboxSecret({ authSecret }, "banking"), body, now);
    for (const headers of [new Headers(), foreign]) {
      expect(verify(body, headers)).toEqual({ outcome: "refused", reason: "signature" });
    }
    const late = new Date(now.getTime() + 5 * minute + 1);
    expect(verify(body, undefined, late)).toEqual({ outcome: "refused", reason: "time" });
  });

  it("is answered with the response", () => {
    const event = { type: "authorization.request", body: "{}" };
    expect(webhooks.formatResponse(event, { approved: false, reason: "card_paused" })).toEqual({
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"approved":false,"reason":"card_paused"}',
    });
  });
});
