import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { flakyIssuer } from "../testing/flaky-issuer.ts";
import { cardNetwork } from "../testing/network.ts";
import { cardReceivers } from "../webhooks.ts";

let purser: TestPurser;
let fixture: CardFixture;
let owner: Person;
let card: TestCard;

beforeAll(async () => {
  purser = await createTestPurser({ issuers: flakyIssuer().issuers });
  fixture = await createCardFixture(purser);
  ({ owner } = fixture);
});
afterAll(() => purser.close());
beforeEach(async () => {
  purser.clock.set("2030-12-01T09:00:00Z");
  card = await fixture.card();
});

const cardNow = () => purser.as(owner).cards.get({ organizationId: card.organizationId, cardId: card.id });

/** The issuer reports that it has renewed the card until December of a year. */
async function renew(expiryYear: number, reference = card.reference) {
  const [receiver] = cardReceivers(purser.platform);
  const body = JSON.stringify({ card: reference, expiryMonth: 12, expiryYear });
  return receiver!.apply({ id: "event", type: "card.renewed", body } as never);
}

async function buy() {
  const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
  const { response } = await authorizePurchase(
    purser.platform,
    "sandbox",
    network.authorization({ amount: 1 }),
  );
  return response;
}

describe("a card that its issuer has renewed", () => {
  it("is used after its first expiry", async () => {
    purser.clock.set("2031-01-02T09:00:00Z");
    expect(await buy()).toEqual({ approved: false, reason: "card_expired" });
    expect(await renew(2034)).toBe("APPLIED");
    expect(await buy()).toEqual({ approved: true, reason: null });
    expect(await cardNow()).toMatchObject({ expiryMonth: 12, expiryYear: 2034 });
  });

  it("is renewed once, and never to an earlier expiry, in whatever order the events come", async () => {
    expect(await renew(2038)).toBe("APPLIED");
    for (const year of [2038, 2034]) expect(await renew(year)).toBe("IGNORED");
    expect(await cardNow()).toMatchObject({ expiryYear: 2038 });
  });

  it("is in the feed and in the audit trail, as a change by nobody here", async () => {
    await renew(2034);
    const { organizationId, id: subject } = card;
    const { events } = purser.as(owner);
    const listed = await events.list({ organizationId, subject });
    expect(listed[0]).toMatchObject({ type: "card.updated", actor: null, data: await cardNow() });
    const audit = await purser.as(owner).organizations.audit.list({ id: organizationId });
    const last = audit.find((entry) => entry.subject === subject);
    const details = { expiryMonth: 12, expiryYear: 2034 };
    expect(last).toMatchObject({ action: "cards.renewedByIssuer", actor: null, details });
  });

  it("is ignored if it was not issued here", async () => {
    expect(await renew(2034, "unknown")).toBe("IGNORED");
  });
});
