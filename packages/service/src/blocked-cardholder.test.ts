import { cardReceivers } from "@purser/cards";
import { createCardFixture, flakyIssuer } from "@purser/cards/testing";
import { stripeIssuingWebhooks } from "@purser/stripe/issuing";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const webhooks = stripeIssuingWebhooks([], () => Promise.reject(new Error("Not called")));

/** Applies an update of a cardholder at Stripe. Returns the effect, and what was logged and counted. */
async function apply(cardholder: object) {
  const log: object[] = [];
  const counted: unknown[] = [];
  const { issuers } = flakyIssuer();
  const issuer = { ...(await issuers.at("sandbox")), webhooks };
  const { logger, meter } = purser.platform;
  const [receiver] = cardReceivers({
    ...purser.platform,
    issuers: { ...issuers, at: async () => issuer },
    logger: { ...logger, warn: (fields: object) => void log.push(fields) },
    meter: { ...meter, count: (metric, labels) => void counted.push([metric.name, labels]) },
  });
  const type = "issuing_cardholder.updated";
  const body = JSON.stringify({ data: { object: cardholder, previous_attributes: { status: "active" } } });
  const event = { area: "cards", provider: "sandbox", eventId: "evt_1", receivedAt: purser.clock.now() };
  const effect = await receiver!.apply({ ...event, area: "cards", type, body });
  return { effect, log, counted };
}

describe("a cardholder whom the issuer has blocked", () => {
  it("is logged by ids and counted, and the cards keep their status", async () => {
    const { organizationId, owner, card } = await createCardFixture(purser);
    const { id: cardId } = await card();
    const metadata = { purser_organization: organizationId, purser_user: owner.userId };
    const holder = { id: "ich_1", name: "Ada Lovelace", status: "blocked", metadata };
    const { effect, log, counted } = await apply(holder);
    expect(effect).toBe("APPLIED");
    expect(log).toEqual([
      { issuer: "sandbox", cardholder: "ich_1", organizationId, userId: owner.userId, reason: "blocked" },
    ]);
    expect(counted).toEqual([["purser_cardholders_blocked_total", { issuer: "sandbox" }]]);
    expect(await purser.as(owner).cards.get({ organizationId, cardId })).toMatchObject({ status: "ACTIVE" });
    expect(await apply({ ...holder, status: "active" })).toEqual({ effect: "IGNORED", log: [], counted: [] });
  });
});
