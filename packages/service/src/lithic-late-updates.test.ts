import { cardJobs } from "@purser/cards";
import type { CardMessage } from "@purser/cards/ports";
import { type CardFixture, createCardFixture, reportMessages } from "@purser/cards/testing";
import { day, hour } from "@purser/core/testing";
import { cardTransactions } from "@purser/db";
import { fakeLithicPurchase } from "@purser/lithic/fake";
import { lithicWebhooks } from "@purser/lithic/webhooks";
import { type TestPurser, createTestPurser, handlerOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

type Purchase = ReturnType<typeof fakeLithicPurchase>;
type Scene = Awaited<ReturnType<typeof start>>;
const webhooks = lithicWebhooks([]);

/** Applies a request or an update of Lithic. */
async function deliver(event: { event_type?: string }): Promise<void> {
  const { event_type: type = "" } = event;
  const received = { type, body: JSON.stringify(event), receivedAt: purser.clock.now() };
  const isRequest = webhooks.isRequest(type);
  const messages = isRequest ? [webhooks.readRequest(received)] : await webhooks.read(received);
  await reportMessages(purser.platform, ...(messages as CardMessage[]));
}

/** A purchase of 500 that is approved, and what Lithic says about it. */
async function start(hold: { amount: number; currency: string } | null) {
  const card = await fixture.card({ spendingLimit: 5000, limitInterval: "MONTHLY" });
  const purchase = fakeLithicPurchase({ card: card.reference, amount: 500, currency: "GBP", hold });
  /** Adds an event that happens now, an hour after the last. Returns the update of it. */
  function happen(...event: Parameters<Purchase["happen"]>) {
    purser.clock.advance(hour);
    purchase.happen(...event);
    purchase.transaction.events.at(-1)!.created = purser.clock.now().toISOString();
    return purchase.update();
  }
  await deliver(purchase.request());
  const approved = happen("AUTHORIZATION", 500, { held: 500 });
  return { card, purchase, approved, happen };
}

/** Asks to hold 300 under the same token, an hour later. Lithic approves it too. */
async function approveMore({ purchase, happen }: Scene) {
  purser.clock.advance(hour);
  await deliver(purchase.increment(300));
  return () => happen("AUTHORIZATION", 300, { held: 300 });
}

async function sweep() {
  purser.clock.advance(8 * day);
  await handlerOf(purser.handlers, cardJobs.sweep)(null, { id: "sweep", attempt: 1, last: false });
}

async function ledgerOf({ card }: Scene): Promise<string[]> {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, card.id));
  return rows.map(({ status, held, cleared }) => `${status} ${held} ${cleared}`).toSorted();
}

const credit = { polarity: "CREDIT" } as const;
/** What happens to the first purchase, and the ledger with the second one: status, held and cleared. */
const ends: Record<string, [(scene: Scene) => ReturnType<Scene["happen"]>, string[]]> = {
  "a void": [
    ({ happen }) => happen("AUTHORIZATION_REVERSAL", 500, { status: "VOIDED", ...credit }),
    ["PENDING 300 0"],
  ],
  "a void after a reversal of a part": [
    ({ happen }) => {
      happen("AUTHORIZATION_REVERSAL", 100, { held: 400, ...credit });
      return happen("AUTHORIZATION_REVERSAL", 400, { status: "VOIDED", ...credit });
    },
    ["PENDING 300 0"],
  ],
  "an expiry": [
    ({ happen }) => happen("AUTHORIZATION_EXPIRY", 500, { status: "EXPIRED", ...credit }),
    ["PENDING 300 0"],
  ],
  "an advice": [({ happen }) => happen("AUTHORIZATION_ADVICE", 400, { held: 400 }), ["PENDING 700 0"]],
  "a clearing": [({ happen }) => happen("CLEARING", 480, { status: "SETTLED" }), ["PENDING 300 480"]],
};
const holds = {
  "of its amount": null,
  "of more, as for fuel": { amount: 700, currency: "GBP" },
};
const cases = Object.entries(holds).flatMap(([of, hold]) =>
  Object.entries(ends).map(([name, end]) => [name, of, hold, ...end] as const),
);

describe("an update of Lithic about a purchase, which arrives after a later approval", () => {
  it.each(cases)(
    "ends no more than that purchase: %s, of a hold %s",
    async (_end, _of, hold, end, ledger) => {
      const scene = await start(hold);
      const late = end(scene);
      const happenMore = await approveMore(scene);
      for (const _delivery of [1, 2, 3]) {
        await deliver(late);
        expect(await ledgerOf(scene)).toEqual(ledger);
      }
      await deliver(happenMore());
      expect(await ledgerOf(scene)).toEqual(ledger);
      await deliver(scene.happen("AUTHORIZATION_REVERSAL", 700, { status: "VOIDED", ...credit }));
      expect((await ledgerOf(scene)).join()).not.toContain("PENDING");
    },
  );

  it.each(Object.entries(ends).filter(([name]) => name !== "an advice" && name !== "a clearing"))(
    "releases nothing of a later purchase, after we have released the first one: %s",
    async (_name, [end]) => {
      const scene = await start(null);
      const late = end(scene);
      await sweep();
      await approveMore(scene);
      await deliver(late);
      expect(await ledgerOf(scene)).toEqual(["DECLINED 0 0", "PENDING 300 0"]);
    },
  );

  it("releases all of the purchase if nothing was approved later, whatever the request held", async () => {
    for (const hold of Object.values(holds)) {
      const scene = await start(hold);
      await deliver(scene.approved);
      await deliver(ends["a void"]![0](scene));
      expect(await ledgerOf(scene)).toEqual(["DECLINED 0 0"]);
    }
  });
});
