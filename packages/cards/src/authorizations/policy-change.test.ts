import { cardPolicies } from "@purser/db";
import { type TestPurser, countWaitingForLocks, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork, repeatWhileUnavailable } from "../testing/network.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import type { DecisionResult } from "./service/record.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

/** Unlike decision connections, those of `db` wait long enough for a lock. */
const patient = () => ({ ...purser.platform, decisionDb: purser.db });

/** Returns the reason of a decision that begins while its policy is changed to another limit, and ends after that. */
async function decidedDuringChange(
  { policyId }: TestCard,
  spendingLimit: number,
  decide: () => Promise<DecisionResult>,
): Promise<string | null> {
  const decision = await purser.db.transaction(async (transaction) => {
    await transaction
      .update(cardPolicies)
      .set({ spendingLimit, version: sql`version + 1` })
      .where(eq(cardPolicies.id, policyId));
    const waiting = decide();
    await expect.poll(() => countWaitingForLocks(purser.db)).toBe(1);
    return { waiting };
  });
  return (await decision.waiting).response.reason;
}

describe("a change of a policy", () => {
  it("is followed by a purchase that began before it, though the card is unchanged", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const { authorization } = cardNetwork({ card: card.reference, at: purser.clock.now() });
    const buy = (amount: number) => () => authorizePurchase(patient(), "sandbox", authorization({ amount }));
    expect(await decidedDuringChange(card, 99, buy(100))).toBe("daily_limit_exceeded");
    expect(await decidedDuringChange(card, 100, buy(100))).toBe(null);
  });

  it("is followed by an increment that began before it", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const { authorization, increment } = cardNetwork({ card: card.reference, at: purser.clock.now() });
    const purchase = authorization({ amount: 100 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    const more = () => incrementHold(patient(), "sandbox", increment(purchase.authorization, 50));
    expect(await decidedDuringChange(card, 149, more)).toBe("daily_limit_exceeded");
    expect(await decidedDuringChange(card, 150, more)).toBe(null);
  });

  it("is stored while purchases with its cards keep coming", async () => {
    const policyId = await fixture.policy({ spendingLimit: 1e9, limitInterval: "MONTHLY" });
    const cards = await Promise.all(Array.from({ length: 8 }, () => fixture.card({ policyId })));
    const { organizationId } = fixture;
    const load = new AbortController();
    const buyers = cards.map(async (card) => {
      const { authorization } = cardNetwork({ card: card.reference, at: purser.clock.now() });
      let decided = 0;
      for (; !load.signal.aborted; decided += 1) {
        const purchase = authorization({ amount: 1 });
        await repeatWhileUnavailable(() => authorizePurchase(purser.platform, "sandbox", purchase));
      }
      return decided;
    });
    const { policies } = purser.as(fixture.owner).cards;
    const changes = async () => {
      for (let round = 1; round <= 20; round += 1) {
        const spendingLimit = 1e9 + round;
        expect(await policies.update({ organizationId, policyId, spendingLimit })).toMatchObject({
          spendingLimit,
        });
      }
    };
    const [, ...decisions] = await Promise.all([changes().finally(() => load.abort()), ...buyers]);
    for (const decided of decisions) expect(decided).toBeGreaterThan(0);
  });
});
