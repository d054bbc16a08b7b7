import { newId } from "@purser/core";
import { cards, events } from "@purser/db";
import { eventOrigin, eventRow } from "@purser/platform/events";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";
import { cappedCounterOf } from "./rules/capped-counter.ts";
import { windowsAt } from "./rules/windows.ts";
import { newTransactionRow } from "./service/record.ts";
import { findDecisionContexts, findDecisionDatabase } from "./store/decision-context.ts";
import { storeDecisions } from "./store/decisions.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

describe("storeDecisions", () => {
  it("stores the events of exactly the stored purchases, also one that only owners see", async () => {
    const [stored, changed] = [await fixture.card(), await fixture.card()];
    const now = purser.clock.now();
    const theStored = { issuer: "sandbox", reference: stored.reference } as const;
    const target = (await findDecisionDatabase(purser.platform, theStored))!;
    const decisions = await Promise.all(
      [stored, changed].map(async ({ reference }) => {
        const query = { issuer: "sandbox", reference, at: now, everyWindow: false } as const;
        const unknown = { networkIds: [], authorizations: [] };
        const [found] = await findDecisionContexts(target.db, [{ ...query, ...unknown }], target.batchOf);
        const { card, policy, timeZone } = found!;
        const windows = windowsAt(now, timeZone);
        const message = cardNetwork({ card: reference, at: now }).authorization({ amount: 100 });
        const decided = { approved: false, reason: "CARD_INACTIVE", windows, now } as const;
        const transaction = newTransactionRow(card, message, decided);
        const { organizationId, id, cardId } = transaction;
        const entry = {
          organizationId,
          id: newId("cev", now),
          cardId,
          transactionId: id,
          kind: "AUTHORIZATION" as const,
          networkId: message.networkId,
          amount: 100,
          counted: 0,
          final: null,
          decision: null,
          createdAt: now,
        };
        const ofOwners = {
          organizationId,
          type: "card_transaction.declined",
          subject: id,
          data: {},
        } as never;
        const event = eventRow(await eventOrigin(purser.platform, null), ofOwners);
        return { card, windows, capped: cappedCounterOf(policy), purchases: [{ transaction, entry, event }] };
      }),
    );
    await purser.db
      .update(cards)
      .set({ version: sql`${cards.version} + 1` })
      .where(eq(cards.id, changed.id));
    expect([...(await storeDecisions(target.db, decisions, target.batchOf))]).toEqual([stored.id]);
    const subjects = decisions.map(({ purchases }) => purchases[0]!.transaction.id);
    const written = await purser.db.select().from(events).where(inArray(events.subjectId, subjects));
    expect(written.map(({ subjectId, cardId }) => [subjectId, cardId])).toEqual([[subjects[0], null]]);
  });
});
