import { day } from "@purser/core/testing";
import { cardCounters } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, explainQueries, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";

let purser: TestPurser;
let colleague: Person;
let fixture: CardFixture;
let card: TestCard;

beforeAll(async () => {
  purser = await createTestPurser();
  colleague = await purser.person();
  fixture = await createCardFixture(purser, { members: [colleague] });
  card = await fixture.card();
});
afterAll(() => purser.close());

describe("cards.list", () => {
  it("shows owners all cards, newest first, and members those assigned to them", async () => {
    const own = await fixture.card({}, colleague.userId);
    const { organizationId } = fixture;
    const [newest, second] = await purser.as(fixture.owner).cards.list({ organizationId });
    expect(newest).toEqual({
      id: own.id,
      organizationId,
      assignedTo: {
        id: colleague.userId,
        name: colleague.name,
        email: colleague.email,
        avatarUrl: null,
      },
      policy: {
        id: own.policyId,
        name: "Policy",
        description: null,
      },
      nickname: null,
      purpose: "BUSINESS",
      status: "ACTIVE",
      lastFour: expect.stringMatching(/^\d{4}$/),
      expiryMonth: expect.any(Number),
      expiryYear: expect.any(Number),
      currency: "GBP",
      spending: {
        limit: null,
        interval: null,
        used: 0,
        remaining: null,
        resetsAt: null,
        isNearLimit: false,
      },
      nextStatuses: ["PAUSED", "FROZEN", "CLOSED"],
      canUpdate: true,
      canReassign: true,
      canReveal: false,
    });
    expect(second!.id).toBe(card.id);
    expect((await purser.as(colleague).cards.list({ organizationId })).map(({ id }) => id)).toEqual([own.id]);
    expect(await purser.as(fixture.owner).cards.list({ organizationId, limit: 1, after: own.id })).toEqual([
      second,
    ]);
    expect(await purser.as(colleague).cards.list({ organizationId, status: "FROZEN" })).toEqual([]);
  });

  it("continues a member's list after a card that has got another holder meanwhile", async () => {
    const { organizationId } = fixture;
    const { list, update } = purser.as(fixture.owner).cards;
    const older = await fixture.card({}, colleague.userId);
    const newer = await fixture.card({}, colleague.userId);
    const [first] = await purser.as(colleague).cards.list({ organizationId, limit: 1 });
    expect(first).toMatchObject({ id: newer.id });
    await update({ organizationId, cardId: newer.id, assignedToId: fixture.owner.userId });
    const next = await purser.as(colleague).cards.list({ organizationId, limit: 1, after: newer.id });
    expect(next).toMatchObject([{ id: older.id }]);
    expect(await refusalOf(list({ organizationId, after: purser.unknownId("card") }))).toBe(
      "VALIDATION_FAILED",
    );
  });

  it("shows what is used of each card's limit in the present window, as a check of the policy would", async () => {
    const { organizationId } = fixture;
    const as = purser.as(fixture.owner);
    const limited = await fixture.card({ spendingLimit: 5000, limitInterval: "WEEKLY" });
    const network = cardNetwork({ card: limited.reference, at: purser.clock.now() });
    await authorizePurchase(purser.platform, "sandbox", network.authorization({ amount: 1200 }));
    const { resetsAt } = await as.cards.policies.check({
      organizationId,
      cardId: limited.id,
      amount: 1,
      merchant: { name: "Shop" },
      channel: "in_store",
    });
    const basis = { limit: 5000, interval: "WEEKLY", used: 1200, remaining: 3800 };
    const isNearLimit = false;
    expect((await as.cards.list({ organizationId }))[0]!.spending).toEqual({
      ...basis,
      resetsAt,
      isNearLimit,
    });
    purser.clock.advance(7 * day);
    expect((await as.cards.list({ organizationId }))[0]!.spending).toMatchObject({
      used: 0,
      remaining: 5000,
    });
    await as.cards.policies.update({
      organizationId,
      policyId: limited.policyId,
      limitInterval: "PER_TRANSACTION",
    });
    expect((await as.cards.list({ organizationId }))[0]!.spending).toEqual({
      limit: 5000,
      interval: "PER_TRANSACTION",
      used: 0,
      remaining: 5000,
      resetsAt: null,
      isNearLimit,
    });
  });

  it("shows the limit with the least remaining, of all of the card's months", async () => {
    const { organizationId } = fixture;
    const as = purser.as(fixture.owner);
    const [ofAYear, inAll] = [
      { amount: 9000, interval: "YEARLY" as const },
      { amount: 9000, interval: "ALL_TIME" as const },
    ];
    const limits = [ofAYear, { amount: 3000, interval: "PER_TRANSACTION" as const }, inAll];
    const { id: cardId, reference, policyId } = await fixture.card({ limits });
    const spending = async () => (await as.cards.list({ organizationId, limit: 1 }))[0]!.spending;
    const isNearLimit = false;
    const ofYear = { limit: 9000, interval: "YEARLY", resetsAt: new Date("2027-01-01T00:00:00.000Z") };
    const each = {
      limit: 3000,
      interval: "PER_TRANSACTION",
      used: 0,
      remaining: 3000,
      resetsAt: null,
      isNearLimit,
    };
    expect(await spending()).toEqual(each);
    for (const at of ["2025-11-30T12:00:00Z", "2026-01-01T00:00:00Z", "2026-02-28T12:00:00Z"]) {
      const network = cardNetwork({ card: reference, at: new Date(at) });
      await authorizePurchase(purser.platform, "sandbox", network.authorization({ amount: 2000 }));
    }
    const ofAllTime = {
      limit: 9000,
      interval: "ALL_TIME",
      used: 6000,
      remaining: 3000,
      resetsAt: null,
      isNearLimit,
    };
    // Of equal ones, the first.
    expect(await spending()).toEqual(each);
    await as.cards.policies.update({ organizationId, policyId, limits: [ofAYear, inAll] });
    expect(await spending()).toEqual(ofAllTime);
    await as.cards.policies.update({ organizationId, policyId, limits: [ofAYear] });
    expect(await spending()).toEqual({ ...ofYear, used: 4000, remaining: 5000, isNearLimit });
    const check = {
      organizationId,
      cardId,
      amount: 1,
      merchant: { name: "Shop" },
      channel: "in_store",
    } as const;
    expect(await as.cards.policies.check(check)).toMatchObject({ ...ofYear, used: 4000, remaining: 5000 });
  });

  it("shows that more than 80 % of a limit is used", async () => {
    const { organizationId } = fixture;
    const { id, reference } = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const network = cardNetwork({ card: reference, at: purser.clock.now() });
    const spend = async (amount: number) => {
      await authorizePurchase(purser.platform, "sandbox", network.authorization({ amount }));
      const listed = await purser.as(fixture.owner).cards.list({ organizationId });
      return listed.find((one) => one.id === id)!.spending.isNearLimit;
    };
    expect([await spend(800), await spend(1)]).toEqual([false, true]);
  });

  it("looks each counter up by its key, whatever the history of the card", async () => {
    const { organizationId } = fixture;
    const old = Array.from({ length: 500 }, (_, index) => ({
      organizationId,
      cardId: card.id,
      period: "DAY" as const,
      startsOn: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
      used: 1,
    }));
    await purser.db.insert(cardCounters).values(old);
    const plans = await explainQueries(purser, "card_counters", () =>
      purser.as(fixture.owner).cards.list({ organizationId }),
    );
    const reads = plans.flat().filter(({ index }) => index?.startsWith("card_counters"));
    expect(reads.length).toBeGreaterThan(0);
    for (const { rows } of reads) expect(rows).toBeLessThanOrEqual(3 * 20);
  });
});
