import { setTimeout as sleep } from "node:timers/promises";
import { cardTransactions, cards } from "@purser/db";
import { type TestPurser, countWaitingForLocks, createTestPurser } from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";
import { declineLate } from "./service/advise.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

describe("late requests of one card", () => {
  it("are declined without the connections of other work, however many there are", async () => {
    const { id, reference } = await fixture.card();
    const network = cardNetwork({ card: reference, at: purser.clock.now() });
    const late = Array.from({ length: 20 }, (_, nth) => network.authorization({ amount: nth + 1 }));
    const { declining } = await purser.db.transaction(async (transaction) => {
      await transaction
        .select()
        .from(cards)
        .where(and(eq(cards.organizationId, fixture.organizationId), eq(cards.id, id)))
        .for("update");
      const all = Promise.all(late.map((message) => declineLate(purser.platform, "sandbox", message)));
      all.catch(() => undefined);
      // By then, those that need a connection have asked for one.
      await sleep(300);
      expect(await countWaitingForLocks(purser.db)).toBe(1);
      return { declining: all };
    });
    await declining;
    const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
    expect(rows).toHaveLength(late.length);
    for (const row of rows) expect(row).toMatchObject({ status: "DECLINED", held: 0 });
  });
});
