import { cardCounters } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CardMessage, RequestMessage } from "../ports.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { recordHistory } from "../testing/history.ts";
import { expectSoundLedger } from "../testing/ledger-check.ts";
import { cardNetwork } from "../testing/network.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { recordSettlement } from "./service/settle.ts";
import type { SettlementMessage } from "./service/settlement-rows.ts";

let purser: TestPurser;
let fixture: CardFixture;
let card: TestCard;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
  await recordHistory(purser);
  purser.clock.set("2026-03-31T23:00:00.000Z");
});
afterAll(() => purser.close());
beforeEach(async () => {
  sent.clear();
  card = await fixture.card({ spendingLimit: 300, limitInterval: "DAILY" });
});

const sent = new Map<string, CardMessage>();
const network = () => cardNetwork({ card: card.reference, at: purser.clock.now() });
const record = (message: SettlementMessage) => {
  sent.set(message.networkId, message);
  return recordSettlement(purser.platform, "sandbox", message);
};
const decide = async (message: Extract<RequestMessage, { kind: "authorization" }>) => {
  sent.set(message.networkId, message);
  return (await authorizePurchase(purser.platform, "sandbox", message)).response;
};

/** A withdrawal of 300, which takes the money at once. Returns its authorization. */
async function withdraw(): Promise<string> {
  const { authorization, networkId, ...request } = network().authorization({ amount: 300 });
  await decide({ ...request, authorization, networkId });
  await record(network().clearing(authorization, 300));
  return authorization;
}

const usedIn = async (day: string) => {
  const ofDay = and(eq(cardCounters.cardId, card.id), eq(cardCounters.startsOn, day));
  const counters = await purser.db.select().from(cardCounters).where(ofDay);
  return counters.find(({ period }) => period === "DAY")?.used;
};
const expectSound = (timeZone = "UTC") =>
  expectSoundLedger(purser, card, { messages: sent, isolated: new Set(), timeZone });

describe("a withdrawal that the network takes back", () => {
  it("gives back the limit, so that the next machine pays out", async () => {
    const authorization = await withdraw();
    expect((await decide(network().authorization({ amount: 300 }))).reason).toBe("daily_limit_exceeded");
    const undoing = network().undoing(authorization);
    const refund = await record(undoing);
    expect(await record(undoing)).toEqual(refund);
    expect(refund).toMatchObject({ status: "COMPLETED", amount: -300 });
    expect(await decide(network().authorization({ amount: 300 }))).toEqual({ approved: true, reason: null });
    await expectSound();
  });

  it("gives back a part, and no more than what counts, in any order with refunds by the merchant", async () => {
    const authorization = await withdraw();
    await record(network().undoing(authorization, 100));
    await record(network().refund(authorization, 150));
    expect(await usedIn("2026-03-31")).toBe(200);
    // Only 50 of it are neither undone nor refunded.
    await record(network().undoing(authorization, 100));
    expect(await usedIn("2026-03-31")).toBe(200);
    await record(network().undoing(authorization, 50));
    expect(await usedIn("2026-03-31")).toBe(150);
    await expectSound();
  });

  it("keeps its amount, and explains that nothing was taken beyond the approval", async () => {
    await record(network().undoing(await withdraw()));
    const { organizationId } = fixture;
    const { transactions } = purser.as(fixture.owner).cards;
    const [, withdrawal] = await transactions.list({ organizationId, cardId: card.id });
    expect(withdrawal).toMatchObject({ status: "COMPLETED", amount: 300 });
    const explained = await transactions.explain({ organizationId, transactionId: withdrawal!.id });
    expect(explained).toMatchObject({ outcome: "approved", amountBeyondApproval: 0 });
  });

  it("moves to another time zone with what still counts", async () => {
    await record(network().undoing(await withdraw(), 200));
    await purser
      .as(fixture.owner)
      .organizations.settings.update({ id: fixture.organizationId, timeZone: "Asia/Kathmandu" });
    await purser.drain();
    expect([await usedIn("2026-03-31"), await usedIn("2026-04-01")]).toEqual([0, 100]);
    await expectSound("Asia/Kathmandu");
  });
});
