import { day } from "@purser/core/testing";
import { type Person, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardScene, setCardScene } from "../testing/card-scene.ts";

let scene: CardScene;
let organizationId: string;
/** The cards of the member and of the owner. */
let cardId: string;
let ownersCardId: string;

const diner = { name: "Diner", category: "5812" };

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
  const policyId = await scene.policy({ spendingLimit: 500 });
  cardId = await scene.newCard(policyId);
  ownersCardId = await scene.newCard(policyId, scene.owner);
  const { clock } = scene.purser;
  const { cards: network } = scene.purser.as(scene.owner).sandbox;
  // One a day: a pending one, a refund, a declined one, and two in the same millisecond.
  const first = await scene.buy(cardId, { amount: 100 });
  clock.advance(day);
  await scene.buy(ownersCardId, { amount: 200, merchant: diner });
  await network.clear({ transactionId: first.id });
  clock.advance(day);
  await network.refund({ transactionId: first.id, amount: 30 });
  clock.advance(day);
  await scene.buy(cardId, { amount: 501, merchant: diner });
  clock.advance(day);
  await scene.buy(cardId, { amount: 300, at: new Date("2026-01-01T00:00:00.000Z") });
  await scene.buy(ownersCardId, { amount: 400 });
});
afterAll(() => scene.purser.close());

const list = (input: object = {}, person = scene.owner) =>
  scene.purser.as(person).cards.transactions.list({ organizationId, ...input });
const amounts = async (input: object = {}, person = scene.owner) =>
  (await list(input, person)).map(({ amount }) => amount);
const at = (text: string) => new Date(text);

describe("cards.transactions.list", () => {
  it("lists exactly the documented fields", async () => {
    const [declined] = await list({ status: "DECLINED" });
    expect(declined).toEqual({
      id: expect.stringMatching(/^ctx_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      cardId,
      amount: 501,
      currency: "GBP",
      merchantName: "Diner",
      merchantId: null,
      merchantCategory: "5812",
      description: null,
      status: "DECLINED",
      declineReason: "transaction_limit_exceeded",
      settledAt: null,
      createdAt: at("2026-03-05T09:00:00.000Z"),
    });
    const [completed] = (await list({ status: "COMPLETED" })).slice(-1);
    expect(completed).toMatchObject({
      amount: 100,
      merchantId: "m-1",
      settledAt: at("2026-03-03T09:00:00.000Z"),
    });
  });

  it("lists the newest first, a refund with a negative amount", async () => {
    expect(await amounts()).toEqual([400, 300, 501, -30, 200, 100]);
  });

  it.each([
    [{ status: "PENDING" }, [400, 300, 200]],
    [{ status: "COMPLETED" }, [-30, 100]],
    [{ merchantCategory: "5812" }, [501, 200]],
    [{ merchantCategory: "5812", status: "PENDING" }, [200]],
    [{ merchantCategory: "581" }, []],
    [{ merchantCategory: "" }, []],
    [{ minAmount: 300 }, [400, 300, 501]],
    [{ maxAmount: 200 }, [-30, 200, 100]],
    [{ maxAmount: -1 }, [-30]],
    [{ minAmount: 200, maxAmount: 200 }, [200]],
    // The range applies to the creation time, not to the time of purchase.
    [{ from: at("2026-03-05T09:00:00.000Z") }, [400, 300, 501]],
    [{ from: at("2026-03-05T09:00:00.001Z") }, [400, 300]],
    [{ to: at("2026-03-03T09:00:00.000Z") }, [200, 100]],
    [{ to: at("2026-03-03T08:59:59.999Z") }, [100]],
    [{ from: at("2026-03-06T09:00:00.000Z"), to: at("2026-03-06T09:00:00.000Z") }, [400, 300]],
    [{ from: at("0001-01-01T00:00:00.000Z"), to: at("1969-12-31T23:59:59.999Z") }, []],
    [
      { from: at("0001-01-01T00:00:00.000Z"), to: at("9999-12-31T23:59:59.999Z") },
      [400, 300, 501, -30, 200, 100],
    ],
    [{ from: at("9999-12-31T23:59:59.999Z") }, []],
  ])("filters by %j, with inclusive ranges", async (input, expected) => {
    expect(await amounts(input)).toEqual(expected);
  });

  it("continues after the last item, with any filters", async () => {
    for (const filter of [{}, { cardId }, { status: "PENDING" }, { merchantCategory: "5411" }]) {
      const all = await list(filter);
      const pages = [];
      for (let after: string | undefined; pages.length < all.length; after = pages.at(-1)!.id) {
        pages.push(...(await list({ ...filter, limit: 1, ...(after && { after }) })));
      }
      expect(pages).toEqual(all);
    }
  });

  it("shows members the transactions of their own cards", async () => {
    expect(await amounts({}, scene.member)).toEqual([300, 501, -30, 100]);
    expect(await amounts({ limit: 2 }, scene.member)).toEqual([300, 501]);
    expect(await amounts({ merchantCategory: "5812" }, scene.member)).toEqual([501]);
    expect(await amounts({ cardId }, scene.member)).toEqual([300, 501, -30, 100]);
    expect(await amounts({}, scene.other)).toEqual([]);
    const both = await scene.newCard(await scene.policy());
    await scene.buy(both, { amount: 7 });
    expect(await amounts({ limit: 3 }, scene.member)).toEqual([7, 300, 501]);
  });

  it("follows a card to its new holder", async () => {
    const handed = await scene.newCard(await scene.policy(), scene.other);
    await scene.buy(handed, { amount: 9 });
    const { cards } = scene.purser.as(scene.owner);
    await cards.update({ organizationId, cardId: handed, assignedToId: scene.owner.userId });
    expect(await amounts({}, scene.other)).toEqual([]);
    expect(await refusalOf(list({ cardId: handed }, scene.other))).toBe("CARD_NOT_FOUND");
  });

  it("shows each holder of a card the transactions of their own time with it", async () => {
    const { purser, owner, member, other } = scene;
    const { cards, sandbox } = purser.as(owner);
    const handed = await scene.newCard(await scene.policy(), other);
    const pass = (to: Person) => cards.update({ organizationId, cardId: handed, assignedToId: to.userId });
    const seen = (person: Person) => amounts({ cardId: handed }, person);
    const first = await scene.buy(handed, { amount: 11 });
    await pass(member);
    const second = await scene.buy(handed, { amount: 22 });
    expect(await seen(member)).toEqual([22]);
    expect((await amounts({}, member)).slice(0, 2)).not.toContain(11);
    // Clearings change a purchase, and a refund of it is a transaction of its own.
    await sandbox.cards.clear({ transactionId: first.id });
    await sandbox.cards.refund({ transactionId: first.id });
    expect(await seen(member)).toEqual([22]);
    await sandbox.cards.clear({ transactionId: second.id });
    await sandbox.cards.refund({ transactionId: second.id });
    expect(await seen(member)).toEqual([-22, 22]);
    const explain = (transactionId: string, person: Person) =>
      purser.as(person).cards.transactions.explain({ organizationId, transactionId });
    expect(await explain(second.id, member)).toMatchObject({ outcome: "approved" });
    expect(await refusalOf(explain(first.id, member))).toBe("CARD_TRANSACTION_NOT_FOUND");
    expect(await refusalOf(explain(second.id, other))).toBe("CARD_TRANSACTION_NOT_FOUND");
    // What a member's list continues after may have vanished from it.
    expect((await amounts({ after: first.id }, member)).slice(0, 1)).not.toContain(11);
    expect(await refusalOf(list({ after: purser.unknownId("ctx") }))).toBe("VALIDATION_FAILED");

    await pass(other);
    expect(await seen(other)).toEqual([-11, 11]);
    expect(await amounts({}, member)).not.toContain(22);
    await pass(member);
    expect(await seen(member)).toEqual([-22, 22]);
    expect(await amounts({ cardId: handed, limit: 1 }, member)).toEqual([-22]);
    expect(await seen(owner)).toEqual([-22, -11, 22, 11]);
  });

  it("does not find an unknown card, one of another organization, or one of another member", async () => {
    const elsewhere = await scene.purser.organization(scene.owner);
    expect(await refusalOf(list({ cardId: scene.purser.unknownId("card") }))).toBe("CARD_NOT_FOUND");
    expect(await refusalOf(list({ organizationId: elsewhere, cardId }))).toBe("CARD_NOT_FOUND");
    expect(await refusalOf(list({ cardId: ownersCardId }, scene.member))).toBe("CARD_NOT_FOUND");
    expect(await list({ organizationId: elsewhere })).toEqual([]);
  });

  it.each([
    [{ from: at("2026-01-02"), to: at("2026-01-01") }],
    [{ minAmount: 2, maxAmount: 1 }],
    [{ minAmount: 0.5 }],
    [{ status: "pending" }],
    [{ merchantCategory: "c".repeat(256) }],
    [{ after: "ctx_1" }],
    [{ limit: 1001 }],
    [{ card: "x" }],
  ])("refuses %j", async (input) => {
    expect(await refusalOf(list(input))).toBe("VALIDATION_FAILED");
  });
});
