import { cardCounters, cardTransactions, cards } from "@purser/db";
import {
  type Service,
  type TestPurser,
  createTestPurser,
  changeTestTrigger,
  openOtherProcess,
} from "@purser/testing";
import { and, eq, gt, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CardMessage } from "../ports.ts";
import { lockCard } from "../store.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { recordHistory } from "../testing/history.ts";
import { expectSoundLedger } from "../testing/ledger-check.ts";
import { cardNetwork, expectUnavailable } from "../testing/network.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { enqueueRecounts, recountForTimeZone } from "./service/recount-for-time-zone.ts";

let purser: TestPurser;
/** Another process on the same database. */
let other: Service;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  other = await openOtherProcess(purser);
  fixture = await createCardFixture(purser);
  await recordHistory(purser);
  purser.clock.set("2026-04-01T00:30:00.000Z");
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

/** Changes the setting. The jobs do not run yet. */
const move = (timeZone: string) =>
  purser.as(fixture.owner).organizations.settings.update({ id: fixture.organizationId, timeZone });

/** An hour before midnight UTC: another day in Kathmandu. */
const lastNight = ({ reference: card }: TestCard) =>
  cardNetwork({ card, at: new Date("2026-03-31T23:00:00.000Z") });

const buy = async (card: TestCard, amount: number) =>
  (await authorizePurchase(purser.platform, "sandbox", lastNight(card).authorization({ amount }))).response
    .reason;

/** The days on which something counts, and the time zone. */
async function stateOf({ id }: TestCard) {
  const isUsedDay = and(
    eq(cardCounters.cardId, id),
    eq(cardCounters.period, "DAY"),
    gt(cardCounters.used, 0),
  );
  const days = await purser.db.select().from(cardCounters).where(isUsedDay);
  const [card] = await purser.db.select().from(cards).where(eq(cards.id, id));
  return { timeZone: card!.timeZone, days: days.map(({ startsOn, used }) => `${startsOn} ${used}`) };
}

const inUtc = { timeZone: "UTC", days: ["2026-03-31 600"] };
const inKathmandu = { timeZone: "Asia/Kathmandu", days: ["2026-04-01 600"] };

/** Cards with a purchase for 600 in UTC. */
async function usedCards(count: number): Promise<TestCard[]> {
  await move("UTC");
  await purser.drain();
  const made = await Promise.all(
    Array.from({ length: count }, () => fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" })),
  );
  for (const card of made) expect(await buy(card, 600)).toBe(null);
  return made;
}

describe("organizations.settings.update, with cards", () => {
  it("waits for none of them", async () => {
    const [card] = await usedCards(1);
    await purser.db.transaction(async (transaction) => {
      await lockCard(transaction, card!);
      expect(await move("Asia/Kathmandu")).toMatchObject({ timeZone: "Asia/Kathmandu" });
    });
  });

  it("leaves each card exact in its former time zone until it is recounted, and then in the new one", async () => {
    const [first, second] = (await usedCards(2)) as [TestCard, TestCard];
    await move("Asia/Kathmandu");
    await recountForTimeZone(other.platform, { organizationId: first.organizationId, cardId: first.id });
    expect([await stateOf(first), await stateOf(second)]).toEqual([inKathmandu, inUtc]);
    for (const card of [first, second]) {
      expect([await buy(card, 401), await buy(card, 400)]).toEqual(["daily_limit_exceeded", null]);
    }
    await purser.drain();
    expect(await stateOf(second)).toEqual({ ...inKathmandu, days: ["2026-04-01 1000"] });
    expect(await buy(second, 1)).toBe("daily_limit_exceeded");
  });

  it("recounts the other cards if one fails, and that one later", async () => {
    const [failing, ...others] = (await usedCards(3)) as [TestCard, ...TestCard[]];
    await purser.db.execute(sql`
      CREATE FUNCTION fail_recount() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken off'; END $$`);
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER fail_recount BEFORE UPDATE OF time_zone ON cards FOR EACH ROW
        WHEN (OLD.id = ${sql.raw(`'${failing.id}'`)}) EXECUTE FUNCTION fail_recount()`,
    );
    await move("Asia/Kathmandu");
    await purser.drain();
    expect(await Promise.all(others.map(stateOf))).toEqual([inKathmandu, inKathmandu]);
    // The transaction that failed at its end left nothing behind.
    expect(await stateOf(failing)).toEqual(inUtc);
    await changeTestTrigger(purser.db, sql`DROP TRIGGER fail_recount ON cards`);
    await purser.drain({ ahead: true });
    expect(await stateOf(failing)).toEqual(inKathmandu);
  });

  it.each(["America/Los_Angeles", "UTC"])(
    "ends in %s if that is the second change before the jobs ran",
    async (last) => {
      const [started, waiting] = (await usedCards(2)) as [TestCard, TestCard];
      const { organizationId } = started;
      await move("Asia/Kathmandu");
      await enqueueRecounts(purser.platform, { organizationId, after: null });
      await recountForTimeZone(purser.platform, { organizationId, cardId: started.id });
      await move(last);
      await purser.drain();
      const expected = { ...inUtc, timeZone: last };
      expect([await stateOf(started), await stateOf(waiting)]).toEqual([expected, expected]);
    },
  );

  it("gives a card that is issued after it the new time zone at once", async () => {
    await usedCards(0);
    const card = await fixture.card();
    await move("Asia/Kathmandu");
    const later = await fixture.card();
    expect([(await stateOf(card)).timeZone, (await stateOf(later)).timeZone]).toEqual([
      "UTC",
      "Asia/Kathmandu",
    ]);
  });

  it("moves purchases of the last New Year into their year, and leaves those of other days alone", async () => {
    const limits = [{ amount: 1000, interval: "YEARLY" as const }];
    await usedCards(0);
    const { organizationId, id: cardId, reference: card } = await fixture.card({ limits });
    for (const [at, amount] of [
      ["2025-12-31T18:00:00.000Z", 1],
      ["2025-12-31T18:30:00.000Z", 10],
      ["2026-01-05T23:00:00.000Z", 100],
      ["2026-03-31T23:00:00.000Z", 200],
    ] as const) {
      const purchase = cardNetwork({ card, at: new Date(at) }).authorization({ amount });
      await authorizePurchase(purser.platform, "sandbox", purchase);
    }
    const used = async () => {
      const listed = await purser.as(fixture.owner).cards.list({ organizationId });
      return listed.find(({ id }) => id === cardId)!.spending.used;
    };
    expect(await used()).toBe(300);
    await move("Asia/Kathmandu");
    await purser.drain();
    // In Kathmandu it was 2026 from 18:15 UTC.
    expect(await used()).toBe(310);
    expect((await stateOf({ id: cardId } as TestCard)).days.toSorted()).toEqual([
      "2025-12-31 1",
      "2026-01-01 10",
      "2026-01-05 100",
      "2026-04-01 200",
    ]);
    await move("UTC");
    await purser.drain();
    expect(await used()).toBe(300);
  });

  it("exceeds no limit while purchases race with it, in two processes", async () => {
    const [card] = (await usedCards(1)) as [TestCard];
    const { organizationId, id: cardId } = card;
    const messages = new Map<string, CardMessage>();
    const race = new AbortController();
    const buyers = Array.from({ length: 8 }, async (_, nth) => {
      const { platform } = nth % 2 === 0 ? purser : other;
      for (let count = 0; !race.signal.aborted; count += 1) {
        const at = new Date(
          Date.parse("2026-03-30T12:00:00.000Z") + ((nth * 7 + count * 5) % 36) * 3_600_000,
        );
        const message = cardNetwork({ card: card.reference, at }).authorization({ amount: 30 });
        messages.set(message.networkId, message);
        // A request that is overtaken repeatedly is refused in the end.
        await authorizePurchase(platform, "sandbox", message).catch(expectUnavailable);
      }
    });
    for (const timeZone of ["Asia/Kathmandu", "America/Los_Angeles", "UTC", "Pacific/Kiritimati"]) {
      await move(timeZone);
      await recountForTimeZone(other.platform, { organizationId, cardId });
    }
    race.abort();
    await Promise.all(buyers);
    const known = { messages, isolated: new Set<string>(), timeZone: "Pacific/Kiritimati" };
    const rows = await expectSoundLedger(purser, card, known);
    expect(rows.length).toBeGreaterThan(8);
    expect(await purser.db.$count(cardTransactions, eq(cardTransactions.cardId, cardId))).toBe(rows.length);
  });
});
