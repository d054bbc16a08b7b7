import { createRandom } from "@purser/core";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  isNightly,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import type { CardStatus, IssuerCardStatus } from "../ports.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { type FlakyIssuer, flakyIssuer } from "../testing/flaky-issuer.ts";
import { cardNetwork } from "../testing/network.ts";
import { cardReceivers } from "../webhooks.ts";

let issuer: FlakyIssuer;
let purser: TestPurser;
let fixture: CardFixture;
let owner: Person;
let card: TestCard;

beforeAll(async () => {
  issuer = flakyIssuer();
  purser = await createTestPurser({ issuers: issuer.issuers });
  fixture = await createCardFixture(purser);
  ({ owner } = fixture);
});
afterAll(() => purser.close());
beforeEach(async () => {
  issuer.failure = "none";
  card = await fixture.card();
});

const theCard = () => ({ organizationId: card.organizationId, cardId: card.id });

const cardNow = () => purser.as(owner).cards.get(theCard());

/** The issuer reports the status of a card. */
async function report(status: IssuerCardStatus["status"], reference = card.reference) {
  const [receiver] = cardReceivers(purser.platform);
  const body = JSON.stringify({ card: reference, status });
  return receiver!.apply({ id: "event", type: "card.updated", body } as never);
}

describe("a card that its issuer has closed", () => {
  it("is closed here, once, with the issuer as the reason", async () => {
    issuer.cards.set(card.id, "CLOSED");
    expect(await report("closed")).toBe("APPLIED");
    const closedAt = purser.clock.now();
    purser.clock.advance(1000);
    expect(await report("closed")).toBe("IGNORED");
    expect(await cardNow()).toMatchObject({ status: "CLOSED", closedAt });
    const purchase = cardNetwork({ card: card.reference, at: purser.clock.now() }).authorization({
      amount: 1,
    });
    const { response } = await authorizePurchase(purser.platform, "sandbox", purchase);
    expect(response).toEqual({ approved: false, reason: "card_closed" });
    const audit = await purser.as(owner).organizations.audit.list({ id: card.organizationId });
    expect(audit.filter(({ subject }) => subject === card.id)).toMatchObject([
      { action: "cards.closedByIssuer", actor: null, details: { from: "ACTIVE", to: "CLOSED" } },
      { action: "cards.create" },
    ]);
    await purser.drain();
  });

  it("stays closed, whatever arrives later", async () => {
    issuer.cards.set(card.id, "CLOSED");
    await report("closed");
    for (const status of ["open", "suspended"] as const) await report(status);
    const activate = purser.as(owner).cards.updateStatus({ ...theCard(), status: "ACTIVE" });
    expect(await refusalOf(activate)).toBe("CARD_CLOSED");
    await purser.drain();
    expect(issuer.cards.get(card.id)).toBe("CLOSED");
  });

  it("stays closed here after a change of ours that the issuer did not take", async () => {
    await purser.as(owner).cards.updateStatus({ ...theCard(), status: "PAUSED" });
    issuer.cards.set(card.id, "CLOSED");
    await report("closed");
    await purser.drain({ ahead: true });
    expect(await cardNow()).toMatchObject({ status: "CLOSED" });
    expect(issuer.cards.get(card.id)).toBe("CLOSED");
  });
});

describe("a card and its issuer", () => {
  const seeds = Array.from({ length: isNightly ? 100 : 4 }, (_, seed) => seed);

  it.each(seeds)("agree after lost answers, closures and reports in any order (seed %i)", async (seed) => {
    const chance = createRandom("issuer status", seed);
    const reports: IssuerCardStatus["status"][] = [];
    const set = (status: CardStatus) => purser.as(owner).cards.updateStatus({ ...theCard(), status });
    const issuerSets = (status: CardStatus) => {
      if (issuer.cards.get(card.id) === "CLOSED") return;
      issuer.cards.set(card.id, status);
      reports.push(status === "ACTIVE" ? "open" : status === "CLOSED" ? "closed" : "suspended");
    };
    for (let step = 0; step < 12; step += 1) {
      issuer.failure = chance.pick(["none", "outage", "lost response"] as const);
      const act = chance.pick([
        () => set(chance.pick(["ACTIVE", "PAUSED", "FROZEN"] as const)),
        () => set(chance.happens(0.1) ? "CLOSED" : "FROZEN"),
        async () => issuerSets(chance.pick(["ACTIVE", "PAUSED"] as const)),
        async () => chance.happens(0.2) && issuerSets("CLOSED"),
        async () => reports.length > 0 && report(chance.pick(reports)),
        () => purser.drain(),
      ]);
      await act().catch((error: unknown) => expect(problemOf(error).code).toBe("CARD_CLOSED"));
    }
    issuer.failure = "none";
    for (const status of reports.toReversed()) await report(status);
    await purser.drain({ ahead: true });

    const [here, there] = [(await cardNow()).status, issuer.cards.get(card.id)];
    expect(here === "CLOSED").toBe(there === "CLOSED");
    // The issuer may suspend a card that is active here. A card that is not is never open there.
    if (here !== "ACTIVE") expect(there).not.toBe("ACTIVE");
  });
});

describe("a card with another status at its issuer", () => {
  it.each(["FROZEN", "PAUSED", "CLOSED"] as const)("is %s there again if it was opened", async (status) => {
    await purser.as(owner).cards.updateStatus({ ...theCard(), status });
    await purser.drain();
    issuer.cards.set(card.id, "ACTIVE");
    expect(await report("open")).toBe("APPLIED");
    await purser.drain();
    expect(issuer.cards.get(card.id)).toBe(status);
    expect(await cardNow()).toMatchObject({ status });
  });

  it("keeps its status here if the issuer suspended it, and is not opened there", async () => {
    issuer.cards.set(card.id, "PAUSED");
    expect(await report("suspended")).toBe("IGNORED");
    expect(await report("open")).toBe("IGNORED");
    await purser.drain();
    expect(await cardNow()).toMatchObject({ status: "ACTIVE" });
    expect(issuer.cards.get(card.id)).toBe("PAUSED");
  });

  it("is ignored if it was not issued here", async () => {
    expect(await report("closed", "unknown")).toBe("IGNORED");
  });
});
