import { cardTransactions, cards } from "@purser/db";
import { type TestPurser, countWaitingForLocks, createTestPurser } from "@purser/testing";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordIssuerRenewal } from "../service/issuer-renewal.ts";
import { recordIssuerStatus } from "../service/issuer-status.ts";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";
import { declineLate, recordAdvice, recordApproval } from "./service/advise.ts";
import { recordSettlement } from "./service/settle.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const each = 20;

/** Starts work on a card that another transaction has locked, and counts how many of its connections wait for the lock. */
async function countWaiting(
  { id }: { id: string },
  start: () => Promise<unknown>[],
): Promise<{ waiting: number; ended: Promise<unknown> }> {
  return purser.db.transaction(async (transaction) => {
    await transaction
      .select()
      .from(cards)
      .where(and(eq(cards.organizationId, fixture.organizationId), eq(cards.id, id)))
      .for("update");
    const ended = Promise.all(start());
    ended.catch(() => undefined);
    await expect.poll(() => countWaitingForLocks(purser.db)).toBeGreaterThan(0);
    // All have asked for a connection at once, if they need one, so this gets one only if they leave one.
    await purser.db.execute(sql`SELECT 1`);
    return { waiting: await countWaitingForLocks(purser.db), ended };
  });
}

const rowsOf = ({ id }: { id: string }) =>
  purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));

describe("messages about one card that arrive together", () => {
  it("are declined without the connections of other work if they are late", async () => {
    const card = await fixture.card();
    const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
    const late = Array.from({ length: each }, (_, nth) => network.authorization({ amount: nth + 1 }));
    const { waiting, ended } = await countWaiting(card, () =>
      late.map((message) => declineLate(purser.platform, "sandbox", message)),
    );
    expect(waiting).toBe(1);
    await ended;
    const rows = await rowsOf(card);
    expect(rows).toHaveLength(each);
    for (const row of rows) expect(row).toMatchObject({ status: "DECLINED", held: 0 });
  });

  it("take one connection, whatever they report", async () => {
    const card = await fixture.card();
    const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
    const { platform } = purser;
    const { waiting, ended } = await countWaiting(card, () =>
      Array.from({ length: each }, (_, nth) => [
        recordSettlement(platform, "sandbox", network.clearing(null, 100)),
        recordAdvice(platform, "sandbox", adviceOn(network.authorization({ amount: 100 }))),
        recordApproval(platform, "sandbox", network.approval(`approved-${nth}`, 100, 100)),
        recordIssuerStatus(platform, "sandbox", { card: card.reference, status: "suspended" }),
        recordIssuerRenewal(platform, "sandbox", {
          card: card.reference,
          expiryMonth: 1,
          expiryYear: 2050,
        }),
      ]).flat(),
    );
    expect(waiting).toBe(1);
    await ended;
    const statuses = (await rowsOf(card)).map(({ status }) => status);
    expect(statuses.filter((status) => status === "COMPLETED")).toHaveLength(each);
    expect(statuses.filter((status) => status === "PENDING")).toHaveLength(2 * each);
  });
});
