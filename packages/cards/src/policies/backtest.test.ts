import { cardTransactions } from "@purser/db";
import { distributedDatabaseUrl, isNightly, problemOf, refusalOf } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardScene, createCardFixture, linkAccount, setCardScene } from "../testing/card-scene.ts";

let scene: CardScene;
let organizationId: string;
/** Two cards without any authorization requests before these purchases. */
let cardId: string;
let otherCardId: string;

const noon = (date: string) => new Date(`${date}T12:00:00.000Z`);

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
  const policyId = await scene.policy({ blockedMerchants: ["Casino"] });
  cardId = await scene.newCard(policyId);
  otherCardId = await scene.newCard(policyId);
  // Out of order, each at a different instant.
  for (const [card, date, amount] of [
    [cardId, "2026-02-17", 400],
    [cardId, "2026-02-16", 300],
    [otherCardId, "2026-02-16", 250],
    [cardId, "2026-02-23", 500],
    [cardId, "2026-02-18", 350],
  ] as const) {
    scene.purser.clock.advance(1000);
    await scene.buy(card, { amount, at: noon(date) });
  }
  await scene.buy(cardId, { amount: 77, at: noon("2026-02-16"), merchant: { name: "Casino" } });
});
afterAll(() => scene.purser.close());

const backtest = (input: object, person = scene.owner) =>
  scene.purser.as(person).cards.policies.backtest({ organizationId, ...input });
const weekly = (spendingLimit: number) => ({ spendingLimit, limitInterval: "WEEKLY" }) as const;

describe("cards.policies.backtest", () => {
  it("replays approved purchases in order of purchase", async () => {
    const outcome = await backtest({ policy: weekly(650) });
    expect(outcome).toEqual({
      evaluated: 5,
      approved: 4,
      declined: 1,
      partiallyApproved: 0,
      amountDeclined: 400,
      amountsDeclined: [{ currency: "GBP", amount: 400 }],
      reasons: [
        {
          reason: "weekly_limit_exceeded",
          count: 1,
          amount: 400,
          amounts: [{ currency: "GBP", amount: 400 }],
        },
      ],
      samples: [
        expect.objectContaining({
          cardId,
          amount: 400,
          status: "PENDING",
          declineReason: null,
        }),
      ],
    });
  });

  it("replays up to now unless the range ends at another time, although a network dates purchases later", async () => {
    const team = await createCardFixture(scene.purser);
    const { id } = await team.card();
    const now = scene.purser.clock.now();
    for (const later of [0, 1000]) await team.buy(id, { at: new Date(now.getTime() + later) });
    const ofTeam = { organizationId: team.organizationId, policy: {} };
    const evaluated = async (range: object) =>
      (await backtest({ ...ofTeam, ...range }, team.owner)).evaluated;
    expect(await evaluated({})).toBe(1);
    expect(await evaluated({ to: new Date(now.getTime() + 1000) })).toBe(2);
    expect(await evaluated({ from: new Date(now.getTime() + 1000) })).toBe(0);
  });

  it("shows samples as they are listed, the newest first", async () => {
    const { samples } = await backtest({ policy: { spendingLimit: 0 } });
    const listed = await scene.purser.as(scene.owner).cards.transactions.list({ organizationId });
    expect(samples).toHaveLength(5);
    expect(samples).toEqual(listed.filter(({ declineReason }) => declineReason === null));
  });

  it("gives a policy and an equal draft the same result", async () => {
    const policyId = await scene.policy(weekly(650));
    expect(await backtest({ policyId })).toEqual(await backtest({ policy: weekly(650) }));
  });

  it("changes nothing", async () => {
    const state = async () => ({
      counters: await scene.purser.db.execute(
        sql`SELECT * FROM card_counters ORDER BY card_id, period, starts_on`,
      ),
      transactions: await scene.purser.db.select().from(cardTransactions).orderBy(cardTransactions.id),
    });
    const before = await state();
    await backtest({ policy: weekly(0) });
    expect(await state()).toEqual(before);
  });

  it.each([
    [{}, 5],
    [{ from: noon("2026-02-16") }, 5],
    [{ from: new Date(noon("2026-02-16").getTime() + 1) }, 3],
    [{ to: noon("2026-02-23") }, 5],
    [{ to: new Date(noon("2026-02-23").getTime() - 1) }, 4],
    [{ from: noon("2026-02-17"), to: noon("2026-02-18") }, 2],
    [{ from: noon("2026-03-01") }, 0],
  ])("evaluates purchases in %j, inclusive", async (range, evaluated) => {
    expect(await backtest({ policy: {}, ...range })).toMatchObject({ evaluated, approved: evaluated });
  });

  it("starts with an empty window if the window began before the range", async () => {
    expect(await backtest({ policy: weekly(750) })).toMatchObject({ declined: 1 });
    expect(await backtest({ policy: weekly(750), from: noon("2026-02-17") })).toMatchObject({ declined: 0 });
  });

  it("evaluates one card by id", async () => {
    expect(await backtest({ policy: {}, cardId })).toMatchObject({ evaluated: 4 });
    expect(await backtest({ policy: {}, cardId: otherCardId })).toMatchObject({ evaluated: 1 });
  });

  it("counts the final amount of a purchase", async () => {
    const policyId = await scene.policy();
    const [reversed, captured, forced] = [
      await scene.newCard(policyId),
      await scene.newCard(policyId),
      await scene.newCard(policyId),
    ];
    const { cards } = scene.purser.as(scene.owner).sandbox;
    const declined = async (card: string) =>
      (await backtest({ policy: { spendingLimit: 100, limitInterval: "DAILY" }, cardId: card })).declined;

    await cards.reverse({ transactionId: (await scene.buy(reversed)).id });
    await scene.buy(reversed);
    expect(await declined(reversed)).toBe(0);

    await cards.clear({ transactionId: (await scene.buy(captured)).id, amount: 40 });
    await scene.buy(captured, { amount: 60 });
    expect(await declined(captured)).toBe(0);
    await scene.buy(captured, { amount: 1 });
    expect(await declined(captured)).toBe(1);

    await cards.clear({ cardId: forced, amount: 100, merchant: { name: "Hotel" } });
    await scene.buy(forced, { amount: 1 });
    expect(
      await backtest({ policy: { spendingLimit: 100, limitInterval: "DAILY" }, cardId: forced }),
    ).toMatchObject({
      evaluated: 1,
      declined: 1,
      amountDeclined: 1,
    });
  });

  it("finds only cards and policies of this organization", async () => {
    const elsewhere = await scene.purser.organization(scene.owner);
    const there = { organizationId: elsewhere };
    const policyId = await scene.policy();
    expect(await refusalOf(backtest({ ...there, policyId }))).toBe("CARD_POLICY_NOT_FOUND");
    expect(await refusalOf(backtest({ ...there, policy: {}, cardId }))).toBe("CARD_NOT_FOUND");
    expect(await backtest({ ...there, policy: {} })).toMatchObject({ evaluated: 0, samples: [] });
  });

  it.each([
    [{}, "policy"],
    [{ policyId: "x", policy: {} }, "policy"],
    [{ policy: {}, from: new Date(1), to: new Date(0) }, "from"],
    [{ policy: { spendingLimit: -1 } }, "policy.spendingLimit"],
    [{ policy: { organizationId: "x" } }, "policy"],
  ])("refuses %j", async (input, path) => {
    const { code, issues } = problemOf(await backtest(input).then(String, (error: unknown) => error));
    expect({ code, path: issues?.map((issue) => issue.path.join(".")) }).toEqual({
      code: "VALIDATION_FAILED",
      path: [path],
    });
  });
});

describe("cards.policies.backtest, on a long history", () => {
  const rows = isNightly ? 100_000 : 12_000;
  const perDay = 10;

  it(`plays ${rows} purchases again, page by page`, async () => {
    const long = await scene.purser.organization(scene.owner);
    const { accountId: fundingAccountId } = await linkAccount(scene.purser, scene.owner, long);
    const { cards } = scene.purser.as(scene.owner);
    const { id: policyId } = await cards.policies.create({ organizationId: long, name: "Policy" });
    const fields = { organizationId: long, policyId, fundingAccountId, assignedToId: scene.owner.userId };
    const cardIds = [];
    for (let count = 0; count < 4; count += 1) {
      cardIds.push((await cards.create({ ...fields, purpose: "BUSINESS" })).id);
    }
    await addHistory(long, cardIds, rows, perDay);
    await scene.purser.db.execute(sql`ANALYZE card_transactions`);

    const policy = { spendingLimit: 350, limitInterval: "DAILY" };
    const { outcome, statements } = await recorded(() => backtest({ organizationId: long, policy }));
    // Of the ten purchases for 100 on each day, three fit.
    const declined = (rows / perDay) * 7;
    expect(outcome).toMatchObject({ evaluated: rows, declined, amountDeclined: declined * 100 });
    expect(outcome.samples).toHaveLength(20);

    // Those of a cluster are sent to a node. No page is read by sorting all purchases: that would take longer than a statement may. The last page may sort the
    // few that are left.
    if (distributedDatabaseUrl !== null) return;
    const pages = statements.filter(({ text }) => text.includes("purchasedAt"));
    expect(pages.length).toBeGreaterThan(rows / 5000);
    for (const { text, parameters } of pages.slice(0, 2)) {
      const plan = await scene.purser.db.$client.unsafe(`EXPLAIN ${text}`, parameters as never[]);
      expect(JSON.stringify(plan)).not.toContain("Sort");
    }
  });
});

interface Statement {
  text: string;
  parameters: unknown[];
}

describe("a backtest of the cards of a policy", () => {
  it("replays the purchases of the cards that follow a policy now", async () => {
    const { policies, update, updateStatus } = scene.purser.as(scene.owner).cards;
    const { id: policyId } = await policies.create({ organizationId, name: "Followed" });
    const count = async () => (await backtest({ policy: {}, cardsOfPolicyId: policyId })).evaluated;
    expect(await count()).toBe(0);
    const moved = await scene.newCard(await scene.policy());
    await scene.buy(moved, { amount: 100, at: noon("2026-02-16") });
    await update({ organizationId, cardId: moved, policyId });
    expect(await count()).toBe(1);
    await updateStatus({ organizationId, cardId: moved, status: "CLOSED" });
    expect(await count()).toBe(0);
    const unknown = scene.purser.unknownId("pol");
    expect(await refusalOf(backtest({ policy: {}, cardsOfPolicyId: unknown }))).toBe("CARD_POLICY_NOT_FOUND");
    expect(await refusalOf(backtest({ policy: {}, cardsOfPolicyId: policyId, cardId }))).toBe(
      "VALIDATION_FAILED",
    );
  });
});

/** Records the statements of an operation. */
async function recorded<Result>(run: () => Promise<Result>) {
  const { options } = scene.purser.db.$client;
  const statements: Statement[] = [];
  options.debug = (_connection, text, parameters) => void statements.push({ text, parameters });
  try {
    return { outcome: await run(), statements };
  } finally {
    options.debug = false;
  }
}

/** Adds purchases for 100 to the cards in turn, with a fixed number per card and day. */
async function addHistory(
  organization: string,
  cardIds: string[],
  rows: number,
  perDay: number,
): Promise<void> {
  const perRound = cardIds.length * perDay;
  await scene.purser.db.execute(sql`
    INSERT INTO card_transactions (organization_id, id, card_id, status, amount, currency, merchant_name, channel,
      authorized, held, cleared, refunded, purchased_at, local_day, created_at, settled_at)
    SELECT ${organization}, 'ctx_' || lpad(n::text, 26, '0'), (${sql.param(cardIds)}::text[])[1 + n % ${cardIds.length}::int],
      'COMPLETED', 100, 'GBP', 'Merchant ' || n % 500, 'in_store', 100, 0, 100, 0, at, at::date, at, at
    FROM (SELECT n, timestamptz '2000-01-01T00:00:00Z' + n / ${perRound}::int * interval '1 day'
      + n % ${perRound}::int * interval '1 minute' AS at FROM generate_series(0, ${rows}::int - 1) AS n) AS history`);
}
