import { globSync, readFileSync } from "node:fs";
import { day } from "@purser/core/testing";
import { cardTransactions } from "@purser/db";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";
import { declineLate, recordAdvice, recordApproval } from "./service/advise.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { expireHolds } from "./service/expire.ts";
import { recordSettlement } from "./service/settle.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const migrations = new URL("../../../db/migrations/", import.meta.url);

const networkAt = (card: TestCard) => cardNetwork({ card: card.reference, at: purser.clock.now() });

const rowsOf = ({ id }: TestCard) =>
  purser.db
    .select()
    .from(cardTransactions)
    .where(eq(cardTransactions.cardId, id))
    .orderBy(cardTransactions.id);

const verified = { status: "COMPLETED", amount: 0, authorized: 0, held: 0, cleared: 0, expiresAt: null };

describe("a verification of a card, an authorization of 0", () => {
  it("is final at once when it is approved", async () => {
    const card = await fixture.card();
    const verification = networkAt(card).authorization({ amount: 0 });
    const { response } = await authorizePurchase(purser.platform, "sandbox", verification);
    expect(response).toEqual({ approved: true, reason: null });
    const row = { ...verified, settledAt: purser.clock.now(), declineReason: null };
    expect(await rowsOf(card)).toEqual([expect.objectContaining(row)]);

    purser.clock.advance(8 * day);
    await expireHolds(purser.platform);
    expect(await rowsOf(card)).toEqual([expect.objectContaining(row)]);
    const repeated = await authorizePurchase(purser.platform, "sandbox", verification);
    expect(repeated.response).toEqual(response);
  });

  it("is completed by the migration if an earlier version left it pending", async () => {
    const card = await fixture.card();
    const { authorization } = networkAt(card);
    await authorizePurchase(purser.platform, "sandbox", authorization({ amount: 0 }));
    await authorizePurchase(purser.platform, "sandbox", authorization({ amount: 100 }));
    const [verification, purchase] = await rowsOf(card);
    await purser.db
      .update(cardTransactions)
      .set({ status: "PENDING", settledAt: null, expiresAt: purchase!.expiresAt })
      .where(eq(cardTransactions.id, verification!.id));
    const [name] = globSync("*_card_verifications.sql", { cwd: migrations });
    await purser.db.execute(sql.raw(readFileSync(new URL(name!, migrations), "utf8")));
    expect(await rowsOf(card)).toEqual([verification, purchase]);
  });

  it("is declined by every rule but the limit", async () => {
    const card = await fixture.card({ allowOnline: false, spendingLimit: 0, limitInterval: "DAILY" });
    const { authorization } = networkAt(card);
    const online = await authorizePurchase(
      purser.platform,
      "sandbox",
      authorization({ amount: 0, channel: "online" }),
    );
    expect(online.response).toEqual({ approved: false, reason: "online_not_allowed" });
    const inStore = await authorizePurchase(purser.platform, "sandbox", authorization({ amount: 0 }));
    expect(inStore.response.approved).toBe(true);
  });

  it.each(["DAILY", "WEEKLY", "MONTHLY", "PER_TRANSACTION"] as const)(
    "is approved after a merchant has cleared more than the limit (%s)",
    async (limitInterval) => {
      const card = await fixture.card({ spendingLimit: 1000, limitInterval });
      const network = networkAt(card);
      await recordSettlement(purser.platform, "sandbox", network.clearing(null, 5000));
      const { response } = await authorizePurchase(
        purser.platform,
        "sandbox",
        network.authorization({ amount: 0 }),
      );
      expect(response).toEqual({ approved: true, reason: null });
      const check = await purser.as(fixture.owner).cards.policies.check({
        organizationId: card.organizationId,
        cardId: card.id,
        amount: 0,
        merchant: { name: "Shop" },
        channel: "in_store",
      });
      expect(check).toMatchObject({ outcome: "approved" });
    },
  );

  it("is approved in one batch with purchases, on a card whose limit is exceeded", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const network = networkAt(card);
    await recordSettlement(purser.platform, "sandbox", network.clearing(null, 5000));
    const amounts = [0, 1, 0, 700];
    const outcomes = await Promise.all(
      amounts.map((amount) =>
        authorizePurchase(purser.platform, "sandbox", network.authorization({ amount })),
      ),
    );
    expect(outcomes.map(({ response }) => response.approved)).toEqual([true, false, true, false]);
  });

  it("does not change when the network closes, reverses or expires it", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const verification = network.authorization({ amount: 0 });
    await authorizePurchase(purser.platform, "sandbox", verification);
    const { authorization } = verification;
    for (const message of [
      network.clearing(authorization, 0),
      network.reversal(authorization),
      network.expiry(authorization),
    ]) {
      const refused = await refusalOf(recordSettlement(purser.platform, "sandbox", message));
      expect(refused).toBe("TRANSACTION_FINAL");
    }
    expect(await rowsOf(card)).toEqual([expect.objectContaining(verified)]);
  });

  it("is final when the network approved it without us, and stays approved when our answer was late", async () => {
    const card = await fixture.card();
    const { authorization } = networkAt(card);
    await recordAdvice(purser.platform, "sandbox", adviceOn(authorization({ amount: 0 })));
    await recordApproval(purser.platform, "sandbox", networkAt(card).approval("approved", 0, 0));
    const late = authorization({ amount: 0 });
    await authorizePurchase(purser.platform, "sandbox", late);
    await declineLate(purser.platform, "sandbox", late);
    await recordAdvice(purser.platform, "sandbox", adviceOn(late, "decision_timed_out"));
    expect(await rowsOf(card)).toEqual([
      expect.objectContaining(verified),
      expect.objectContaining(verified),
      expect.objectContaining(verified),
    ]);
  });

  it("is followed by a purchase of its own, under the same authorization", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const network = networkAt(card);
    const verification = network.authorization({ amount: 0 });
    const { authorization } = verification;
    await authorizePurchase(purser.platform, "sandbox", verification);
    const purchase = network.authorization({ amount: 600, authorization });
    expect((await authorizePurchase(purser.platform, "sandbox", purchase)).response.approved).toBe(true);
    await recordSettlement(purser.platform, "sandbox", network.clearing(authorization, 600));
    expect(await rowsOf(card)).toEqual([
      expect.objectContaining(verified),
      expect.objectContaining({ status: "COMPLETED", amount: 600, cleared: 600 }),
    ]);
  });

  it.each(["advice", "approval"] as const)(
    "is followed by a purchase that the network approved without us (%s)",
    async (kind) => {
      const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
      const network = networkAt(card);
      const verification = network.authorization({ amount: 0 });
      const { authorization } = verification;
      await authorizePurchase(purser.platform, "sandbox", verification);
      if (kind === "advice") {
        const purchase = network.authorization({ amount: 600, authorization });
        await recordAdvice(purser.platform, "sandbox", adviceOn(purchase));
      } else {
        await recordApproval(purser.platform, "sandbox", network.approval(authorization, 600, 600));
      }
      expect(await rowsOf(card)).toEqual([
        expect.objectContaining(verified),
        expect.objectContaining({ status: "PENDING", held: 600 }),
      ]);
    },
  );
});
