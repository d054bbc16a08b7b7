import { cardTransactions } from "@purser/db";
import { type TestPurser, changeTestTrigger, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";
import { recordAdvice } from "./service/advise.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { recordSettlement } from "./service/settle.ts";

let purser: TestPurser;
let fixture: CardFixture;
let card: TestCard;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());
beforeEach(async () => {
  card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
});

const networkNow = () => cardNetwork({ card: card.reference, at: purser.clock.now() });

/** The transactions of the card, the oldest first. */
async function rows(): Promise<string[]> {
  const found = await purser.db
    .select()
    .from(cardTransactions)
    .where(eq(cardTransactions.cardId, card.id))
    .orderBy(cardTransactions.id);
  return found.map(({ status, amount, declineReason: reason }) => [status, amount, reason].join(" ").trim());
}

describe("a purchase under the id of one that has ended", () => {
  it("takes the id in the transaction that stores it, so that no repeat is decided in between", async () => {
    const first = networkNow().authorization({ amount: 400 });
    const { authorization } = first;
    const decide = (message: typeof first) => authorizePurchase(purser.platform, "sandbox", message);
    // The network has decided without us, so only its advice has the id of the request.
    await recordAdvice(purser.platform, "sandbox", adviceOn(first));
    await recordSettlement(purser.platform, "sandbox", networkNow().reversal(authorization));
    await purser.db.execute(sql`
      CREATE FUNCTION refuse_purchase() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
    const table = sql`ON card_transactions`;
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER refused BEFORE INSERT ${table} FOR EACH ROW
        WHEN (NEW.amount = 250) EXECUTE FUNCTION refuse_purchase()`,
    );
    await expect(decide(networkNow().authorization({ authorization, amount: 250 }))).rejects.toThrow(
      "Failed query",
    );
    await changeTestTrigger(purser.db, sql`DROP TRIGGER refused ${table}`);
    expect((await decide(first)).response).toEqual({ approved: true, reason: null });
    expect(await rows()).toEqual(["DECLINED 400 authorization_reversed"]);
  });

  it("is released when the clearings of the ended one end, which took nothing of its hold", async () => {
    const first = networkNow().authorization({ amount: 400 });
    const { authorization } = first;
    const settle = (message: Parameters<typeof recordSettlement>[2]) =>
      recordSettlement(purser.platform, "sandbox", message);
    await authorizePurchase(purser.platform, "sandbox", first);
    await settle(networkNow().reversal(authorization));
    await settle(networkNow().clearing(authorization, 450, false));
    const second = networkNow().authorization({ authorization, amount: 250 });
    await authorizePurchase(purser.platform, "sandbox", second);
    const end = networkNow().clearing(authorization, 0);
    await settle(end);
    await settle(end);
    expect(await rows()).toEqual([
      "DECLINED 400 authorization_reversed",
      "COMPLETED 450",
      "DECLINED 250 authorization_reversed",
    ]);
  });

  it("is decided after a clearing without a request, which keeps its refund", async () => {
    const first = { ...networkNow().clearing("unrequested", 450), isUnrequested: true };
    const settle = (message: Parameters<typeof recordSettlement>[2]) =>
      recordSettlement(purser.platform, "sandbox", message);
    const { id } = await settle(first);
    const second = networkNow().authorization({ authorization: "unrequested", amount: 250 });
    const { response } = await authorizePurchase(purser.platform, "sandbox", second);
    expect(response.approved).toBe(true);
    await settle(networkNow().refund("unrequested", 450));
    const [cleared] = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.id, id));
    expect(cleared).toMatchObject({ refunded: 450 });
    expect(await rows()).toEqual(["COMPLETED 450", "PENDING 250", "COMPLETED -450"]);
  });
});
